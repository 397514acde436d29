import type { Leiaute } from '../leiaute.ts';

export const sigissweb: Leiaute = {
  id: 'sigissweb',
  nome: 'SigISSWeb',
  fonte: 'Manual de integração do SigISSWeb',
  nota: { elemento: ['notafiscal'], tem: ['.//numero_nf', './/cnpj_cpf_prestador'] },
  numero: ['.//numero_nf'],
  serieDoRps: ['.//serie_rps', './/serie'],
  codigo: ['.//codigo'],
  data: { campos: ['.//data_emissao'] },
  prestador: { cpfCnpj: ['.//cnpj_cpf_prestador'], nome: ['.//razao_social_prestador|nome_prestador'] },
  tomador: {
    cpfCnpj: ['.//cnpj_cpf_destinatario'],
    nome: ['.//razao_social_destinatario|nome_destinatario'],
  },
  valor: ['.//valor_nf'],
  situacao: [
    { tipo: 'sim_nao', campos: ['.//cancelada'] },
    { tipo: 'data', campos: ['.//data_cancelamento'] },
    { tipo: 'motivo', campos: ['.//motivo_cancelamento'] },
  ],
};
