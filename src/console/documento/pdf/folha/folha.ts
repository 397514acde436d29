/**
 * A plain sheet of any document that has no form of its own on paper: who, what and how much in a few rows, then everything
 * that it says, group by group.
 */
import type { Campo as CampoLegivel, Grupo, ItemLegivel } from '../../leitura.ts';
import { corrido } from '../base/corrido.ts';
import { cep, chaveEmGrupos, cpfCnpj, decimal, dinheiro, instante, quantidade } from '../base/formatos.ts';
import { mm, Papel } from '../base/papel.ts';
import { type Coluna, Tabela } from '../base/tabela.ts';
import { type ContextoDoPdf, marcasDe, type ResumoDoPdf } from '../marcas.ts';

const FILA = 20;
const COLUNAS = 3;
/** Longer values take the whole width. */
const CURTO = 46;
const SOMBRA = '#f2f2f2';

interface DaFolha {
  contexto: ContextoDoPdf;
  grupos: readonly Grupo[];
  itens: readonly ItemLegivel[];
}

export function drawFolha(dados: DaFolha): Promise<Uint8Array> {
  const { titulo, chave } = dados.contexto;
  const papel = new Papel({ titulo: `${titulo} ${chave}`, familia: 'Helvetica' });
  new Folha(papel, dados).desenhar();
  return papel.acabar({
    marcas: marcasDe(dados.contexto),
    emCada: (pagina, de) =>
      papel.texto(
        `Representação para leitura; o documento fiscal é o XML. Página ${pagina} de ${de}`,
        { x: papel.esquerda, y: papel.fim + 3, largura: papel.largura, altura: 8 },
        { tamanho: 6.5, alinha: 'center', cor: '#555555' },
      ),
  });
}

class Folha {
  readonly #papel: Papel;
  readonly #dados: DaFolha;

  constructor(papel: Papel, dados: DaFolha) {
    this.#papel = papel;
    this.#dados = dados;
  }

  desenhar(): void {
    const { contexto, grupos, itens } = this.#dados;
    let y = this.#cabecalho();
    if (contexto.resumo) y = this.#resumo(contexto.resumo, y);
    for (const grupo of grupos) y = this.#grupo(grupo, y);
    if (itens.length > 0) this.#itens(itens, y);
  }

  #virar(): number {
    this.#papel.novaPagina();
    return this.#papel.topo;
  }

  #cabecalho(): number {
    const papel = this.#papel;
    const { titulo, chave, status } = this.#dados.contexto;
    const { esquerda: x, largura, topo: y } = papel;
    const barras = /^[0-9A-Z]{44,50}$/.test(chave) ? mm(84) : 0;
    const altura = 46;
    papel.fundo({ x, y, largura: largura - barras, altura }, SOMBRA);
    papel.moldura({ x, y, largura, altura });
    const texto = { x: x + 5, largura: largura - barras - 10 };
    papel.texto(titulo, { ...texto, y: y + 5, altura: 26 }, { tamanho: 12, minimo: 7, negrito: true });
    papel.texto(`Situação: ${status}`, { ...texto, y: y + 33, altura: 10 }, { tamanho: 8.5 });
    if (barras > 0)
      papel.barras(chave, { x: x + largura - barras + 4, y: y + 8, largura: barras - 8, altura: 30 });
    return papel.fila(y + altura, [
      {
        rotulo: barras > 0 ? 'Chave de acesso' : 'Identificação no Malote',
        valor: barras > 0 ? chaveEmGrupos(chave) : chave,
        negrito: true,
      },
    ]);
  }

  #resumo({ numero, serie, emissao, valor, partes }: ResumoDoPdf, topo: number): number {
    let y = this.#papel.fila(topo, [
      { rotulo: 'Número', valor: numero ?? '', negrito: true },
      { rotulo: 'Série', valor: serie ?? '', parte: 0.6 },
      { rotulo: 'Emissão', valor: instante(emissao), parte: 1.3 },
      {
        rotulo: 'Valor total',
        valor: valor === null ? '' : `R$ ${dinheiro(valor)}`,
        negrito: true,
        alinha: 'right',
        tamanho: 10,
        parte: 1.4,
      },
    ]);
    for (const { rotulo, nome, cpfCnpj: quem } of partes)
      y = this.#papel.fila(y, [
        { rotulo, valor: nome ?? '', parte: 3 },
        { rotulo: 'CNPJ / CPF', valor: cpfCnpj(quem ?? '') },
      ]);
    return y + 4;
  }

  #grupo(grupo: Grupo, topo: number): number {
    const papel = this.#papel;
    let y = topo + 10 + FILA > papel.fim ? this.#virar() : topo;
    y = papel.titulo(y, grupo.titulo);
    y = this.#campos(grupo.campos, y);
    return grupo.tabela ? this.#tabela(grupo.tabela, y) : y + 2;
  }

  /** Captions above values, three to a row; long ones alone. */
  #campos(campos: readonly CampoLegivel[], topo: number): number {
    const papel = this.#papel;
    let y = topo;
    let fila: { rotulo: string; valor: string; tamanho: number }[] = [];
    const escrever = () => {
      if (fila.length === 0) return;
      if (y + FILA > papel.fim) y = this.#virar();
      y = papel.fila(y, fila, { altura: FILA });
      fila = [];
    };
    for (const campo of campos) {
      const valor = escrito(campo);
      if (valor.length > CURTO || valor.includes('\n')) {
        escrever();
        y = corrido(papel, { y, rotulo: campo.rotulo, valor, seguinte: () => this.#virar() });
      } else if (fila.push({ rotulo: campo.rotulo, valor, tamanho: 8 }) === COLUNAS) escrever();
    }
    escrever();
    return y;
  }

  #tabela({ colunas, linhas, total }: NonNullable<Grupo['tabela']>, topo: number): number {
    const y = this.#linhas(
      topo,
      colunas.map(({ rotulo }) => ({ titulo: rotulo, parte: 1 })),
      linhas.map((linha) => linha.map((valor, at) => escrito({ valor, tipo: colunas[at]?.tipo ?? 'texto' }))),
    );
    const mais = total - linhas.length;
    if (mais <= 0) return y + 2;
    return corrido(this.#papel, {
      y,
      rotulo: '',
      valor: `E mais ${mais} linhas, que estão no XML.`,
      seguinte: () => this.#virar(),
    });
  }

  #itens(itens: readonly ItemLegivel[], topo: number): void {
    const y = topo + 10 + 2 * FILA > this.#papel.fim ? this.#virar() : topo;
    this.#linhas(
      this.#papel.titulo(y, 'Itens'),
      COLUNAS_DOS_ITENS,
      itens.map(({ campos }) =>
        COLUNAS_DOS_ITENS.map(({ nomes }) => {
          const campo = campos.find(({ rotulo }) => nomes.includes(rotulo));
          return campo ? escrito(campo) : '';
        }),
      ),
    );
  }

  #linhas(topo: number, colunas: readonly Coluna[], linhas: readonly (readonly string[])[]): number {
    const papel = this.#papel;
    const tabela = new Tabela(papel, {
      fileiras: [colunas],
      espaco: { y: topo + 2 * FILA > papel.fim ? this.#virar() : topo, fim: papel.fim },
      seguinte: () => ({ y: this.#virar(), fim: papel.fim }),
    });
    for (const linha of linhas) tabela.registro([linha]);
    return tabela.fechar(false);
  }
}

/** Columns of items that fit on paper; the rest is in the XML. */
const COLUNAS_DOS_ITENS: readonly (Coluna & { nomes: readonly string[] })[] = [
  { titulo: 'Código', nomes: ['Código'], parte: 2 },
  { titulo: 'Descrição', nomes: ['Descrição'], parte: 5 },
  { titulo: 'NCM', nomes: ['NCM'], parte: 1.6, numaLinha: true },
  { titulo: 'CFOP', nomes: ['CFOP'], parte: 1, numaLinha: true },
  { titulo: 'Unidade', nomes: ['Unidade'], parte: 1, numaLinha: true },
  { titulo: 'Quantidade', nomes: ['Quantidade'], parte: 1.6, alinha: 'right', numaLinha: true },
  { titulo: 'Valor unitário', nomes: ['Valor unitário'], parte: 1.8, alinha: 'right', numaLinha: true },
  {
    titulo: 'Valor',
    nomes: ['Valor dos produtos', 'Valor do item'],
    parte: 1.8,
    alinha: 'right',
    numaLinha: true,
  },
];

function escrito({ valor, tipo }: Pick<CampoLegivel, 'valor' | 'tipo'>): string {
  switch (tipo) {
    case 'moeda':
      return decimal(valor, { min: 2, max: 10 });
    case 'numero':
      return quantidade(valor);
    case 'percentual':
      return `${quantidade(valor)}%`;
    case 'data':
      return instante(valor);
    case 'cpfCnpj':
      return cpfCnpj(valor);
    case 'cep':
      return cep(valor);
    default:
      return valor;
  }
}
