/**
 * The key under which the bytes of an upload are stored. It says whose they are, so that they still are somebody's when the
 * database has lost the row that names them: a log that was cut, or a backup that is older than they are.
 */
import { randomUUID } from 'node:crypto';

/** An office as its uploads name it: its code, and when it was opened, since another installation may have the same code. */
export interface Dono {
  codigoCrm: string;
  /** ms UTC. */
  criadoEm: number;
}

const BASE = 36;
/** Upload, try, and the office: its code and the instant to base 36. What a recipe gave back (`documentos/bytes/envios.ts`) has another end. */
const FORMA =
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(?:devolvido|[0-9a-f]{8}(?:-([0-9]{6})-([0-9a-z]{1,11}))?)$/;

/** Every try to send the bytes of an upload has a key of its own. */
export function blobDoEnvio(arquivoId: string, { codigoCrm, criadoEm }: Dono): string {
  return `${arquivoId}-${randomUUID().slice(0, 8)}-${codigoCrm}-${criadoEm.toString(BASE)}`;
}

/** @returns null for a key that is of no upload; `dono` is null in those that older versions made, or a recipe gave back */
export function readBlobDoEnvio(key: string): { arquivoId: string; dono: Dono | null } | null {
  const [, arquivoId, codigoCrm, criadoEm] = FORMA.exec(key) ?? [];
  if (arquivoId === undefined) return null;
  if (codigoCrm === undefined || criadoEm === undefined) return { arquivoId, dono: null };
  return { arquivoId, dono: { codigoCrm, criadoEm: Number.parseInt(criadoEm, BASE) } };
}
