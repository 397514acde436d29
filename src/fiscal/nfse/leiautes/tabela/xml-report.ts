import type { Leiaute } from '../leiaute.ts';

/** A report of the notes of one prestador, whom it seldom names. */
export const xmlReport: Leiaute = {
  id: 'xml-report',
  nome: 'Relatório de notas emitidas (xmlreport)',
  fonte: 'Exportação do portal de São Raimundo Nonato',
  nota: {
    elemento: ['nfse'],
    tem: ['./numero', './cpfTomador|cnpjTomador|cpfCnpjTomador', './nomeTomador', './valorServico'],
  },
  numero: ['./numero'],
  data: { campos: ['./dataEmissao'] },
  prestador: {
    cpfCnpj: ['./cpfPrestador|cnpjPrestador|cpfCnpjPrestador', './/prestador/cnpj|cpf|cpfCnpj'],
    nome: ['./nomePrestador'],
  },
  tomador: { cpfCnpj: ['./cpfTomador|cnpjTomador|cpfCnpjTomador'], nome: ['./nomeTomador'] },
  valor: ['./valorServico'],
  situacao: [{ tipo: 'situacao', campos: ['./situacao'] }],
  semPrestador: {
    codigo: 'nfse_sem_prestador',
    mensagem:
      'É um relatório de NFS-e (nº {numero}) que não diz quem é o prestador. No site da prefeitura, exporte o XML da própria NFS-e, que traz o CNPJ dele, em vez do relatório de notas.',
  },
};
