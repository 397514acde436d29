import type { Leiaute } from '../leiaute.ts';

export const infisc: Leiaute = {
  id: 'infisc',
  nome: 'Infisc',
  fonte: 'Manual de integração da NFS-e da Infisc (resPedidoLoteNFSe)',
  nota: { elemento: ['infNFSe'], envoltorio: ['NFS-e'], tem: ['.//nNFS-e', './/dEmi'] },
  grupos: ['det'],
  numero: ['.//nNFS-e'],
  serieDoRps: ['.//Id/serie', './/serie'],
  codigo: ['.//cNFS-e'],
  data: { campos: ['.//dEmi'], hora: ['.//hEmi'] },
  prestador: {
    cpfCnpj: ['.//prest/CNPJ|CPF', './/emit/CNPJ|CPF'],
    nome: ['.//prest/xNome', './/emit/xNome'],
  },
  tomador: {
    cpfCnpj: ['.//TomS/CNPJ|CPF', './/toma/CNPJ|CPF', './/dest/CNPJ|CPF'],
    nome: ['.//TomS/xNome', './/toma/xNome', './/dest/xNome'],
  },
  valor: ['.//total/vtNF', './/total/vServ', './/vtNF', './/vServ'],
  municipio: { codigo: ['.//cMunFG', './/prest/end/cMun'] },
  situacao: [
    { tipo: 'sim_nao', campos: ['.//cancelada', './/anulada'] },
    { tipo: 'motivo', campos: ['.//motCanc'] },
  ],
  ambiente: ['.//ambienteEmi'],
};
