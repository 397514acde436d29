import type { Leiaute } from '../leiaute.ts';

export const assessorPublico: Leiaute = {
  id: 'assessor-publico',
  nome: 'Assessor Público',
  fonte: 'Manual de integração do Assessor Público',
  nota: { elemento: ['NOTA'], tem: ['./COD', './PRESTCPFCNPJ'] },
  grupos: ['SERVICOS', 'SERVICO'],
  numero: ['./COD'],
  codigo: ['./CHAVE|CODVERIFICACAO|RPS'],
  data: { campos: ['./DATA'], hora: ['./HORA'] },
  prestador: { cpfCnpj: ['./PRESTCPFCNPJ'], nome: ['./PRESTNOMERAZAO'] },
  tomador: { cpfCnpj: ['./TOMCPFCNPJ'], nome: ['./TOMNOMERAZAO'] },
  valor: ['./VALORTOTALSERVICOS', './VALORTOTAL'],
  situacao: [{ tipo: 'situacao', campos: ['./SITDESC|SITUACAO'] }],
};
