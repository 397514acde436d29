/** The DANFE of a NF-e on A4, upright or lying as the note asks, on as many pages as it needs. @fonte MOC NF-e 7.0, Anexo II; NT 2026.010 v1.00 */
import { A4, Papel } from '../base/papel.ts';
import { Tabela } from '../base/tabela.ts';
import { type ContextoDoPdf, marcasDe } from '../marcas.ts';
import { adicionais, alturaDe, cabemEm, linhasAdicionais } from './adicionais.ts';
import { cabecalho, canhoto, type LugarDaFolha } from './cabecalho.ts';
import { COLUNAS, COLUNAS_RTC, linhaDoItem, linhaRtc } from './itens.ts';
import { type Nota, temLeiauteRtc } from './nota.ts';
import { ISSQN, QUADROS } from './quadros.ts';

/** Width of the stub beside a sheet that lies. */
const TIRA = 44;
/** Share of the first page that the additional information takes at most. */
const PARTE_DOS_ADICIONAIS = 0.25;

/** Height that items have at least beside the foot of the first page: their head, and a row. */
const ITENS_MIN = 70;

/** The value of `tpImp` that asks for a sheet that lies. */
const PAISAGEM = '2';

export async function drawDanfe(nota: Nota, contexto: ContextoDoPdf): Promise<Uint8Array> {
  const deitada = nota.de('ide', 'tpImp') === PAISAGEM;
  const folha = deitada ? ([A4[1], A4[0]] as const) : A4;
  const papel = new Papel({ titulo: `DANFE ${nota.chave}`, familia: 'Times', folha });
  const danfe = new Danfe(papel, nota);
  danfe.desenhar(deitada);
  return papel.acabar({
    marcas: marcasDe(contexto),
    emCada: (pagina, de) => danfe.numerar(pagina, de),
  });
}

class Danfe {
  readonly #papel: Papel;
  readonly #nota: Nota;
  readonly #folhas: LugarDaFolha[] = [];

  constructor(papel: Papel, nota: Nota) {
    this.#papel = papel;
    this.#nota = nota;
  }

  desenhar(deitada: boolean): void {
    const [papel, nota] = [this.#papel, this.#nota];
    const [esquerda, largura] = [papel.esquerda, papel.largura];
    const virar = () => {
      papel.novaPagina();
      [papel.esquerda, papel.largura] = [esquerda, largura];
      return this.#cabecalho(papel.topo);
    };
    let y = this.#cabecalho(deitada ? this.#canhotoAoLado() : canhoto(papel, nota, papel.topo));
    for (const quadro of QUADROS) {
      if (y + quadro.altura(nota) > papel.fim) y = virar();
      y = quadro.desenhar(papel, nota, y);
    }
    const linhas = linhasAdicionais(papel, nota);
    const servicos = ISSQN.altura(nota);
    const livre = papel.fim - y - servicos - ITENS_MIN;
    // A first page that is full already keeps its rest for items; what follows them follows on the next ones.
    if (livre < alturaDe(0)) {
      y = this.#itens(y, papel.fim, virar);
      if (servicos > 0) y = ISSQN.desenhar(papel, nota, y + servicos > papel.fim ? virar() : y);
      this.#continuar(linhas, { y, virar });
      return;
    }
    const altura = Math.min(alturaDe(linhas.length), livre, papel.doc.page.height * PARTE_DOS_ADICIONAIS);
    const pe = papel.fim - altura;
    if (servicos > 0) ISSQN.desenhar(papel, nota, pe - servicos);
    adicionais(papel, { y: pe, altura, linhas: linhas.slice(0, cabemEm(altura)) });
    const primeira = papel.paginas;
    y = this.#itens(y, pe - servicos, virar);
    const resto = linhas.slice(cabemEm(altura));
    this.#continuar(resto, { y: papel.paginas === primeira ? papel.fim : y, virar });
  }

  numerar(pagina: number, de: number): void {
    const lugar = this.#folhas[pagina - 1];
    if (lugar)
      this.#papel.texto(
        `FOLHA ${pagina}/${de}`,
        { ...lugar, altura: 11 },
        { tamanho: 10, negrito: true, alinha: 'center' },
      );
  }

  #cabecalho(topo: number): number {
    const { y, folha } = cabecalho(this.#papel, this.#nota, topo);
    this.#folhas.push(folha);
    return y;
  }

  /** The stub stands at the left edge, to be read from the right. The first page is that much narrower. */
  #canhotoAoLado(): number {
    const papel = this.#papel;
    const { height } = papel.doc.page;
    const { esquerda, largura, margem } = papel;
    papel.doc.save();
    papel.doc.translate(0, height).rotate(-90);
    [papel.esquerda, papel.largura] = [margem, height - 2 * margem];
    canhoto(papel, this.#nota, esquerda);
    papel.doc.restore();
    [papel.esquerda, papel.largura] = [esquerda + TIRA, largura - TIRA];
    return papel.topo;
  }

  /** @returns where the last page of them is free */
  #itens(topo: number, fim: number, virar: () => number): number {
    const [papel, nota] = [this.#papel, this.#nota];
    const titulo = (y: number) => papel.titulo(y, 'Dados dos produtos / serviços');
    const rtc = temLeiauteRtc(nota);
    const primeira = papel.paginas;
    const tabela = new Tabela(papel, {
      fileiras: rtc ? [COLUNAS, COLUNAS_RTC] : [COLUNAS],
      espaco: { y: titulo(topo), fim },
      seguinte: () => ({ y: titulo(virar()), fim: papel.fim }),
    });
    for (const det of nota.itensMostrados)
      tabela.registro(rtc ? [linhaDoItem(nota, det), linhaRtc(nota, det)] : [linhaDoItem(nota, det)]);
    return tabela.fechar(papel.paginas === primeira);
  }

  /** Additional information that the first page had no room for: below the items, and on pages of its own. */
  #continuar(linhas: readonly string[], { y: topo, virar }: { y: number; virar: () => number }): void {
    const papel = this.#papel;
    let resto = linhas;
    let y = topo;
    while (resto.length > 0) {
      if (papel.fim - y < alturaDe(Math.min(resto.length, 8))) y = virar();
      const altura = Math.min(alturaDe(resto.length), papel.fim - y);
      adicionais(papel, { y, altura, linhas: resto.slice(0, cabemEm(altura)), continua: true });
      resto = resto.slice(cabemEm(altura));
      y = papel.fim;
    }
  }
}
