/** Another try with the kept bytes of a file: a file of its own, since states only go forward. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Deps } from '../../deps.ts';
import { bytesDoEnvio } from '../../documentos/bytes/envios.ts';
import { puttingInLine } from '../../platform/jobs/queue.ts';
import { blobDoEnvio } from '../blob-do-envio.ts';
import { IMPORT_MAX_BYTES } from '../limites.ts';
import { findArquivoDoContador, findDono, type LinhaDeArquivo } from '../queries.ts';
import { insertRecebido, writeAlcance } from '../recebido.ts';
import { isSurroundings } from '../storing/surroundings.ts';
import { STATUS_ARQUIVO } from '../tipos.ts';

type ReimportDeps = Pick<Deps, 'db' | 'storage' | 'clock'>;

/**
 * Copies the bytes, so that neither file depends on how long the other is kept.
 * @returns the id of the new file, why it cannot be, or null when the office has no such file
 */
export async function reimportar(
  deps: ReimportDeps,
  input: { contadorId: number; usuarioId: number; alcance: readonly number[] | null; id: string },
): Promise<{ id: string } | { motivo: string } | null> {
  const { contadorId, usuarioId } = input;
  const arquivo = await findArquivoDoContador(deps.db.read, { id: input.id, contadorId });
  if (!arquivo) return null;
  const final = [STATUS_ARQUIVO.uploaded, STATUS_ARQUIVO.comErro] as readonly string[];
  if (!final.includes(arquivo.status)) return { motivo: 'O arquivo ainda não terminou de ser importado.' };
  const bytes = await bytesDoArquivo(deps, arquivo);
  if (!bytes) return { motivo: 'Os bytes deste arquivo não estão mais guardados. Envie-o de novo.' };
  const id = randomUUID();
  const blob = blobDoEnvio(id, await findDono(deps.db.read, contadorId));
  const stored = await deps.storage.put(blob, Readable.from([bytes]), { maxBytes: IMPORT_MAX_BYTES });
  const agora = deps.clock.now();
  // The kept bytes of what was fetched are still what the authority gave.
  const { extensao, kid, fonte, nome = null } = arquivo;
  const origem = {
    origem: 'console',
    usuario_id: usuarioId,
    nome,
    fonte,
    reimportado_de: arquivo.id,
    alcance: writeAlcance(input.alcance),
  } as const;
  await puttingInLine(deps.db.write, (trx) =>
    insertRecebido(trx, { ...stored, id, contadorId, blob, extensao, chegouEm: agora, agora, kid, origem }),
  );
  return { id };
}

/** The bytes of a file as they came; null when they are no longer there. @throws when store or database cannot say */
export async function bytesDoArquivo(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  arquivo: Pick<LinhaDeArquivo, 'id' | 'blob'>,
): Promise<Buffer | null> {
  try {
    return await bytesDoEnvio({ db: db.read, storage }, arquivo);
  } catch (error) {
    if (isSurroundings(error)) throw error;
    return null;
  }
}
