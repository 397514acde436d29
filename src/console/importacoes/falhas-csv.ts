/** Open failures as a table that spreadsheets open: for who asks suppliers for what is missing. */
import type { Db } from '../../banco/tabelas.ts';
import { type Falha, listAbertas } from './falhas.ts';

const POR_VEZ = 500;
/** What begins like this would be run by a spreadsheet. */
const FORMULA = /^[=+\-@\t\r]/;

type FalhaAberta = Omit<Falha, 'lugar'>;

const COLUNAS: readonly [titulo: string, valor: (falha: FalhaAberta) => string | null][] = [
  ['Arquivo', ({ arquivo }) => arquivo.nome],
  ['Recebido em', ({ em }) => diaBrasileiro(em)],
  ['No arquivo', ({ caminho }) => caminho],
  ['Espécie', ({ especie }) => especie],
  ['Chave', ({ chave }) => emGrupos(chave)],
  ['Problema', ({ mensagem }) => mensagem],
  ['Causa', ({ causa }) => causa],
  ['O que fazer', ({ remedio }) => remedio],
  ['Código', ({ codigo }) => codigo],
];

export const TITULOS: readonly string[] = COLUNAS.map(([titulo]) => titulo);

/** Its cells, in the order of `TITULOS`. */
export const celulasDaFalha = (falha: FalhaAberta) => COLUNAS.map(([, valor]) => valor(falha) ?? '');

/** Lines with `;` and CRLF, as spreadsheets of Brazil expect them. */
export async function* csvDasFalhas(
  db: Db,
  escopo: { contadorId: number; agora: number },
): AsyncGenerator<string> {
  yield `\ufeff${line(TITULOS)}`;
  for await (const falhas of paginasDasFalhas(db, escopo))
    yield falhas.map((falha) => line(celulasDaFalha(falha))).join('');
}

/** All that is open, page after page. */
export async function* paginasDasFalhas(
  db: Db,
  escopo: { contadorId: number; agora: number },
): AsyncGenerator<readonly FalhaAberta[]> {
  for (let pulando: number | null = 0; pulando !== null; ) {
    const { itens, proximo }: Awaited<ReturnType<typeof listAbertas>> = await listAbertas(db, {
      ...escopo,
      codigo: null,
      pulando,
      tamanho: POR_VEZ,
    });
    yield itens;
    pulando = proximo === null ? null : Number(proximo);
  }
}

const line = (cells: readonly string[]) => `${cells.map(cell).join(';')}\r\n`;

function cell(text: string): string {
  const flat = text.replaceAll(/[\r\n]+/g, ' ');
  const safe = FORMULA.test(flat) ? `'${flat}` : flat;
  return /[";]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** In groups of four it stays a text: of forty digits a spreadsheet keeps fifteen. */
const emGrupos = (chave: string | null) => chave && (chave.match(/.{1,4}/g)?.join(' ') ?? chave);

/** `2026-03-09T…` → `09/03/2026`. */
const diaBrasileiro = (iso: string) => iso.slice(0, 10).split('-').reverse().join('/');
