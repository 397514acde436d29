import type { Leiaute } from '../leiaute.ts';

export const dsfPortal: Leiaute = {
  id: 'dsf-portal',
  nome: 'DSF (exportação do portal)',
  fonte: 'Exportação de notas dos portais ISSDSF',
  nota: { elemento: ['NOTA_FISCAL'], tem: ['.//NUM_NOTA', './/DATA_HORA_EMISSAO'] },
  numero: ['.//NUM_NOTA'],
  codigo: ['.//CODIGO_VERIFICACAO'],
  data: { campos: ['.//DATA_HORA_EMISSAO'] },
  competencia: ['.//MES_COMPETENCIA'],
  prestador: { cpfCnpj: ['.//PRESTADOR_CPF_CNPJ'], nome: ['.//PRESTADOR_RAZAO_SOCIAL'] },
  tomador: { cpfCnpj: ['.//TOMADOR_CPF_CNPJ'], nome: ['.//TOMADOR_RAZAO_SOCIAL'] },
  valor: ['.//VALOR_SERVICO', './/VALOR_NOTA'],
  municipio: { codigo: ['.//CODIGO_CIDADE'], daReceita: true },
  prestacao: ['.//CIDADE_CODIGO_PRESTACAO'],
  situacao: [
    { tipo: 'situacao', campos: ['.//SITUACAO_NF'] },
    { tipo: 'data', campos: ['.//DATA_HORA_CANCELAMENTO'] },
    { tipo: 'motivo', campos: ['.//MOTIVO_CANCELAMENTO'] },
  ],
};
