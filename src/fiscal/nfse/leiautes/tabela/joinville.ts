import type { Leiaute } from '../leiaute.ts';

/** Its notes leave the prestador to the lot that they stand in. */
export const joinville: Leiaute = {
  id: 'joinville',
  nome: 'Joinville (NFEM)',
  fonte: 'Manual da NFEM da Prefeitura de Joinville',
  nota: { elemento: ['nota'], tem: ['./numero', './codigo_verificacao', './tomador/documento'] },
  grupos: ['servicos'],
  numero: ['./numero'],
  serieDoRps: ['./serie_rps'],
  codigo: ['./codigo_verificacao'],
  data: { campos: ['./data_emissao'] },
  prestador: { cpfCnpj: ['./prestador/documento|cnpj|cpf'], nome: ['./prestador/razao_social|nome'] },
  tomador: { cpfCnpj: ['./tomador/documento|cnpj|cpf'], nome: ['./tomador/nome|razao_social'] },
  aoRedor: {
    cpfCnpj: ['prestador/documento', 'prestador/cnpj', 'prestador/cpf'],
    nome: ['prestador/razao_social', 'prestador/nome'],
  },
  valor: ['./valor_total', './/valor_total'],
  municipio: { porNamespace: [{ contem: 'joinville.sc.gov.br', municipio: '4209102' }] },
  situacao: [
    { tipo: 'situacao', campos: ['./situacao'] },
    { tipo: 'sim_nao', campos: ['./cancelada'] },
    { tipo: 'data', campos: ['./data_cancelamento'] },
    { tipo: 'motivo', campos: ['./motivo_cancelamento'] },
  ],
};
