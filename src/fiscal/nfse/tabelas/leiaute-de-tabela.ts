/**
 * Lists of notes that portals export as text, as data: in columns with a heading (CSV), or in fixed places of each line
 * (TXT). A row is read as if it were an element and its columns the elements in it, named by the heading in letters and
 * digits without accents.
 */
import type { Leiaute } from '../leiautes/leiaute.ts';
import { dsfPortal } from '../leiautes/tabela/dsf-portal.ts';

export interface LeiauteDeTabela {
  /** Columns, all of which the heading has, as {@link nomeDaColuna} gives them; `a|b` is either. */
  colunas: readonly string[];
  /** Titles of columns that no other list has: with these, one that lacks others is still known for what it is. */
  parece?: readonly string[];
  /** Rows that are notes: of others (totals) nothing is read. */
  linhas?: { coluna: string; valores: readonly string[] };
  leiaute: Leiaute;
}

/** Lines with fields in fixed places. */
export interface LeiauteDePosicoes {
  /** How the first line begins, what else it has, and how long it is. */
  primeira: { comeca: string; contem?: string; tamanho?: number };
  /** How lines that are notes begin, and how long they are at least. */
  linha: { comeca: string; minimo: number };
  /** Name of a field, its first place (from 1) and its length. */
  campos: readonly (readonly [nome: string, inicio: number, tamanho: number])[];
  /** Amounts without a point, of which the last two digits are cents. */
  centavos?: readonly string[];
  /** Parties whose number must have valid check digits: else the places are of another version. */
  provam?: readonly string[];
  leiaute: Leiaute;
}

/** `Nº NFS-e` → `nnfse`, `Situação da Nota Fiscal` → `situacaodanotafiscal`. */
export function nomeDaColuna(titulo: string): string {
  return titulo
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

/** How the service is taxed; C: cancelled, E: lost, which cancels nothing. */
const SITUACOES_DE_SAO_PAULO = {
  tipo: 'situacao',
  campos: ['./situacaodanotafiscal'],
  cancelada: ['C'],
  normal: ['T', 'F', 'A', 'B', 'D', 'M', 'N', 'R', 'S', 'X', 'V', 'P', 'I', 'J', 'E'],
} as const;

const NUMERO = 'nnfse|numeronfse|ndanfse|numerodanfse|nonfse|nodanfse';
const DATA = 'datahoranfe|datahoranfse|datahoradanfe|datahoradanfse';

const saoPaulo: LeiauteDeTabela = {
  colunas: ['tipoderegistro', NUMERO, DATA, 'razaosocialdoprestador', 'valordosservicos'],
  parece: ['tipoderegistro', NUMERO],
  linhas: { coluna: 'tipoderegistro', valores: ['2'] },
  leiaute: {
    id: 'paulistana-csv',
    nome: 'São Paulo, exportação de NFS-e em CSV',
    fonte: 'Exportação de NFS-e do portal da Prefeitura de São Paulo',
    nota: { elemento: ['linha'], tem: [`./${NUMERO}`], norma: true },
    numero: [`./${NUMERO}`],
    inscricao: ['./inscricaomunicipaldoprestador'],
    serieDoRps: ['./seriedorps'],
    codigo: ['./codigodeverificacaodanfse'],
    data: { campos: [`./${DATA}`] },
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
    situacao: [SITUACOES_DE_SAO_PAULO, { tipo: 'data', campos: ['./datadecancelamento'] }],
    mutaveis: ['ndaguia', 'datadequitacaodaguiavinculadaanotafiscal', 'valordocredito'],
  },
};

/** The columns of the portal's XML as a list: of the same notes, under the same keys. */
const dsfEmColunas: LeiauteDeTabela = {
  colunas: ['numnota', 'datahoraemissao', 'prestadorcpfcnpj'],
  parece: ['numnota', 'datahoraemissao'],
  leiaute: { ...dsfPortal, nota: { elemento: ['linha'], tem: ['./numnota', './datahoraemissao'] } },
};

export const TABELAS: readonly LeiauteDeTabela[] = [saoPaulo, dsfEmColunas];

const saoPauloTxt: LeiauteDePosicoes = {
  primeira: { comeca: '1', tamanho: 28 },
  linha: { comeca: '2', minimo: 627 },
  campos: [
    ['nnfse', 2, 8],
    ['datahoranfe', 10, 14],
    ['codigodeverificacaodanfse', 24, 8],
    ['seriedorps', 37, 5],
    ['inscricaomunicipaldoprestador', 62, 8],
    ['cpfcnpjdoprestador', 71, 14],
    ['razaosocialdoprestador', 85, 75],
    ['situacaodanotafiscal', 419, 1],
    ['datadecancelamento', 420, 8],
    ['ndaguia', 428, 12],
    ['datadequitacaodaguiavinculadaanotafiscal', 440, 8],
    ['valordosservicos', 448, 15],
    ['valordocredito', 502, 15],
    ['cpfcnpjdotomador', 519, 14],
    ['razaosocialdotomador', 553, 75],
  ],
  centavos: ['valordosservicos'],
  provam: ['cpfcnpjdoprestador', 'cpfcnpjdotomador'],
  leiaute: { ...saoPaulo.leiaute, id: 'paulistana-txt', nome: 'São Paulo, exportação de NFS-e em TXT' },
};

/** Names the prestador by the inscription alone: it is told what it is, and what to export instead. */
const barueriTxt: LeiauteDePosicoes = {
  primeira: { comeca: '1', contem: 'PMB00' },
  linha: { comeca: '2', minimo: 207 },
  campos: [
    ['numero', 7, 6],
    ['data', 13, 8],
    ['situacao', 67, 1],
    ['datadecancelamento', 68, 8],
    ['cpfcnpjdotomador', 94, 14],
    ['razaosocialdotomador', 108, 100],
  ],
  leiaute: {
    id: 'barueri-txt',
    nome: 'Barueri, exportação de NFS-e em TXT',
    fonte: 'Manual de exportação de NFS-e da Prefeitura de Barueri (PMB002)',
    nota: { elemento: ['linha'], tem: ['./numero'], norma: true },
    numero: ['./numero'],
    data: { campos: ['./data'] },
    prestador: { cpfCnpj: ['./cpfcnpjdoprestador'] },
    tomador: { cpfCnpj: ['./cpfcnpjdotomador'], nome: ['./razaosocialdotomador'] },
    valor: ['./valor'],
    municipio: { fixo: '3505708' },
    situacao: [
      { tipo: 'situacao', campos: ['./situacao'], cancelada: ['C'], normal: ['A'] },
      { tipo: 'data', campos: ['./datadecancelamento'] },
    ],
    semPrestador: {
      codigo: 'nfse_sem_prestador',
      mensagem:
        'É a NFS-e nº {numero} de Barueri exportada em TXT, que não traz o CNPJ do prestador. No site da prefeitura, exporte o XML da NFS-e (ConsultarNfeServPrestado).',
    },
  },
};

export const POSICOES: readonly LeiauteDePosicoes[] = [saoPauloTxt, barueriTxt];
