import type { Leiaute } from '../leiaute.ts';

export const rlz: Leiaute = {
  id: 'rlz',
  nome: 'RLZ',
  fonte: 'Manual do web service da RLZ',
  nota: {
    elemento: ['nfse', 'nota', 'notafiscal', 'nfe', 'nf'],
    tem: ['./numero', './data', './codigoverificacao', './prestador/cpfcnpj', './valor'],
  },
  grupos: ['servicos', 'servico'],
  numero: ['./numero'],
  serie: ['./serie'],
  codigo: ['./codigoverificacao'],
  data: { campos: ['./data'] },
  prestador: { cpfCnpj: ['./prestador/cpfcnpj'], nome: ['./prestador/nome'] },
  tomador: { cpfCnpj: ['./tomador/cpfcnpj'], nome: ['./tomador/nome'] },
  valor: ['./valor'],
  municipio: { codigo: ['./prestador/cidade'] },
  situacao: [{ tipo: 'situacao', campos: ['./situacao'] }],
  mutaveis: ['url'],
};
