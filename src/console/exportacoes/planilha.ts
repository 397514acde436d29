/** Tables of documents: a spreadsheet or CSV, written row by row. No total rows: who reads them adds for himself. */
import { Readable } from 'node:stream';
import type { Documento } from '../documentos/apresentar.ts';
import { BOM, COLUNAS, inofensivo, linhaCsv } from './colunas.ts';

/** Rows of a sheet with its header, as Excel has them at most. @fonte ECMA-376, Excel specifications and limits */
const LINHAS_POR_ABA = 1_048_576;

const EXCEL_FORMAT = { texto: '@', moeda: '#,##0.00', data: 'dd/mm/yyyy hh:mm', inteiro: '0' } as const;

/** Bytes of an .xlsx file. Text stays text: no cell is a formula, no key becomes a number. */
export async function planilha(paginas: AsyncIterable<Documento[]>): Promise<Readable> {
  // Loaded with the first spreadsheet: few processes ever write one, and every start would pay for it.
  const { writeXlsxStream } = await import('hucre/xlsx');
  const stream = writeXlsxStream(linhas(paginas), {
    name: 'Documentos',
    columns: COLUNAS.map(({ titulo, tipo }) => ({
      header: titulo,
      width: tipo === 'texto' ? 20 : 16,
      style: { numFmt: EXCEL_FORMAT[tipo] },
    })),
    freezePane: { rows: 1 },
    maxRowsPerSheet: LINHAS_POR_ABA,
    zip64: true,
  });
  return Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
}

async function* linhas(paginas: AsyncIterable<Documento[]>) {
  for await (const pagina of paginas) {
    for (const documento of pagina) {
      yield COLUNAS.map(({ tipo, valor }) => {
        const value = valor(documento);
        if (value === null || typeof value === 'number') return value;
        return tipo === 'data' ? localTime(value) : inofensivo(value).slice(0, TEXTO_MAX);
      });
    }
  }
}

/** What a cell of Excel holds. */
const TEXTO_MAX = 32_000;

/** The wall clock of the document: spreadsheets know no offsets. */
function localTime(iso: string): Date {
  return new Date(`${iso.slice(0, 19)}Z`);
}

/** Text of a CSV file. */
export function csv(paginas: AsyncIterable<Documento[]>): Readable {
  return Readable.from(pedacos(paginas));
}

async function* pedacos(paginas: AsyncIterable<Documento[]>): AsyncGenerator<string> {
  yield BOM + linhaCsv(COLUNAS.map(({ titulo }) => titulo));
  for await (const pagina of paginas) {
    yield pagina.map((documento) => linhaCsv(COLUNAS.map(({ valor }) => valor(documento)))).join('');
  }
}
