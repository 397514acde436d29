import type { Leiaute } from '../leiaute.ts';

export const siappa: Leiaute = {
  id: 'siappa',
  nome: 'SIAPPA',
  fonte: 'Manual do web service SIAPPA (NFS_E_XML)',
  nota: { elemento: ['Reg_NFS_E'], tem: ['./NFS_E_NRO', './NFS_E_DATA_HORA_CAD|NFS_E_COD_VALIDACAO'] },
  numero: ['./NFS_E_NRO'],
  serie: ['./NFS_E_SERIE'],
  codigo: ['./NFS_E_COD_VALIDACAO'],
  data: { campos: ['./NFS_E_DATA_HORA_CAD', './NFS_E_DATA'] },
  prestador: { cpfCnpj: ['./NFS_E_PRE_CPF_CNPJ', './NFS_E_PREST_CPF_CNPJ'], nome: ['./NFS_E_PRE_NOME_RSO'] },
  tomador: { cpfCnpj: ['./NFS_E_TOM_CPF_CNPJ'], nome: ['./NFS_E_TOM_NOME_RSO'] },
  aoRedor: { cpfCnpj: ['cabecalho/Cab_CNPJ', 'cabecalho/Cab_CPF_CNPJ'] },
  valor: ['./NFS_E_VLR_BRUTO', './NFS_E_VLR_SERVICO'],
  situacao: [
    { tipo: 'situacao', campos: ['./NFS_E_STATUS'], cancelada: ['C'], normal: ['N'] },
    { tipo: 'data', campos: ['./NFS_E_DATA_CANC', './NFS_E_DATA_HORA_CANC'] },
    { tipo: 'motivo', campos: ['./NFS_E_MOTIVO_CANC'] },
  ],
};
