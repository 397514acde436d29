/** Cells of exported tables: how a value of a column stands in a CSV, and in a spreadsheet. */
import { comMascara } from './palavras.ts';

/** Amounts are numbers, or decimal texts as they stand in the XML; instants are ISO 8601. */
export type Celula = string | number | null;

/** `identificador`: a key, a protocol, an inscription: never a number, whatever it is made of. */
export type TipoDeColuna = 'texto' | 'identificador' | 'pessoa' | 'moeda' | 'quantidade' | 'data' | 'inteiro';

export interface Coluna<Linha> {
  titulo: string;
  tipo: TipoDeColuna;
  valor: (linha: Linha) => Celula;
  /** Of a spreadsheet's column, in characters, where the type does not tell it. */
  largura?: number;
}

/** A program that opens a table takes a text that begins so for a formula. @fonte OWASP, CSV injection */
const FORMULA = /^[=+\-@\t\r]/;

/** Of nearly all texts this one look is enough: letters, digits and signs of the country, and no sign that begins a formula. */
const INOFENSIVO = /^[0-9A-Za-z\u00c0-\u00ff][ -~\u00a1-\u00ff]*$/;

/** Text that no program takes for a formula, without control characters. */
export function inofensivo(text: string): string {
  if (INOFENSIVO.test(text)) return text;
  const clean = text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  return FORMULA.test(text) || FORMULA.test(clean) ? `'${clean}` : clean;
}

/** Byte order mark, by which spreadsheets know that the text is UTF-8. */
export const BOM = '\ufeff';

/** One line of CSV as Brazilian spreadsheets read it: semicolons, decimal comma, CRLF. */
export function linhaCsv(values: readonly Celula[]): string {
  return `${values.map(campoCsv).join(';')}\r\n`;
}

function campoCsv(value: Celula): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value).replace('.', ',');
  const text = inofensivo(value);
  return /[";]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** What a row has in a column, as a CSV says it. */
export function celulaCsv<Linha>({ tipo, valor }: Coluna<Linha>, linha: Linha): Celula {
  const value = valor(linha);
  if (value === null || value === '') return null;
  switch (tipo) {
    case 'moeda':
    case 'quantidade':
      return decimal(String(value), tipo === 'moeda' ? 2 : 0);
    case 'data':
      return diaBrasileiro(String(value));
    case 'pessoa':
      return comMascara(String(value));
    case 'identificador':
      return emGrupos(String(value));
    case 'inteiro':
      return value;
    case 'texto':
      return semNumero(String(value));
  }
}

/** `1234.5` → `1234,50`: at least so many places, and never fewer than there are. */
function decimal(text: string, casas: number): string {
  const [inteiro = '', fracao = ''] = text.split('.');
  const cheia = fracao.padEnd(casas, '0');
  return cheia === '' ? inteiro : `${inteiro},${cheia}`;
}

/** `2026-03-05T10:00:00-03:00` → `05/03/2026 10:00:00`, by the document's own clock; a bare day without a time. */
export function diaBrasileiro(iso: string): string {
  const [, ano, mes, dia, hora] = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d:\d\d))?/.exec(iso) ?? [];
  if (ano === undefined) return iso;
  return `${dia}/${mes}/${ano}${hora === undefined ? '' : ` ${hora}`}`;
}

/** More digits than a spreadsheet shows of a number, or a zero that it takes away. */
const VIRA_OUTRO_NUMERO = /^(?:0\d+|\d{12,})$/;

/** As DANFE prints a key: groups of four, which no program takes for a number. Short ones stay as they are. */
function emGrupos(text: string): string {
  return VIRA_OUTRO_NUMERO.test(text) ? text.replaceAll(/(.{4})(?=.)/g, '$1 ') : semNumero(text);
}

/** What a spreadsheet would read as another number, or as a date (`1-2`, `5E10`), is marked as text. */
function semNumero(text: string): string {
  const vira =
    VIRA_OUTRO_NUMERO.test(text) ||
    /^\d+[eE]\d+$/.test(text) ||
    /^\d{1,4}[-/]\d{1,4}([-/]\d{1,4})?$/.test(text);
  return vira ? `'${text}` : text;
}
