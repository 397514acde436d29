/** Lists of clients as spreadsheets write them: UTF-8 or windows-1252, `;`, `,` or tab, with or without a heading. */
import { CsvError, parse } from 'csv-parse/sync';
import { decodeText } from '../../fiscal/detect.ts';
import { tabela } from '../../fiscal/tabela.ts';
import { csvInvalido } from '../errors.ts';

/** More than the largest offices have; each row becomes a registration of its own. */
const LINHAS_MAX = 2_000;

/** Characters of one line: a client has a few hundred, and the thread that serves everybody reads them. */
const REGISTRO_MAX_CARACTERES = 20_000;
/** The parser counts what stands in fields, and not how many there are. */
const LINHA_LONGA = new RegExp(`[^\\n]{${REGISTRO_MAX_CARACTERES + 1}}`);

export interface LinhaDoCsv {
  /** 1 is the first line of the file. */
  linha: number;
  cpfCnpj: string;
  nome: string;
  email: string;
  trabalhaComProcuracao: boolean;
}

type Coluna = 'cpfCnpj' | 'nome' | 'email' | 'procuracao';

/** Headings by what is left of them without accents, signs and blanks. */
const TITULOS: Readonly<Record<string, Coluna>> = tabela({
  cnpj: 'cpfCnpj',
  cpf: 'cpfCnpj',
  cpfcnpj: 'cpfCnpj',
  cnpjcpf: 'cpfCnpj',
  documento: 'cpfCnpj',
  nome: 'nome',
  nomeempresa: 'nome',
  empresa: 'nome',
  cliente: 'nome',
  razaosocial: 'nome',
  email: 'email',
  emaildocliente: 'email',
  procuracao: 'procuracao',
  trabalhacomprocuracao: 'procuracao',
});
const SEM_TITULO: readonly Coluna[] = ['cpfCnpj', 'nome', 'email', 'procuracao'];
const SIM = new Set(['sim', 's', 'true', '1', 'x', 'verdadeiro']);

/**
 * Bytes as text: a byte order mark says UTF-16 (Excel's “Texto Unicode”), valid UTF-8 is UTF-8, and what is neither is what
 * Windows wrote.
 * @throws csv_invalido for a file that is no text: a PDF, an image, an .xls
 */
export function decodeCsv(bytes: Uint8Array): string {
  const marked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if ((!marked && bytes.includes(0)) || Buffer.from(bytes.subarray(0, 5)).equals(Buffer.from('%PDF-')))
    throw csvInvalido(
      'Este arquivo não é uma planilha .xlsx nem um CSV. Um .xls, abra no Excel e salve como .xlsx.',
    );
  return decodeText(bytes);
}

/** @throws csv_invalido when it is no table, has no column of CPF/CNPJ, no row or too many */
export function readCsv(text: string): LinhaDoCsv[] {
  return readTabela(tableOf(text.replace(/^\ufeff/, '').replace(/^sep=.\r?\n/i, '')));
}

/** The same of rows that are taken apart already. @throws csv_invalido */
export function readTabela(table: readonly { record: string[]; linha: number }[]): LinhaDoCsv[] {
  const [first] = table;
  if (!first) throw csvInvalido('O arquivo não tem linhas.');
  const titled = columnsOf(first.record);
  const columns = titled ?? SEM_TITULO;
  const rows = titled ? table.slice(1) : table;
  if (rows.length === 0) throw csvInvalido('O arquivo só tem o cabeçalho.');
  if (rows.length > LINHAS_MAX)
    throw csvInvalido(`O arquivo tem ${rows.length} linhas; o limite é ${LINHAS_MAX}. Divida-o.`);
  return rows.map(({ record, linha }) => {
    const cell = (column: Coluna) => (record[columns.indexOf(column)] ?? '').trim();
    return {
      linha,
      cpfCnpj: cell('cpfCnpj'),
      nome: cell('nome'),
      email: cell('email'),
      trabalhaComProcuracao: SIM.has(cell('procuracao').toLowerCase()),
    };
  });
}

function tableOf(text: string): { record: string[]; linha: number }[] {
  if (LINHA_LONGA.test(text))
    throw csvInvalido(
      `O arquivo tem uma linha com mais de ${REGISTRO_MAX_CARACTERES} caracteres: não é uma lista de clientes.`,
    );
  try {
    const rows = parse(text, {
      delimiter: delimiterOf(text),
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      to: LINHAS_MAX + 2,
      max_record_size: REGISTRO_MAX_CARACTERES,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return rows.map(({ record, info }) => ({ record, linha: info.lines }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw csvInvalido('O arquivo não é um CSV que se possa ler: confira as aspas e os separadores.');
  }
}

/** The separator that the first line has most of. */
function delimiterOf(text: string): string {
  const [line = ''] = text.slice(0, REGISTRO_MAX_CARACTERES).split(/\r?\n/, 1);
  const count = (sign: string) => line.split(sign).length;
  return [';', ',', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best), ';');
}

/** The columns that a heading names; null when the first line is no heading but a client. */
function columnsOf(record: readonly string[]): (Coluna | null)[] | null {
  const columns = record.map((title) => TITULOS[bare(title)] ?? null);
  if (columns.includes('cpfCnpj')) return columns;
  if (columns.some((column) => column !== null))
    throw csvInvalido('Falta a coluna com o CPF ou CNPJ (título: cnpj).');
  return null;
}

function bare(title: string): string {
  return title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}
