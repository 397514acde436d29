/** Barcodes and QR codes as lines and squares of the page itself: sharp at any size, and no picture to be unpacked. */
import bwipjs from '@bwip-js/node';
import { encode } from 'uqr';

export interface Quadro {
  x: number;
  y: number;
  largura: number;
  altura: number;
}

type Doc = PDFKit.PDFDocument;

/** Clear space on both sides, in widths of the thinnest bar. @fonte ISO/IEC 15417, 4.3.4 */
const CLARO = 10;

/** Code 128, in set C where there are digits, in others where a CNPJ has letters. @fonte MOC NF-e 7.0, Anexo II */
export function drawBarras(doc: Doc, texto: string, { x, y, largura, altura }: Quadro): void {
  const [simbolo] = bwipjs.raw({ bcid: 'code128', text: texto }) as { sbs: number[] }[];
  const faixas = simbolo?.sbs ?? [];
  const modulos = faixas.reduce((soma, uma) => soma + uma, 0) + 2 * CLARO;
  const modulo = largura / modulos;
  let at = x + CLARO * modulo;
  for (const [indice, faixa] of faixas.entries()) {
    if (indice % 2 === 0) doc.rect(at, y, faixa * modulo, altura);
    at += faixa * modulo;
  }
  doc.fill('black');
}

/** A square as large as its place, with the clear space that the code needs around it. @fonte ISO/IEC 18004 */
export function drawQr(doc: Doc, texto: string, { x, y, largura, altura }: Quadro): void {
  const { data } = encode(texto, { ecc: 'M', border: 2 });
  const lado = Math.min(largura, altura);
  const modulo = lado / data.length;
  const [left, top] = [x + (largura - lado) / 2, y + (altura - lado) / 2];
  for (const [linha, pontos] of data.entries())
    for (let de = 0; de < pontos.length; de++) {
      if (!pontos[de]) continue;
      let ate = de;
      while (pontos[ate + 1]) ate++;
      doc.rect(left + de * modulo, top + linha * modulo, (ate - de + 1) * modulo, modulo);
      de = ate;
    }
  doc.fill('black');
}
