/** What stands beside a document that was read by a description that is not ours. */
import type { Documento } from '../../tipos.ts';
import type { Leiaute } from './leiaute.ts';

/** How it begins. */
const DITO = 'Lida pelo leiaute "';
/** So many letters of it are always there (`limites-de-texto.ts`). */
const AVISO_MIN = 300;

export function avisoDe({ nome }: Pick<Leiaute, 'nome'>): string {
  return `${DITO}${nome}", que o escritório ensinou ou instalou.`;
}

/** Whether a document was read by this description. */
export function foiEnsinadaPor(
  { avisos }: Pick<Documento, 'avisos'>,
  { nome }: Pick<Leiaute, 'nome'>,
): boolean {
  return avisos.some((aviso) => aviso.startsWith(`${DITO}${nome}"`.slice(0, AVISO_MIN)));
}

/** Whether a document was read by a description that is not ours. */
export function foiEnsinada({ avisos }: Pick<Documento, 'avisos'>): boolean {
  return avisos.some((aviso) => aviso.startsWith(DITO));
}
