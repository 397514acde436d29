/** What can be captured, as people and programs name it. */
import type { Servico } from '../banco/tabelas-captura.ts';

export const SERVICOS = ['nfe', 'cte', 'nfse', 'nfce'] as const satisfies readonly Servico[];

export const NOME_DO_SERVICO: Readonly<Record<Servico, string>> = {
  nfe: 'NF-e (SEFAZ, Ambiente Nacional)',
  cte: 'CT-e (SEFAZ, Ambiente Nacional)',
  nfse: 'NFS-e (ambiente nacional, ADN)',
  nfce: 'NFC-e próprias (SAE, São Paulo)',
};
