import { piecesIn, tooManyText } from '../../pecas.ts';
import { reject } from '../../rejeicoes.ts';
import type { Codificacao, Peca } from '../../tipos.ts';
import { compilar, type LeiauteCompilado } from '../leiautes/compilar.ts';
import { type LeiauteDeTabela, nomeDaColuna, TABELAS } from './leiaute-de-tabela.ts';
import { codificacaoDe, decode, elementoDe, readRow, refusedRow, semUtf16 } from './ler-linha.ts';
import { type LinhaDeTabela, linhasDeTabela } from './linhas-de-tabela.ts';

const COMPILADAS = TABELAS.map((tabela) => ({ tabela, leiaute: compilar(tabela.leiaute) }));

const SEPARADORES = [';', ',', '\t', '|'] as const;
const MARCA = '\u00ef\u00bb\u00bf';

/** A list that is known, opened at its heading. */
interface Lista {
  tabela: LeiauteDeTabela;
  leiaute: LeiauteCompilado;
  texto: string;
  separador: string;
  codificacao: Codificacao;
  colunas: string[];
  /** Where the heading begins: a title, an empty line or `sep=;` may stand in front of it. */
  inicio: number;
}

/** What a heading may be: nothing of a file that is no list is looked at further. */
const CABECALHO_MAX = 8_000;
const LINHAS_ANTES = 10;

/** The first lines, each with the place of its first letter. */
function primeirasLinhas(head: string): { inicio: number; numero: number; line: string }[] {
  const lines = [...head.matchAll(/[^\r\n]+/g)].slice(0, LINHAS_ANTES);
  return lines.map(({ 0: line, index }) => ({
    inicio: index,
    numero: head.slice(0, index).split(/\r\n|\r|\n/).length,
    line,
  }));
}

interface Cabecalho {
  inicio: number;
  /** From 1. */
  numero: number;
  separador: string;
  titulos: string[];
}

/** The first lines, taken apart at each of the separators. */
function* cabecalhosDe(bytes: Uint8Array): Generator<Cabecalho> {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, CABECALHO_MAX));
  const codificacao = codificacaoDe(bytes);
  for (const { inicio, numero, line } of primeirasLinhas(head.toString('latin1')))
    for (const separador of SEPARADORES) {
      const [first] = linhasDeTabela(line.replace(MARCA, ''), separador);
      const titulos = (first?.campos ?? []).map((campo) => nomeDaColuna(decode(campo, codificacao)));
      yield { inicio, numero, separador, titulos };
    }
}

function abrir(bytes: Uint8Array): Lista | null {
  for (const { inicio, separador, titulos: colunas } of cabecalhosDe(bytes)) {
    const known = COMPILADAS.find(({ tabela }) => hasAll(tabela.colunas, colunas));
    if (!known) continue;
    const texto = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    return { ...known, texto, separador, codificacao: codificacaoDe(bytes), colunas, inicio };
  }
  return null;
}

function hasAll(colunas: readonly string[], titles: readonly string[]): boolean {
  return colunas.every((names) => names.split('|').some((name) => titles.includes(name)));
}

/** A list that is known and lacks columns without which none of its notes can be read: it is named, and what to export. */
function nameIncompleta(bytes: Uint8Array): Peca[] | null {
  for (const { numero, titulos } of cabecalhosDe(bytes)) {
    const known = TABELAS.find(({ parece }) => parece && hasAll(parece, titulos));
    if (!known) continue;
    const mensagem = `É uma lista de NFS-e (${known.leiaute.nome}), mas sem todas as colunas de que uma nota precisa: data, prestador e valor. No site da prefeitura, exporte-a com todas as colunas, ou o XML das NFS-e.`;
    return [refusedRow(numero, reject('nfse_layout_desconhecido', mensagem))];
  }
  return null;
}

/** The row as an element, for the reader of layouts. */
function comoElemento({ colunas, codificacao }: Lista, { campos }: LinhaDeTabela): string {
  return elementoDe(colunas.map((nome, at) => [nome, decode(campos[at] ?? '', codificacao)]));
}

function isNote({ tabela, colunas }: Lista, { campos }: LinhaDeTabela): boolean {
  if (campos.every((campo) => campo.trim() === '')) return false;
  if (!tabela.linhas) return true;
  const kind = campos[colunas.indexOf(tabela.linhas.coluna)]?.trim() ?? '';
  return tabela.linhas.valores.includes(kind);
}

/** The heading and the row: what the row says, it says only by the heading. */
function kept({ texto }: Lista, heading: LinhaDeTabela, linha: LinhaDeTabela): Uint8Array {
  return Buffer.from(
    texto.slice(heading.inicio, heading.fim) + texto.slice(linha.inicio, linha.fim),
    'latin1',
  );
}

/**
 * Reads a list of notes that a portal exported in columns: each row that is a note is a document, kept as the heading and
 * itself.
 *
 * @returns null where the file is no such list
 */
export function lerTabela(file: { bytes: Uint8Array; avisos: readonly string[] }): Peca[] | null {
  const bytes = semUtf16(file.bytes);
  const lista = abrir(bytes);
  if (!lista) return nameIncompleta(bytes);
  const limit = piecesIn(file.bytes.length);
  const pieces: Peca[] = [];
  let heading: LinhaDeTabela | null = null;
  for (const linha of linhasDeTabela(lista.texto, lista.separador)) {
    if (linha.inicio < lista.inicio) continue;
    if (heading === null) heading = linha;
    else if (isNote(lista, linha))
      pieces.push(
        readRow(lista.leiaute, {
          elemento: comoElemento(lista, linha),
          numero: linha.numero,
          bytes: kept(lista, heading, linha),
          codificacao: lista.codificacao,
          avisos: file.avisos,
        }),
      );
    if (pieces.length > limit) return [refusedRow(1, reject('pecas_demais', tooManyText(limit)))];
  }
  return pieces.length > 0 ? pieces : null;
}
