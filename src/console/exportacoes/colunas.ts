/** Columns of exported tables. Their names never change and none is ever taken away: scripts of others read them. */
import { NOME_DA_PROVA } from '../../documentos/store/palavras-da-prova.ts';
import type { Prova } from '../../fiscal/tipos.ts';
import type { Documento } from '../documentos/apresentar.ts';

export interface Coluna {
  titulo: string;
  tipo: 'texto' | 'moeda' | 'data' | 'inteiro';
  valor: (documento: Documento) => string | number | null;
}

const sim = (value: boolean) => (value ? 'Sim' : 'Não');

export const COLUNAS: readonly Coluna[] = [
  { titulo: 'Chave de acesso', tipo: 'texto', valor: (d) => d.chave },
  { titulo: 'Espécie', tipo: 'texto', valor: (d) => d.especie },
  { titulo: 'Modelo', tipo: 'texto', valor: (d) => d.modelo },
  { titulo: 'Série', tipo: 'texto', valor: (d) => d.serie },
  { titulo: 'Número', tipo: 'texto', valor: (d) => d.numero },
  { titulo: 'Número final', tipo: 'texto', valor: (d) => d.numeroFinal },
  { titulo: 'Situação', tipo: 'texto', valor: (d) => d.status },
  { titulo: 'Tipo', tipo: 'texto', valor: (d) => d.tipo },
  { titulo: 'Papel', tipo: 'texto', valor: (d) => d.papel },
  { titulo: 'Emissão', tipo: 'data', valor: (d) => d.dataEmissao },
  { titulo: 'Importação', tipo: 'data', valor: (d) => d.dataImportacao },
  { titulo: 'Emitente CPF/CNPJ', tipo: 'texto', valor: (d) => d.emitente.cpfCnpj },
  { titulo: 'Emitente', tipo: 'texto', valor: (d) => d.emitente.nome },
  { titulo: 'Destinatário CPF/CNPJ', tipo: 'texto', valor: (d) => d.destinatario.cpfCnpj },
  { titulo: 'Destinatário', tipo: 'texto', valor: (d) => d.destinatario.nome },
  { titulo: 'UF', tipo: 'texto', valor: (d) => d.uf },
  { titulo: 'Valor', tipo: 'moeda', valor: (d) => (d.valor === null ? null : Number(d.valor)) },
  { titulo: 'Manifestação', tipo: 'texto', valor: (d) => d.manifestacao },
  {
    titulo: 'Prova da situação',
    tipo: 'texto',
    valor: (d) => (d.prova === null ? null : NOME_DA_PROVA[d.prova as Prova]),
  },
  { titulo: 'Finalidade', tipo: 'texto', valor: (d) => d.finalidade?.codigo ?? null },
  { titulo: 'Origem da finalidade', tipo: 'texto', valor: (d) => d.finalidade?.origem ?? null },
  { titulo: 'Carta de correção', tipo: 'texto', valor: (d) => sim(d.cartaCorrecao) },
  { titulo: 'Homologação', tipo: 'texto', valor: (d) => sim(d.homologacao) },
  { titulo: 'Cliente CPF/CNPJ', tipo: 'texto', valor: (d) => d.cliente.cpfCnpj },
  { titulo: 'Cliente', tipo: 'texto', valor: (d) => d.cliente.nome },
  { titulo: 'NSU', tipo: 'inteiro', valor: (d) => d.nsu },
];

/** A program that opens a table takes a text that begins so for a formula. @fonte OWASP, CSV injection */
const FORMULA = /^[=+\-@\t\r]/;

/** Text that no program takes for a formula, without control characters. */
export function inofensivo(text: string): string {
  const clean = text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  return FORMULA.test(text) || FORMULA.test(clean) ? `'${clean}` : clean;
}

/** One line of CSV as Brazilian spreadsheets read it: semicolons, decimal comma, CRLF. */
export function linhaCsv(values: readonly (string | number | null)[]): string {
  return `${values.map(campoCsv).join(';')}\r\n`;
}

function campoCsv(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value).replace('.', ',');
  const text = inofensivo(value);
  return /[";]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Byte order mark, by which spreadsheets know that the text is UTF-8. */
export const BOM = '\ufeff';
