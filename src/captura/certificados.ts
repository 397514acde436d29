/**
 * Which certificate a client is asked for with. The services take any certificate of the company (the first eight positions
 * of the CNPJ), so that the one of the matriz serves the branches; a procuração means nothing to them.
 * @fonte NT 2014.002, regra 593; Manual Contribuintes, APIs ADN
 */
import type { Servico } from '../banco/tabelas-captura.ts';
import { mesmaRaiz } from '../fiscal/cpf-cnpj.ts';
import type { findCertificados } from './queries.ts';

type Certificado = Awaited<ReturnType<typeof findCertificados>>[number];

/** Why there is none. */
export type SemCertificado =
  | 'sem_certificado'
  | 'certificado_vencido'
  | 'certificado_ainda_nao_vale'
  | 'titular_diverso';

/**
 * @param agora ms UTC
 * @returns the client's own before another establishment's; of several the one that ends last
 */
export function escolherCertificado(
  certificados: readonly Certificado[],
  { cpfCnpj, servico, agora }: { cpfCnpj: string; servico: Servico; agora: number },
): Certificado | { falta: SemCertificado } {
  // The SAE takes the issuing establishment's alone.
  const serves = ({ titular }: Certificado) =>
    titular !== null && (servico === 'nfce' ? titular === cpfCnpj : mesmaRaiz(titular, cpfCnpj));
  const own = certificados.filter(({ cpf_cnpj }) => cpf_cnpj === cpfCnpj);
  const usable = certificados.filter(serves);
  const now = usable.filter(({ valido_de, valido_ate }) => valido_de <= agora && agora < valido_ate);
  const [best] = now.sort(
    (a, b) => Number(b.cpf_cnpj === cpfCnpj) - Number(a.cpf_cnpj === cpfCnpj) || b.valido_ate - a.valido_ate,
  );
  if (best) return best;
  if (usable.some(({ valido_de }) => valido_de > agora)) return { falta: 'certificado_ainda_nao_vale' };
  if (usable.length > 0) return { falta: 'certificado_vencido' };
  return { falta: own.length > 0 ? 'titular_diverso' : 'sem_certificado' };
}
