/**
 * Lists of notes that portals export as text in columns (CSV), as data: a heading by which the list is told, and where each
 * field stands, as if a row were an element and its columns the elements in it, named by the heading in letters and
 * digits without accents.
 */
import type { Leiaute } from '../leiautes/leiaute.ts';

export interface LeiauteDeTabela {
  /** Columns, all of which the heading has, as {@link nomeDaColuna} gives them. */
  colunas: readonly string[];
  /** Rows that are notes: of others (totals) nothing is read. */
  linhas?: { coluna: string; valores: readonly string[] };
  leiaute: Leiaute;
}

/** `Nº NFS-e` → `nnfse`, `Situação da Nota Fiscal` → `situacaodanotafiscal`. */
export function nomeDaColuna(titulo: string): string {
  return titulo
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

const saoPaulo: LeiauteDeTabela = {
  colunas: ['tipoderegistro', 'nnfse', 'datahoranfe', 'razaosocialdoprestador', 'valordosservicos'],
  linhas: { coluna: 'tipoderegistro', valores: ['2'] },
  leiaute: {
    id: 'paulistana-csv',
    nome: 'São Paulo, exportação de NFS-e em CSV',
    fonte: 'Exportação de NFS-e do portal da Prefeitura de São Paulo',
    nota: { elemento: ['linha'], tem: ['./nnfse'], norma: true },
    numero: ['./nnfse'],
    inscricao: ['./inscricaomunicipaldoprestador'],
    serieDoRps: ['./seriedorps'],
    codigo: ['./codigodeverificacaodanfse'],
    data: { campos: ['./datahoranfe'] },
    prestador: {
      cpfCnpj: ['./cpfcnpjdoprestador|cpfoucnpjdoprestador'],
      nome: ['./razaosocialdoprestador'],
    },
    tomador: { cpfCnpj: ['./cpfcnpjdotomador|cpfoucnpjdotomador'], nome: ['./razaosocialdotomador'] },
    intermediario: {
      cpfCnpj: ['./cpfcnpjdointermediario|cpfoucnpjdointermediario'],
      nome: ['./razaosocialdointermediario'],
    },
    valor: ['./valordosservicos'],
    municipio: { fixo: '3550308' },
    situacao: [
      // How the service is taxed; C: cancelled, E: lost, which cancels nothing.
      {
        tipo: 'situacao',
        campos: ['./situacaodanotafiscal'],
        cancelada: ['C'],
        normal: ['T', 'F', 'A', 'B', 'D', 'M', 'N', 'R', 'S', 'X', 'V', 'P', 'I', 'J', 'E'],
      },
      { tipo: 'data', campos: ['./datadecancelamento'] },
    ],
    mutaveis: ['ndaguia', 'datadequitacaodaguiavinculadaanotafiscal', 'valordocredito'],
  },
};

export const TABELAS: readonly LeiauteDeTabela[] = [saoPaulo];
