/** What can be captured, as people and programs name it. */
import type { Servico } from '../banco/tabelas-captura.ts';

export const SERVICOS = ['nfe', 'cte', 'nfse', 'nfce'] as const satisfies readonly Servico[];

export const NOME_DO_SERVICO: Readonly<Record<Servico, string>> = {
  nfe: 'NF-e (SEFAZ, Ambiente Nacional)',
  cte: 'CT-e (SEFAZ, Ambiente Nacional)',
  nfse: 'NFS-e (ambiente nacional, ADN)',
  nfce: 'NFC-e próprias (SAE, São Paulo)',
};

/**
 * Whether it is a distribution of the portals (NFeDistribuicaoDFe, CTeDistribuicaoDFe). They have numbers that must not go
 * back, count single documents by the hour and stop for who does not call; the ADN and the SAE do nothing of that.
 */
export function isDistribuicao(servico: Servico): boolean {
  return servico === 'nfe' || servico === 'cte';
}
