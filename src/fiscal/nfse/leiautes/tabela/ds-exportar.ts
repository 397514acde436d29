import type { Leiaute } from '../leiaute.ts';

/** A report of the notes of one prestador, whom it does not name. */
export const dsExportar: Leiaute = {
  id: 'ds-exportar',
  nome: 'Exportação DsExportarNotaFiscal',
  fonte: 'Relatório de notas exportado de portais (DsExportarNotaFiscal)',
  nota: { elemento: ['TbNotasFiscais'], tem: ['./NumeroNF', './DtEmissao'] },
  numero: ['./NumeroNF'],
  codigo: ['./Assinatura'],
  data: { campos: ['./DtEmissao'] },
  prestador: { cpfCnpj: ['./CNPJCPFPrestador'], nome: ['./NomeRazaoPrestador'] },
  tomador: { cpfCnpj: ['./CNPJCPFTomador'], nome: ['./NomeRazaoTomador'] },
  valor: ['./ValorTotal'],
  situacao: [{ tipo: 'situacao', campos: ['./Status'] }],
  semPrestador: {
    codigo: 'nfse_sem_prestador',
    mensagem:
      'É uma exportação de NFS-e (nº {numero}) que não diz quem é o prestador. No site da prefeitura, exporte o XML da própria NFS-e, que traz o CNPJ dele, em vez do relatório de notas.',
  },
};
