/** The DANFSe v2.0 of the national NFS-e, which no official service draws any more. @fonte NT 008/2026 SE/CGNFS-e, Anexo I */
import { corrido } from '../base/corrido.ts';
import { mm, Papel } from '../base/papel.ts';
import { type ContextoDoPdf, marcasDe } from '../marcas.ts';
import type { NotaNacional } from './nota.ts';
import { identificacao, type Quadro, quadrosDe } from './quadros.ts';

/** Where a note is looked up by its key. @fonte NT 008/2026, 2.4.3 */
const CONSULTA = 'https://www.nfse.gov.br/ConsultaPublica/?tpc=1&chave=';
const QR = mm(17);
const FILA = 20;
const TITULO = 11;
const SOMBRA = '#f2f2f2';

export function drawDanfse(nota: NotaNacional, contexto: ContextoDoPdf): Promise<Uint8Array> {
  const papel = new Papel({ titulo: `DANFSe ${nota.chave}`, familia: 'Helvetica' });
  const danfse = new Danfse(papel, nota);
  danfse.desenhar();
  return papel.acabar({
    marcas: marcasDe(contexto),
    emCada: (pagina, de) => danfse.numerar(pagina, de),
  });
}

class Danfse {
  readonly #papel: Papel;
  readonly #nota: NotaNacional;

  constructor(papel: Papel, nota: NotaNacional) {
    this.#papel = papel;
    this.#nota = nota;
  }

  desenhar(): void {
    let y = this.#cabecalho();
    for (const quadro of quadrosDe(this.#nota)) y = this.#quadro(quadro, y);
    const sobras = this.#papel.sobras.map(({ rotulo, valor }) => `${rotulo}: ${valor}`);
    if (sobras.length > 0)
      corrido(this.#papel, {
        y,
        rotulo: 'Por extenso',
        valor: sobras.join('\n'),
        seguinte: () => this.#virar(),
      });
  }

  numerar(pagina: number, de: number): void {
    const papel = this.#papel;
    if (de > 1)
      papel.texto(
        `Folha ${pagina} de ${de}`,
        { x: papel.esquerda, y: papel.fim + 2, largura: papel.largura, altura: 7 },
        { tamanho: 6, alinha: 'right' },
      );
  }

  #virar(): number {
    this.#papel.novaPagina();
    const { esquerda: x, largura, topo: y } = this.#papel;
    this.#papel.texto(
      `DANFSe v2.0 - NFS-e ${this.#nota.de('nNFSe')} - chave ${this.#nota.chave} (continuação)`,
      { x, y, largura, altura: 10 },
      { tamanho: 7.5, negrito: true },
    );
    return y + 14;
  }

  #cabecalho(): number {
    const [papel, nota] = [this.#papel, this.#nota];
    const { esquerda: x, largura, topo: y } = papel;
    const altura = 38;
    papel.fundo({ x, y, largura, altura }, SOMBRA);
    papel.moldura({ x, y, largura, altura });
    const meio = { x: x + largura * 0.25, largura: largura * 0.5, altura: 12 };
    papel.texto('DANFSe v2.0', { ...meio, y: y + 5 }, { tamanho: 11, negrito: true, alinha: 'center' });
    papel.texto('Documento Auxiliar da NFS-e', { ...meio, y: y + 18 }, { alinha: 'center' });
    if (nota.daDps('tpAmb') === '2')
      papel.texto(
        'NFS-e SEM VALIDADE JURÍDICA',
        { ...meio, y: y + 28, altura: 9 },
        { tamanho: 8, negrito: true, alinha: 'center', cor: '#c00000' },
      );
    const direita = { x: x + largura * 0.75, largura: largura * 0.25 - 4, altura: 9 };
    const linhas = [
      nota.cidade(nota.daDps('cLocEmi')) || nota.de('xLocEmi'),
      `Ambiente gerador: ${nota.codigo('ambGer', nota.de('ambGer'))}`,
      `Ambiente: ${nota.daDps('tpAmb') === '2' ? 'homologação' : 'produção'}`,
    ];
    for (const [at, linha] of linhas.entries())
      papel.texto(
        linha,
        { ...direita, y: y + 5 + at * 10 },
        { tamanho: at === 0 ? 8 : 6.5, alinha: 'right', minimo: 4.5 },
      );
    return this.#identificacao(y + altura);
  }

  #identificacao(topo: number): number {
    const [papel, nota] = [this.#papel, this.#nota];
    const lado = mm(38);
    const { esquerda: x, largura: toda } = papel;
    const largura = toda - lado;
    let y = papel.fila(
      topo,
      [{ rotulo: 'Chave de acesso da NFS-e', valor: nota.chave, negrito: true, tamanho: 9 }],
      { altura: FILA, x, largura },
    );
    for (const fila of identificacao(nota)) y = papel.fila(y, fila, { altura: FILA, x, largura });
    papel.moldura({ x: x + largura, y: topo, largura: lado, altura: y - topo });
    papel.qr(`${CONSULTA}${nota.chave}`, { x: x + largura, y: topo + 2, largura: lado, altura: QR });
    papel.texto(
      'A autenticidade desta NFS-e pode ser verificada pela leitura deste código QR ou pela consulta da chave de acesso no portal nacional da NFS-e',
      { x: x + largura + 3, y: topo + QR + 3, largura: lado - 6, altura: y - topo - QR - 4 },
      { tamanho: 5.5, minimo: 4, alinha: 'center' },
    );
    return y;
  }

  #quadro({ titulo, filas, frase, corrido: longo }: Quadro, topo: number): number {
    const papel = this.#papel;
    const precisa = TITULO + filas.length * FILA + (longo ? FILA : 0);
    let y = topo + precisa > papel.fim ? this.#virar() : topo;
    const faixa = { x: papel.esquerda, y, largura: papel.largura, altura: TITULO };
    papel.fundo(faixa, SOMBRA);
    papel.moldura(faixa);
    papel.texto(
      (frase ?? titulo).toLocaleUpperCase('pt-BR'),
      { ...faixa, x: faixa.x + 3, y: y + 1, largura: faixa.largura - 6 },
      { tamanho: 7.5, negrito: true, alinha: frase ? 'center' : 'left' },
    );
    y += TITULO;
    for (const fila of filas) y = papel.fila(y, fila, { altura: FILA });
    return longo ? corrido(papel, { ...longo, y, seguinte: () => this.#virar() }) : y;
  }
}
