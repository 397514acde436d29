/**
 * Letters of the fonts that every reader of PDF has, and how wide they are: what fits a line is worked out here, without
 * the layout of pdfkit, which takes much longer.
 */
import PDFDocument from 'pdfkit';

export type Familia = 'Times' | 'Helvetica';

export interface Fonte {
  familia: Familia;
  negrito?: boolean | undefined;
}

const NOMES: Readonly<Record<Familia, readonly [normal: string, negrito: string]>> = {
  Times: ['Times-Roman', 'Times-Bold'],
  Helvetica: ['Helvetica', 'Helvetica-Bold'],
};

export const nomeDaFonte = ({ familia, negrito = false }: Fonte): string => NOMES[familia][negrito ? 1 : 0];

/** Height of a line, by the size of its letters. */
export const ENTRELINHA = 1.12;

/** Letters beyond Latin 1 that the fonts have all the same (WinAnsiEncoding). */
const MAIS = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
const FORA = new RegExp(`[^\\u0020-\\u007e\\u00a0-\\u00ff${MAIS}]`, 'gu');

/** A text of one line in letters that the fonts have: all of Portuguese; others become a question mark. */
export function imprimivel(texto: string): string {
  const semControle = texto.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  return semControle.search(FORA) < 0 ? semControle : semControle.normalize('NFC').replaceAll(FORA, '?');
}

const larguras = new Map<string, Map<string, number>>();

/** Width of each letter at size 1. */
function largurasDe(fonte: string): Map<string, number> {
  const conhecidas = larguras.get(fonte);
  if (conhecidas) return conhecidas;
  const doc = new PDFDocument({ autoFirstPage: false }).font(fonte).fontSize(1);
  const todas = [...Array.from({ length: 224 }, (_, at) => String.fromCharCode(at + 32)), ...MAIS];
  const medidas = new Map(todas.map((letra) => [letra, doc.widthOfString(letra)]));
  larguras.set(fonte, medidas);
  return medidas;
}

/** Points that a printable text takes in one line; kerning makes it a little shorter, never longer. */
export function larguraDe(texto: string, fonte: Fonte, tamanho: number): number {
  const letras = largurasDe(nomeDaFonte(fonte));
  let soma = 0;
  for (const letra of texto) soma += letras.get(letra) ?? 0.6;
  return soma * tamanho;
}

/** Lines of a text, broken between words, and inside a word that no line holds. Its own line ends are kept. */
export function quebrar(
  texto: string,
  { fonte, tamanho, largura }: { fonte: Fonte; tamanho: number; largura: number },
): string[] {
  const linhas: string[] = [];
  for (const paragrafo of texto.split(/\r\n|\r|\n/)) {
    let linha = '';
    let usada = 0;
    for (const palavra of imprimivel(paragrafo).split(' ').filter(Boolean)) {
      for (const parte of partesQueCabem(palavra, { fonte, tamanho, largura })) {
        const propria = larguraDe(parte, fonte, tamanho);
        const espaco = linha === '' ? 0 : larguraDe(' ', fonte, tamanho);
        if (linha !== '' && usada + espaco + propria > largura) {
          linhas.push(linha);
          [linha, usada] = [parte, propria];
        } else {
          linha = linha === '' ? parte : `${linha} ${parte}`;
          usada += espaco + propria;
        }
      }
    }
    linhas.push(linha);
  }
  return linhas;
}

/** A word, in pieces of which each fits a line. */
function partesQueCabem(
  palavra: string,
  { fonte, tamanho, largura }: { fonte: Fonte; tamanho: number; largura: number },
): string[] {
  if (larguraDe(palavra, fonte, tamanho) <= largura) return [palavra];
  const partes: string[] = [];
  let parte = '';
  let usada = 0;
  for (const letra of palavra) {
    const propria = larguraDe(letra, fonte, tamanho);
    if (parte !== '' && usada + propria > largura) {
      partes.push(parte);
      [parte, usada] = ['', 0];
    }
    parte += letra;
    usada += propria;
  }
  return [...partes, parte];
}

export interface Ajuste {
  linhas: string[];
  tamanho: number;
  /** Not all of it is there: the last line ends in `…`. */
  cortado: boolean;
}

const PASSO = 0.5;
/** The narrowest letters, by the size of the font. */
const MAIS_ESTREITA = 0.2;

/** A text as large as its place allows: first in smaller letters, then in more lines, at last cut, which it says. */
export function ajustar(
  texto: string,
  onde: { fonte: Fonte; largura: number; altura: number; tamanho: number; minimo: number },
): Ajuste {
  const { fonte, largura, altura, minimo } = onde;
  const cabem = (tamanho: number) => Math.max(1, Math.floor((altura + 0.5) / (tamanho * ENTRELINHA)));
  const capacidade = Math.ceil((cabem(minimo) + 1) * (largura / (minimo * MAIS_ESTREITA)));
  const escrito = texto.slice(0, capacidade);
  let tamanho = onde.tamanho;
  for (; ; tamanho = Math.max(minimo, tamanho - PASSO)) {
    const linhas = quebrar(escrito, { fonte, tamanho, largura });
    if (linhas.length <= cabem(tamanho) && escrito.length === texto.length)
      return { linhas, tamanho, cortado: false };
    if (tamanho <= minimo) {
      const ficam = linhas.slice(0, cabem(tamanho));
      ficam[ficam.length - 1] = comReticencias(ficam.at(-1) ?? '', { fonte, tamanho, largura });
      return { linhas: ficam, tamanho, cortado: true };
    }
  }
}

function comReticencias(
  linha: string,
  { fonte, tamanho, largura }: { fonte: Fonte; tamanho: number; largura: number },
): string {
  let fica = linha;
  while (fica !== '' && larguraDe(`${fica}…`, fonte, tamanho) > largura) fica = fica.slice(0, -1);
  return `${fica}…`;
}
