/**
 * Reasons and findings that are kept with a version, against what reading its bytes again says. Words of a former version of Malote
 * are no damage: only a text is told that is the right one but for a few bits.
 */
import type { VeredictoAssinatura, VeredictoEsquema } from '../../fiscal/tipos.ts';
import { ehQuaseOMesmo } from '../bytes/hash-guardado.ts';
import type { RegistroAGuardar } from '../tipos.ts';

export interface TextosDaVersao {
  esquema_motivo: string | null;
  assinatura_motivo: string | null;
  /** JSON array. */
  avisos: string | null;
}

/** As an import writes them now. */
export function textosQueDeviam(lido: {
  registro: Pick<RegistroAGuardar, 'avisos'>;
  assinatura: VeredictoAssinatura;
  esquema: VeredictoEsquema;
}): TextosDaVersao {
  const { avisos } = lido.registro;
  return {
    esquema_motivo: lido.esquema.motivo,
    assinatura_motivo: lido.assinatura.motivo,
    avisos: avisos.length > 0 ? JSON.stringify(avisos) : null,
  };
}

/** @returns those that have changed since they were written, as they should be */
export function textosMudados(row: TextosDaVersao, devia: TextosDaVersao): Partial<TextosDaVersao> {
  const mudados: Partial<TextosDaVersao> = {};
  for (const coluna of ['esquema_motivo', 'assinatura_motivo', 'avisos'] as const)
    if (ehDano(row[coluna], devia[coluna])) mudados[coluna] = devia[coluna];
  return mudados;
}

/**
 * Whether a text is the right one but for what a bit or two can do to it: in SQLite a byte that is no UTF-8 any more is read as one
 * character that stands for nothing.
 */
export function ehDano(escrito: unknown, certo: unknown): boolean {
  if (typeof escrito !== 'string' || typeof certo !== 'string' || escrito === certo) return false;
  if (ehQuaseOMesmo(Buffer.from(escrito).toString('hex'), Buffer.from(certo).toString('hex'))) return true;
  if (escrito.length !== certo.length) return false;
  let outros = 0;
  for (let at = 0; at < certo.length && outros < 2; at++) if (escrito[at] !== certo[at]) outros += 1;
  return outros === 1;
}
