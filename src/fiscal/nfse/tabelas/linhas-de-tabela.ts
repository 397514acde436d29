/** Rows of a text in columns, with the bytes that each of them is. */

export interface LinhaDeTabela {
  /** From 1, as people count lines; a row with breaks in quotes counts from its first. */
  numero: number;
  /** Each letter is one byte. */
  campos: string[];
  inicio: number;
  fim: number;
}

/** No export has a fifth of these columns. */
const MAX_COLUNAS = 300;

/**
 * Takes a text apart into rows. Quotes hold separators and breaks; two of them in quotes are one.
 *
 * @param texto bytes as letters (`latin1`) @param separador one letter
 */
export function* linhasDeTabela(texto: string, separador: string): Generator<LinhaDeTabela> {
  let at = 0;
  let numero = 1;
  while (at < texto.length) {
    const linha: LinhaDeTabela = { numero, campos: [], inicio: at, fim: at };
    for (;;) {
      const { campo, fim } = readCampo(texto, at, separador);
      if (linha.campos.length < MAX_COLUNAS) linha.campos.push(campo);
      at = fim;
      if (texto[at] !== separador) break;
      at++;
    }
    if (texto[at] === '\r') at++;
    if (texto[at] === '\n') at++;
    linha.fim = at;
    numero += texto.slice(linha.inicio, linha.fim).split(/\r\n|\r|\n/).length - 1;
    yield linha;
  }
}

function readCampo(texto: string, start: number, separador: string): { campo: string; fim: number } {
  if (texto[start] !== '"') {
    let fim = start;
    while (fim < texto.length && texto[fim] !== separador && texto[fim] !== '\n' && texto[fim] !== '\r')
      fim++;
    return { campo: texto.slice(start, fim), fim };
  }
  const parts: string[] = [];
  let at = start + 1;
  for (;;) {
    const quote = texto.indexOf('"', at);
    if (quote < 0) return { campo: parts.join('') + texto.slice(at), fim: texto.length };
    parts.push(texto.slice(at, quote));
    if (texto[quote + 1] !== '"') {
      at = quote + 1;
      break;
    }
    parts.push('"');
    at = quote + 2;
  }
  let fim = at;
  while (fim < texto.length && texto[fim] !== separador && texto[fim] !== '\n' && texto[fim] !== '\r') fim++;
  return { campo: parts.join('') + texto.slice(at, fim), fim };
}
