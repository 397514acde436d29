/** What every service is handed with a call. */
import { baseDe } from './filas.ts';
import type { Acervo } from './publicar.ts';
import type { Relatorio } from './relatorio.ts';
import type { CertificadoApresentado, Origem, Pedido } from './tipos.ts';

/** What is done to a lot on its way out, once. */
export type DefeitoDoLote =
  | 'gzip_errado'
  | 'documento_quebrado'
  | 'cinquenta_e_um'
  | 'latin1'
  | 'chave_dobrada';

export interface Contexto {
  pedido: Pedido;
  /** ms */
  agora: number;
  origem: Origem;
  acervo: Acervo;
  relatorio: Relatorio;
  /** Holders whose certificates are revoked. */
  revogados: ReadonlySet<string>;
  /** What spoils the next lot of this caller; it is taken only when there is one. */
  takeDefeito(): DefeitoDoLote | null;
}

/** cStat of a certificate that is refused whomever it asks about; null for a good one. */
export function refusalOfCertificate(
  certificado: CertificadoApresentado,
  agora: number,
  revogados: ReadonlySet<string>,
): string | null {
  if (certificado.confiavel === false) return '285';
  if (agora > certificado.validoAte || agora < certificado.validoDe) return '281';
  if (certificado.titular === null) return '473';
  return revogados.has(certificado.titular) ? '284' : null;
}

/** Whether a certificate may ask about somebody: the same base of the CNPJ, or the very CPF. */
export function mayAskAbout(certificado: CertificadoApresentado, cpfCnpj: string): boolean {
  return certificado.titular !== null && baseDe(certificado.titular) === baseDe(cpfCnpj);
}

/** Text of a request's body. */
export function textOf({ corpo }: Pedido): string {
  return typeof corpo === 'string' ? corpo : Buffer.from(corpo).toString('utf8');
}
