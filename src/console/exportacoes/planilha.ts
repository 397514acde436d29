/** Tables of documents: a workbook with documents, items, events and sums, or the documents as CSV; written row by row. */
import { Readable } from 'node:stream';
import { BOM, type Celula, type Coluna, celulaCsv, linhaCsv } from './celulas.ts';
import {
  COLUNAS_DE_DOCUMENTOS,
  COLUNAS_DE_EVENTOS,
  COLUNAS_DE_ITENS,
  CONTA_NA_SOMA,
} from './colunas-da-planilha.ts';
import type { DescricaoDoPedido } from './leia-me.ts';
import type { LinhaDeDocumento, PaginaDeLinhas } from './linhas.ts';
import { COLUNAS_DOS_TOTAIS, Totais, VISIVEL } from './totais.ts';
import { Aba, type ColunaDaAba, type Formula, letra, writeLivro } from './xlsx.ts';

/** Text of a CSV file, one row for each document and client. */
export function csv(paginas: AsyncIterable<PaginaDeLinhas>): Readable {
  return Readable.from(pedacos(paginas));
}

async function* pedacos(paginas: AsyncIterable<PaginaDeLinhas>): AsyncGenerator<string> {
  yield BOM + linhaCsv(COLUNAS_DE_DOCUMENTOS.map(({ titulo }) => titulo));
  for await (const { documentos } of paginas)
    yield documentos
      .map((linha) => linhaCsv(COLUNAS_DE_DOCUMENTOS.map((coluna) => celulaCsv(coluna, linha))))
      .join('');
}

interface PlanilhaInput {
  paginas: AsyncIterable<PaginaDeLinhas>;
  descricao: DescricaoDoPedido;
  /** Where something with this name may grow; whoever asked removes all of them. */
  rascunho(nome: string): string;
}

/** Writes a workbook into a stream. @throws what a page, the disk or the stream breaks with */
export async function writePlanilha(out: NodeJS.WritableStream, input: PlanilhaInput): Promise<void> {
  const livro = new Livro(input);
  try {
    for await (const pagina of input.paginas) await livro.add(pagina);
    await writeLivro(out, await livro.end());
  } finally {
    livro.destroy();
  }
}

const COLUNAS_DA_ABA: readonly ColunaDaAba[] = [
  ...COLUNAS_DE_DOCUMENTOS,
  { titulo: VISIVEL, tipo: 'inteiro' },
];
const LETRA_DE_VISIVEL = letra(COLUNAS_DE_DOCUMENTOS.length);
const LETRA_DE_CONTA = letra(COLUNAS_DE_DOCUMENTOS.findIndex(({ titulo }) => titulo === CONTA_NA_SOMA));

class Livro {
  readonly #input: PlanilhaInput;
  readonly #totais = new Totais();
  readonly #documentos: Aba;
  readonly #itens: Aba[];
  readonly #eventos: Aba[];
  #somas: Aba | null = null;
  /** Rows of the document that was written last: its other clients' rows follow right behind. */
  #mesmoDocumento: number[] = [];

  constructor(input: PlanilhaInput) {
    this.#input = input;
    this.#documentos = this.#aba('Documentos', COLUNAS_DA_ABA);
    this.#itens = [this.#aba('Itens', COLUNAS_DE_ITENS)];
    this.#eventos = [this.#aba('Eventos', COLUNAS_DE_EVENTOS)];
  }

  async add({ documentos, eventos }: PaginaDeLinhas): Promise<void> {
    for (const linha of documentos) {
      this.#totais.add(linha);
      await this.#documento(linha);
      for (const item of linha.valores?.itens ?? [])
        await (await this.#comLugar(this.#itens, COLUNAS_DE_ITENS)).add(
          celulas(COLUNAS_DE_ITENS, { ...linha, item }),
        );
    }
    for (const evento of eventos)
      await (await this.#comLugar(this.#eventos, COLUNAS_DE_EVENTOS)).add(
        celulas(COLUNAS_DE_EVENTOS, evento),
      );
  }

  /** @returns the sheets in their order, ended */
  async end(): Promise<Aba[]> {
    this.#somas = this.#aba('Totais', COLUNAS_DOS_TOTAIS, { comFiltro: false });
    const { descricao } = this.#input;
    await this.#totais.write(this.#somas, { documentos: this.#documentos, descricao });
    const abas = [this.#documentos, ...this.#itens, ...this.#eventos, this.#somas];
    // Those that were full are ended already.
    for (const aba of [this.#documentos, this.#itens.at(-1), this.#eventos.at(-1), this.#somas])
      await aba?.end();
    return abas;
  }

  destroy(): void {
    for (const aba of [this.#documentos, ...this.#itens, ...this.#eventos, this.#somas]) aba?.destroy();
  }

  /**
   * A row of documents: whether the filter shows it, and whether it is to be added. Of several rows of one document the first
   * that is shown is added.
   */
  async #documento(linha: LinhaDeDocumento): Promise<void> {
    const aba = this.#documentos;
    const numero = aba.linhas + 1;
    if (linha.conta) this.#mesmoDocumento = [];
    const contadas = this.#mesmoDocumento.map((outra) => `-${LETRA_DE_CONTA}${outra}`).join('');
    this.#mesmoDocumento.push(numero);
    const visivel = `${LETRA_DE_VISIVEL}${numero}`;
    const conta: Formula = {
      formula: contadas === '' ? visivel : `${visivel}*(1${contadas})`,
      valor: linha.conta ? 1 : 0,
    };
    const valores = celulas(COLUNAS_DE_DOCUMENTOS, linha).with(-1, conta);
    await aba.add([...valores, { formula: `SUBTOTAL(103,A${numero})`, valor: 1 }]);
  }

  /** The sheet that takes the next row: another one when the last is full. */
  async #comLugar(abas: Aba[], colunas: readonly ColunaDaAba[]): Promise<Aba> {
    const last = abas.at(-1);
    if (last && !last.cheia) return last;
    await last?.end();
    const next = this.#aba(`${abas[0]?.nome} ${abas.length + 1}`, colunas);
    abas.push(next);
    return next;
  }

  #aba(nome: string, colunas: readonly ColunaDaAba[], { comFiltro = true } = {}): Aba {
    const path = this.#input.rascunho(`${nome.toLowerCase().replace(' ', '-')}.gz`);
    return new Aba({ nome, path, colunas, comFiltro });
  }
}

function celulas<Linha>(colunas: readonly Coluna<Linha>[], linha: Linha): (Celula | Formula)[] {
  return colunas.map(({ valor }) => valor(linha));
}
