/**
 * The paper that every sheet is drawn on: pages with margins, texts that shrink and break until they fit, frames with
 * captions, codes, and at the end numbers of pages and marks across all of them. Measures are in points (1/72 inch).
 */
import PDFDocument from 'pdfkit';
import { drawBarras, drawQr, type Quadro } from './codigos-impressos.ts';
import { type Ajuste, ajustar, ENTRELINHA, type Familia, imprimivel, nomeDaFonte } from './letras.ts';

export type { Quadro } from './codigos-impressos.ts';

export const mm = (milimetros: number): number => (milimetros * 72) / 25.4;

export const A4: readonly [number, number] = [mm(210), mm(297)];
/** Printers reach everything inside of it. */
const MARGEM = mm(10);

export type Alinhamento = 'left' | 'center' | 'right';

export interface Escrita {
  tamanho?: number;
  /** The smallest that it may become. */
  minimo?: number;
  negrito?: boolean;
  alinha?: Alinhamento;
  cor?: string;
  /** In the middle of its place, not at its top. */
  meio?: boolean;
}

export interface Campo extends Escrita {
  /** The caption. '' for none. */
  rotulo: string;
  valor: string;
  /** Its share of the width of a row. */
  parte?: number;
}

export interface Marca {
  texto: string;
  cor: string;
  tamanho: number;
}

const TAMANHO = 9;
const MINIMO = 5;
const ROTULO = 5.5;
const PAD = 2.5;
const TRACO = 0.5;
/** Size of a mark, by the shorter side of its page. */
const MARCA_MAX = 0.16;
/** Above the letters of a line, by their size: they stand in its middle. */
const ACIMA = 0.14;

export class Papel {
  readonly doc: PDFKit.PDFDocument;
  readonly familia: Familia;
  readonly margem: number;
  /** Where rows begin, and how wide they are; a sheet may give up a strip of its page. */
  esquerda: number;
  largura: number;
  /** Values that had to be cut, with their captions: a sheet tells them in full elsewhere. */
  readonly sobras: { rotulo: string; valor: string }[] = [];
  readonly #pedacos: Buffer[] = [];

  constructor(input: {
    titulo: string;
    familia: Familia;
    /** Width and height of a page. */
    folha?: readonly [number, number];
    margem?: number;
  }) {
    const { titulo, familia, folha = A4, margem = MARGEM } = input;
    this.familia = familia;
    this.margem = margem;
    this.doc = new PDFDocument({
      size: [...folha] as [number, number],
      margin: 0,
      bufferPages: true,
      info: { Title: imprimivel(titulo), Creator: 'Malote' },
    });
    this.doc.on('data', (pedaco: Buffer) => this.#pedacos.push(pedaco));
    this.esquerda = margem;
    this.largura = this.doc.page.width - 2 * margem;
  }

  get topo(): number {
    return this.margem;
  }

  /** Where the last row of a page has to end. */
  get fim(): number {
    return this.doc.page.height - this.margem;
  }

  get paginas(): number {
    return this.doc.bufferedPageRange().count;
  }

  novaPagina(folha?: readonly [number, number]): void {
    this.doc.addPage(folha ? { size: [...folha] as [number, number], margin: 0 } : undefined);
  }

  /** A text inside of a place. @returns what became of it */
  texto(valor: string, onde: Quadro, escrita: Escrita = {}): Ajuste {
    const { tamanho = TAMANHO, minimo = Math.min(MINIMO, tamanho), negrito, meio = false } = escrita;
    const fonte = { familia: this.familia, negrito };
    const ajuste = ajustar(valor, { fonte, largura: onde.largura, altura: onde.altura, tamanho, minimo });
    const alto = ajuste.linhas.length * ajuste.tamanho * ENTRELINHA;
    this.linhas(
      ajuste,
      { ...onde, y: meio ? onde.y + Math.max(0, (onde.altura - alto) / 2) : onde.y },
      escrita,
    );
    return ajuste;
  }

  /** Lines that were measured before. */
  linhas(
    { linhas, tamanho }: Pick<Ajuste, 'linhas' | 'tamanho'>,
    { x, y, largura }: Pick<Quadro, 'x' | 'y' | 'largura'>,
    { negrito, alinha = 'left', cor = 'black' }: Escrita = {},
  ): void {
    const { doc } = this;
    doc
      .font(nomeDaFonte({ familia: this.familia, negrito }))
      .fontSize(tamanho)
      .fillColor(cor);
    for (const [at, linha] of linhas.entries()) {
      if (linha === '') continue;
      const livre = alinha === 'left' ? 0 : largura - doc.widthOfString(linha);
      const left = x + (alinha === 'center' ? livre / 2 : livre);
      doc.text(linha, left, y + (at * ENTRELINHA + ACIMA) * tamanho, { lineBreak: false });
    }
  }

  moldura({ x, y, largura, altura }: Quadro): void {
    this.doc.lineWidth(TRACO).strokeColor('black').rect(x, y, largura, altura).stroke();
  }

  /** A shade behind what is written afterwards. */
  fundo({ x, y, largura, altura }: Quadro, cor: string): void {
    this.doc.rect(x, y, largura, altura).fill(cor);
  }

  traco(de: readonly [number, number], ate: readonly [number, number], tracejado = false): void {
    const { doc } = this;
    doc.lineWidth(TRACO).strokeColor(tracejado ? '#aaaaaa' : 'black');
    if (tracejado) doc.dash(3, { space: 2 });
    doc
      .moveTo(...de)
      .lineTo(...ate)
      .stroke();
    if (tracejado) doc.undash();
  }

  /** A frame with its caption above its value. What does not fit is kept in `sobras`. */
  caixa(onde: Quadro, { rotulo, valor, ...escrita }: Campo): void {
    const { x, y, largura, altura } = onde;
    this.moldura(onde);
    const dentro = largura - 2 * PAD;
    const acima = rotulo === '' ? PAD : ROTULO + 2.5;
    if (rotulo !== '')
      this.texto(
        rotulo.toLocaleUpperCase('pt-BR'),
        { x: x + PAD, y: y + 1, largura: dentro, altura: ROTULO + 1 },
        { tamanho: ROTULO, minimo: 4 },
      );
    const { cortado } = this.texto(
      valor,
      { x: x + PAD, y: y + acima, largura: dentro, altura: altura - acima - 1 },
      { ...escrita, meio: true },
    );
    if (cortado) this.sobras.push({ rotulo, valor });
  }

  /** Frames side by side, by their shares of a width. @returns where the next row begins */
  fila(
    y: number,
    campos: readonly Campo[],
    onde: { altura?: number; x?: number; largura?: number } = {},
  ): number {
    const { altura = 20, x = this.esquerda, largura = this.largura } = onde;
    const partes = campos.reduce((soma, { parte = 1 }) => soma + parte, 0);
    let left = x;
    for (const campo of campos) {
      const propria = (largura * (campo.parte ?? 1)) / partes;
      this.caixa({ x: left, y, largura: propria, altura }, campo);
      left += propria;
    }
    return y + altura;
  }

  /** The title of a block of rows. @returns where its first row begins */
  titulo(y: number, texto: string): number {
    const { esquerda: x, largura } = this;
    const maiusculo = texto.toLocaleUpperCase('pt-BR');
    this.texto(maiusculo, { x, y: y + 2, largura, altura: 8 }, { tamanho: 6.5, negrito: true });
    return y + 10;
  }

  barras(texto: string, onde: Quadro): void {
    drawBarras(this.doc, texto, onde);
  }

  qr(texto: string, onde: Quadro): void {
    drawQr(this.doc, texto, onde);
  }

  /**
   * Goes through all pages, writes what only now is known on each, and the marks across it.
   * @returns the whole file
   */
  acabar(input: {
    marcas: readonly Marca[];
    emCada?: (pagina: number, de: number) => void;
  }): Promise<Uint8Array> {
    const { start, count } = this.doc.bufferedPageRange();
    for (let at = 0; at < count; at++) {
      this.doc.switchToPage(start + at);
      input.emCada?.(at + 1, count);
      this.#atravessar(input.marcas);
    }
    return new Promise((resolve, reject) => {
      this.doc.on('error', reject);
      this.doc.on('end', () => resolve(new Uint8Array(Buffer.concat(this.#pedacos))));
      this.doc.end();
    });
  }

  /** From one corner to the other, as large as the page allows; on a long slip again and again. */
  #atravessar(marcas: readonly Marca[]): void {
    const { doc } = this;
    const { height } = doc.page;
    const vezes = Math.max(1, Math.floor(height / A4[1]));
    for (let vez = 0; vez < vezes; vez++) this.#marcar(marcas, (height * (vez + 0.5)) / vezes);
    doc.fillOpacity(1);
  }

  #marcar(marcas: readonly Marca[], meio: number): void {
    const { doc } = this;
    const { width, height } = doc.page;
    // Beside the middle the way from edge to edge is shorter.
    const diagonal = Math.min(Math.hypot(width, height) * 0.8, 1.45 * width) * (marcas.length > 1 ? 0.75 : 1);
    const maior = Math.min(width, height) * MARCA_MAX;
    doc.font('Helvetica-Bold').fillOpacity(0.25);
    const escritas = marcas.map(({ texto, cor, tamanho }) => {
      const largura = doc.fontSize(tamanho).widthOfString(texto);
      return { texto, cor, tamanho: Math.min(tamanho, maior, (tamanho * diagonal) / largura) };
    });
    let y = meio - escritas.reduce((soma, { tamanho }) => soma + tamanho * ENTRELINHA, 0) / 2;
    doc.save();
    doc.rotate(width > height ? -30 : -50, { origin: [width / 2, meio] });
    for (const { texto, cor, tamanho } of escritas) {
      doc.fontSize(tamanho).fillColor(cor);
      doc.text(texto, (width - doc.widthOfString(texto)) / 2, y, { lineBreak: false });
      y += tamanho * ENTRELINHA;
    }
    doc.restore();
  }
}
