/**
 * A table that goes on over pages, with its head on each. A record takes one row, or several of columns of their own;
 * rows are as high as their texts need, and one that no page holds goes on over the next.
 */
import { type Ajuste, ajustar, ENTRELINHA, quebrar } from './letras.ts';
import type { Alinhamento, Papel } from './papel.ts';

export interface Coluna {
  titulo: string;
  /** Its share of the width. */
  parte: number;
  alinha?: Alinhamento;
  /** Numbers and codes: in one line, in smaller letters where they must. */
  numaLinha?: boolean;
}

/** Where the table begins on a page, and where it has to end. */
interface Espaco {
  y: number;
  fim: number;
}

type Celula = Pick<Ajuste, 'linhas' | 'tamanho'>;

const PAD = 2;
const TITULO = 5;
const CABECA = 13;
const MINIMO = 4;
const SOMBRA = '#efefef';
/** Lines that a number may take, when it is too long even in the smallest letters. */
const LINHAS_DE_NUMERO = 3;

export class Tabela {
  readonly #papel: Papel;
  readonly #fileiras: readonly (readonly Coluna[])[];
  readonly #tamanho: number;
  readonly #seguinte: () => Espaco;
  #espaco: Espaco;
  #inicio = 0;
  #y = 0;

  /**
   * @param input.fileiras the rows of a record, by their columns
   * @param input.seguinte makes the next page, and says what there is of it
   */
  constructor(
    papel: Papel,
    input: {
      fileiras: readonly (readonly Coluna[])[];
      espaco: Espaco;
      seguinte: () => Espaco;
      tamanho?: number;
    },
  ) {
    this.#papel = papel;
    this.#fileiras = input.fileiras;
    this.#tamanho = input.tamanho ?? 6.5;
    this.#seguinte = input.seguinte;
    this.#espaco = input.espaco;
    this.#abrir();
  }

  /** @param valores by rows, then by columns */
  registro(valores: readonly (readonly string[])[]): void {
    const fileiras = this.#fileiras.map((colunas, at) => this.#celulas(colunas, valores[at] ?? []));
    const altura = fileiras.reduce((soma, celulas) => soma + this.#altura(celulas), 0);
    const cheia = this.#espaco.fim - this.#inicio;
    if (this.#y + altura > this.#espaco.fim && (altura <= cheia || this.#y > this.#inicio)) this.#virar();
    for (const [at, celulas] of fileiras.entries()) this.#fileira(this.#fileiras[at] ?? [], celulas);
    const { esquerda, largura } = this.#papel;
    this.#papel.traco([esquerda, this.#y], [esquerda + largura, this.#y], true);
  }

  /** @param ateOFim whether its frame goes down to where it may end. @returns where what follows begins */
  fechar(ateOFim: boolean): number {
    const fim = ateOFim ? Math.max(this.#espaco.fim, this.#y) : this.#y;
    this.#verticais(this.#fileiras[0] ?? [], this.#y, fim);
    const { esquerda: x, largura } = this.#papel;
    this.#papel.moldura({ x, y: this.#espaco.y, largura, altura: fim - this.#espaco.y });
    return fim;
  }

  #abrir(): void {
    this.#y = this.#espaco.y;
    for (const [at, colunas] of this.#fileiras.entries()) {
      if (at > 0) this.#sombra(CABECA);
      for (const { coluna, x, largura } of this.#lugares(colunas))
        this.#papel.texto(
          coluna.titulo.toLocaleUpperCase('pt-BR'),
          { x: x + 1, y: this.#y, largura: largura - 2, altura: CABECA },
          { tamanho: TITULO, minimo: 3.5, alinha: 'center', meio: true },
        );
      this.#verticais(colunas, this.#y, this.#y + CABECA);
      this.#y += CABECA;
    }
    const { esquerda, largura } = this.#papel;
    this.#papel.traco([esquerda, this.#y], [esquerda + largura, this.#y]);
    this.#inicio = this.#y;
  }

  #virar(): void {
    this.fechar(true);
    this.#espaco = this.#seguinte();
    this.#abrir();
  }

  /** Draws one row, over as many pages as it needs. */
  #fileira(colunas: readonly Coluna[], celulas: readonly Celula[]): void {
    let resto = celulas;
    while (this.#y + this.#altura(resto) > this.#espaco.fim) {
      const cabem = Math.floor((this.#espaco.fim - this.#y - 2 * PAD) / this.#passo());
      if (cabem > 0)
        this.#escrever(
          colunas,
          resto.map((uma) => ({ ...uma, linhas: uma.linhas.slice(0, cabem) })),
        );
      resto = resto.map((uma) => ({ ...uma, linhas: uma.linhas.slice(Math.max(0, cabem)) }));
      this.#virar();
    }
    this.#escrever(colunas, resto);
  }

  /** Rows behind the first of a record stand on a shade. */
  #sombra(altura: number): void {
    const { esquerda: x, largura } = this.#papel;
    this.#papel.fundo({ x, y: this.#y, largura, altura }, SOMBRA);
  }

  #escrever(colunas: readonly Coluna[], celulas: readonly Celula[]): void {
    const altura = this.#altura(celulas);
    if (colunas !== this.#fileiras[0]) this.#sombra(altura);
    for (const [at, { coluna, x, largura }] of this.#lugares(colunas).entries()) {
      const { alinha = 'left' } = coluna;
      const onde = { x: x + PAD, y: this.#y + PAD, largura: largura - 2 * PAD };
      this.#papel.linhas(celulas[at] ?? { linhas: [], tamanho: this.#tamanho }, onde, { alinha });
    }
    this.#verticais(colunas, this.#y, this.#y + altura);
    this.#y += altura;
  }

  #celulas(colunas: readonly Coluna[], valores: readonly string[]): Celula[] {
    const fonte = { familia: this.#papel.familia };
    return this.#lugares(colunas).map(({ coluna, largura }, at) => {
      const valor = valores[at] ?? '';
      const dentro = { fonte, largura: largura - 2 * PAD, tamanho: this.#tamanho };
      if (!coluna.numaLinha) return { linhas: quebrar(valor, dentro), tamanho: this.#tamanho };
      const umaLinha = ajustar(valor, { ...dentro, altura: MINIMO, minimo: MINIMO });
      if (!umaLinha.cortado) return umaLinha;
      return ajustar(valor, { ...dentro, altura: LINHAS_DE_NUMERO * MINIMO * ENTRELINHA, minimo: MINIMO });
    });
  }

  #passo(): number {
    return this.#tamanho * ENTRELINHA;
  }

  #altura(celulas: readonly Celula[]): number {
    const linhas = celulas.reduce((mais, { linhas }) => Math.max(mais, linhas.length), 1);
    return linhas * this.#passo() + 2 * PAD;
  }

  #lugares(colunas: readonly Coluna[]): { coluna: Coluna; x: number; largura: number }[] {
    const partes = colunas.reduce((soma, { parte }) => soma + parte, 0);
    let x = this.#papel.esquerda;
    return colunas.map((coluna) => {
      const largura = (this.#papel.largura * coluna.parte) / partes;
      const lugar = { coluna, x, largura };
      x += largura;
      return lugar;
    });
  }

  #verticais(colunas: readonly Coluna[], de: number, ate: number): void {
    if (ate <= de) return;
    for (const { x } of this.#lugares(colunas).slice(1)) this.#papel.traco([x, de], [x, ate]);
  }
}
