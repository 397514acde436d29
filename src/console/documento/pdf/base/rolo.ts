/** A slip: one narrow page as long as what stands on it, as printers of shops make them. Rows come from the top down. */
import { ENTRELINHA, type Fonte, quebrar } from './letras.ts';
import { type Escrita, type Marca, mm, Papel } from './papel.ts';

const LARGURA = mm(80);
const MARGEM = mm(4);
const TAMANHO = 7.5;
/** A page of PDF is at most 14,400 points long. @fonte ISO 32000-1, C.2 */
const ALTURA_MAX = 14_000;

interface Bloco {
  altura: number;
  desenhar: (papel: Papel, y: number) => void;
}

export class Rolo {
  readonly #blocos: Bloco[] = [];
  readonly #util = LARGURA - 2 * MARGEM;

  /** A text, in as many lines as it needs. */
  texto(valor: string, escrita: Escrita = {}): void {
    if (valor === '') return;
    const { tamanho = TAMANHO, negrito, alinha = 'left' } = escrita;
    for (const linha of quebrar(valor, { fonte: this.#fonte(negrito), tamanho, largura: this.#util }))
      this.#blocos.push({
        altura: tamanho * ENTRELINHA,
        desenhar: (papel, y) =>
          papel.linhas(
            { linhas: [linha], tamanho },
            { x: papel.esquerda, y, largura: papel.largura },
            { ...escrita, alinha },
          ),
      });
  }

  centro(valor: string, escrita: Escrita = {}): void {
    this.texto(valor, { ...escrita, alinha: 'center' });
  }

  /** A text at the left, and one at the right of its last line. */
  par(esquerda: string, direita: string, escrita: Escrita = {}): void {
    const { tamanho = TAMANHO, negrito } = escrita;
    const livre = this.#util * 0.68;
    const linhas = quebrar(esquerda, { fonte: this.#fonte(negrito), tamanho, largura: livre });
    this.#blocos.push({
      altura: linhas.length * tamanho * ENTRELINHA,
      desenhar: (papel, y) => {
        papel.linhas({ linhas, tamanho }, { x: papel.esquerda, y, largura: livre }, escrita);
        papel.texto(
          direita,
          {
            x: papel.esquerda + livre,
            y: y + (linhas.length - 1) * tamanho * ENTRELINHA,
            largura: papel.largura - livre,
            altura: tamanho,
          },
          { ...escrita, tamanho, alinha: 'right', minimo: 4 },
        );
      },
    });
  }

  traco(): void {
    this.#blocos.push({
      altura: 7,
      desenhar: (papel, y) =>
        papel.traco([papel.esquerda, y + 3.5], [papel.esquerda + papel.largura, y + 3.5], true),
    });
  }

  espaco(altura: number): void {
    this.#blocos.push({ altura, desenhar: () => undefined });
  }

  qr(texto: string, lado: number): void {
    this.#blocos.push({
      altura: lado + 4,
      desenhar: (papel, y) =>
        papel.qr(texto, { x: papel.esquerda, y: y + 2, largura: papel.largura, altura: lado }),
    });
  }

  barras(texto: string, altura: number): void {
    this.#blocos.push({
      altura: altura + 4,
      desenhar: (papel, y) =>
        papel.barras(texto, { x: papel.esquerda, y: y + 2, largura: papel.largura, altura }),
    });
  }

  acabar({ titulo, marcas }: { titulo: string; marcas: readonly Marca[] }): Promise<Uint8Array> {
    const [primeira = [], ...demais] = this.#paginas();
    const papel = new Papel({ titulo, familia: 'Helvetica', margem: MARGEM, folha: tamanhoDe(primeira) });
    drawBlocos(papel, primeira);
    for (const pagina of demais) {
      papel.novaPagina(tamanhoDe(pagina));
      drawBlocos(papel, pagina);
    }
    return papel.acabar({ marcas });
  }

  #fonte(negrito: boolean | undefined): Fonte {
    return { familia: 'Helvetica', negrito };
  }

  #paginas(): Bloco[][] {
    const paginas: Bloco[][] = [[]];
    let altura = 0;
    for (const bloco of this.#blocos) {
      altura += bloco.altura;
      if (altura > ALTURA_MAX) {
        paginas.push([]);
        altura = bloco.altura;
      }
      paginas.at(-1)?.push(bloco);
    }
    return paginas;
  }
}

function tamanhoDe(blocos: readonly Bloco[]): readonly [number, number] {
  return [LARGURA, blocos.reduce((soma, { altura }) => soma + altura, 0) + 2 * MARGEM];
}

function drawBlocos(papel: Papel, blocos: readonly Bloco[]): void {
  let y = papel.topo;
  for (const bloco of blocos) {
    bloco.desenhar(papel, y);
    y += bloco.altura;
  }
}
