/** The DACTE of a CT-e of any modal, and of a CT-e OS, on as many pages as the documents that travel need. @fonte MOC CT-e 4.00, Anexo II */
import type { DadosDoDacte } from '../../dacte-dados.ts';
import { ENTRELINHA, quebrar } from '../base/letras.ts';
import { Papel } from '../base/papel.ts';
import { type Coluna, Tabela } from '../base/tabela.ts';
import { type ContextoDoPdf, marcasDe } from '../marcas.ts';
import { cabecalho, canhoto, type LugarDaFolha, nomeDaFolha } from './cabecalho.ts';
import { alturaDoModal, carga, modal, partes, prestacao, valores } from './quadros.ts';

const LETRA = 7;
const PASSO = LETRA * ENTRELINHA;
/** Title of the remarks, and the edges of their frame. */
const EM_VOLTA = 10 + 6;
/** Lines of remarks on the first page; more follow on the next. */
const LINHAS_MAX = 8;

const ORIGINARIOS: readonly Coluna[] = [1, 2].flatMap((): Coluna[] => [
  { titulo: 'Tipo', parte: 1.3 },
  { titulo: 'Chave ou identificação', parte: 5 },
]);

export async function drawDacte(dados: DadosDoDacte, contexto: ContextoDoPdf): Promise<Uint8Array> {
  const papel = new Papel({ titulo: `${nomeDaFolha(dados)} ${dados.chave}`, familia: 'Times' });
  const dacte = new Dacte(papel, dados);
  dacte.desenhar();
  return papel.acabar({ marcas: marcasDe(contexto), emCada: (pagina, de) => dacte.numerar(pagina, de) });
}

class Dacte {
  readonly #papel: Papel;
  readonly #dados: DadosDoDacte;
  readonly #folhas: LugarDaFolha[] = [];

  constructor(papel: Papel, dados: DadosDoDacte) {
    this.#papel = papel;
    this.#dados = dados;
  }

  desenhar(): void {
    const [papel, dados] = [this.#papel, this.#dados];
    let y = this.#cabecalho(canhoto(papel, dados, papel.topo));
    for (const quadro of [prestacao, partes, carga, valores]) y = quadro(papel, dados, y);
    const linhas = this.#observacoes();
    const primeiras = linhas.slice(0, LINHAS_MAX);
    const pe = papel.fim - alturaDoModal(dados) - EM_VOLTA - Math.max(2, primeiras.length) * PASSO;
    this.#escrever(pe, primeiras);
    modal(papel, dados, papel.fim - alturaDoModal(dados));
    y = this.#originarios(y, pe);
    this.#continuar(y, linhas.slice(LINHAS_MAX));
  }

  numerar(pagina: number, de: number): void {
    const lugar = this.#folhas[pagina - 1];
    if (lugar) this.#papel.texto(`${pagina}/${de}`, lugar, { alinha: 'center', negrito: true });
  }

  #cabecalho(topo: number): number {
    const { y, folha } = cabecalho(this.#papel, this.#dados, topo);
    this.#folhas.push(folha);
    return y;
  }

  #virar(): number {
    this.#papel.novaPagina();
    return this.#cabecalho(this.#papel.topo);
  }

  #observacoes(): string[] {
    const sobras = this.#papel.sobras.map(({ rotulo, valor }) => `${rotulo}: ${valor}`);
    const texto = [this.#dados.observacoes, ...sobras].filter(Boolean).join('\n');
    if (texto === '') return [];
    const largura = this.#papel.largura - 6;
    return quebrar(texto, { fonte: { familia: this.#papel.familia }, tamanho: LETRA, largura });
  }

  /** @returns where what follows begins */
  #escrever(topo: number, linhas: readonly string[]): number {
    const papel = this.#papel;
    const y = papel.titulo(topo, 'Observações');
    const altura = Math.max(2, linhas.length) * PASSO + 6;
    papel.moldura({ x: papel.esquerda, y, largura: papel.largura, altura });
    papel.linhas(
      { linhas: [...linhas], tamanho: LETRA },
      { x: papel.esquerda + 3, y: y + 3, largura: papel.largura - 6 },
    );
    return y + altura;
  }

  /** @returns where the last page of them is free */
  #originarios(topo: number, fim: number): number {
    const papel = this.#papel;
    const titulo = (y: number) => papel.titulo(y, 'Documentos originários');
    const tabela = new Tabela(papel, {
      fileiras: [ORIGINARIOS],
      espaco: { y: titulo(topo), fim },
      seguinte: () => ({ y: titulo(this.#virar()), fim: papel.fim }),
    });
    const { originarios } = this.#dados;
    for (let at = 0; at < originarios.length; at += 2)
      tabela.registro([
        originarios.slice(at, at + 2).flatMap(({ tipo, identificacao }) => [tipo, identificacao]),
      ]);
    const fechada = tabela.fechar(papel.paginas === 1);
    return papel.paginas === 1 ? papel.fim : fechada;
  }

  #continuar(topo: number, linhas: readonly string[]): void {
    let y = topo;
    for (let resto = linhas; resto.length > 0; ) {
      if (this.#papel.fim - y < EM_VOLTA + 3 * PASSO) y = this.#virar();
      const cabem = Math.floor((this.#papel.fim - y - EM_VOLTA) / PASSO);
      y = this.#escrever(y, resto.slice(0, cabem));
      resto = resto.slice(cabem);
    }
  }
}
