import type { Leiaute } from '../leiaute.ts';

export const notaPreTom: Leiaute = {
  id: 'nota-pre-tom',
  nome: 'Exportação com PRE_ e TOM_',
  fonte: 'Exportações de portais em que os campos das partes começam por PRE_ e TOM_',
  nota: { elemento: ['NOTA'], tem: ['./NUMERO|NR_NOTA', './TOM_CPF_CNPJ|TOM_RAZAO_SOCIAL|PRE_RAZAO_SOCIAL'] },
  numero: ['./NUMERO', './NR_NOTA'],
  codigo: ['./CD_VERIFICACAO'],
  data: { campos: ['./DT_EMISSAO', './DT_COMPETENCIA'] },
  competencia: ['./DT_COMPETENCIA'],
  prestador: {
    cpfCnpj: ['./PRE_CPF_CNPJ', './PRE_CNPJ', './CNPJ', './CPF_CNPJ'],
    nome: ['./PRE_RAZAO_SOCIAL'],
  },
  tomador: { cpfCnpj: ['./TOM_CPF_CNPJ', './TOM_CNPJ', './TOM_CPF'], nome: ['./TOM_RAZAO_SOCIAL'] },
  valor: ['./VL_SERVICO', './VL_NOTA', './VL_TOTAL'],
  municipio: { nome: ['./PRE_MUNICIPIO', './PRE_CIDADE'], uf: ['./PRE_UF', './PRE_ESTADO'] },
  situacao: [
    { tipo: 'situacao', campos: ['./SITUACAO', './STATUS', './DS_SITUACAO'] },
    { tipo: 'sim_nao', campos: ['./CANCELADA'] },
    { tipo: 'data', campos: ['./DT_CANCELAMENTO'] },
    { tipo: 'motivo', campos: ['./DS_CANCELAMENTO', './MOTIVO_CANCELAMENTO'] },
  ],
};
