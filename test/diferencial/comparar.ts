/** One file through both tiers: what the fast one accepts must be the slow one's answer, piece by piece. */
import { isDeepStrictEqual } from 'node:util';
import { autoridadesDeLaboratorio } from '../../scripts/laboratorio.ts';
import { scanFast } from '../../src/fiscal/camadas.ts';
import type { PacoteDeEsquemas } from '../../src/fiscal/esquemas/pacote.ts';
import { createValidador } from '../../src/fiscal/esquemas/validador.ts';
import { lerConteudo, type ValidadorDeEsquema } from '../../src/fiscal/ler.ts';
import type { Peca, VeredictoEsquema } from '../../src/fiscal/tipos.ts';
import { decodeXml } from '../../src/fiscal/xml/decode.ts';
import { autoridadesDoProduto, juntar } from '../../src/importacao/standards/autoridades.ts';
import { assinaturaConfere } from './assinatura.ts';

export interface Comparacao {
  /** Whether the fast tier took the file. */
  aceito: boolean;
  /** Documents in it that both call valid. */
  validos: number;
  /** Signatures called intact that another program's canonical form confirmed. */
  confirmadas: number;
  /** How the two differ; null where they agree. */
  falta: string | null;
}

const LEFT_EVERY = 8;
/** Those of the product, and those that sign what the generator makes. */
const AUTORIDADES = juntar([...autoridadesDoProduto(), ...autoridadesDeLaboratorio()]);
const NOT_ASKED: VeredictoEsquema = { resultado: 'nao_verificado', esquema: null, motivo: null };

export class Comparador {
  readonly #ambas: ReturnType<typeof createValidador>;
  readonly #lenta: ReturnType<typeof createValidador>;
  #left = 0;

  constructor(pacotes: readonly PacoteDeEsquemas[]) {
    this.#ambas = createValidador(pacotes);
    this.#lenta = createValidador(pacotes);
  }

  dispose(): void {
    this.#ambas.dispose();
    this.#lenta.dispose();
  }

  /** Reads files as they are: then the fast tier expects their like, and judges those on the way. */
  aquecer(files: readonly { bytes: Uint8Array; nome: string }[]): void {
    for (const file of files) lerConteudo(file, { validador: this.#ambas, camadas: 'ambas' });
  }

  /**
   * @param confirmar whether what the fast tier leaves to libxml2 is compared too, and signatures are checked in
   *   another way, which takes its time; without it libxml2 judges the schema of what the fast tier calls valid only
   */
  comparar(file: { bytes: Uint8Array; nome: string }, { confirmar }: { confirmar: boolean }): Comparacao {
    const aceito = this.#isTaken(file.bytes);
    // What the fast tier leaves alone goes the same way in both: a part of it shows that.
    if (!aceito && this.#left++ % LEFT_EVERY !== 0)
      return { aceito, validos: 0, confirmadas: 0, falta: null };
    const [ambas, lenta] = confirmar ? [this.#ambas, this.#lenta] : this.#soOCerto();
    const fast = lerConteudo(file, { validador: ambas, camadas: 'ambas', autoridades: AUTORIDADES });
    const slow = lerConteudo(file, { validador: lenta, camadas: 'lenta', autoridades: AUTORIDADES });
    const validos = slow.filter((p) => p.resultado === 'lida' && p.esquema.resultado === 'valido').length;
    if (!isDeepStrictEqual(fast, slow)) {
      return { aceito, validos, confirmadas: 0, falta: difference(fast, slow) };
    }
    const intact = confirmar ? fast.filter(isIntact) : [];
    const said = intact.map((piece) => assinaturaConfere(inUtf8(piece)));
    const wrong = said.includes(false);
    const falta = wrong ? 'a signature called intact, which libxml2 and OpenSSL do not confirm' : null;
    return { aceito, validos, confirmadas: said.filter((one) => one === true).length, falta };
  }

  /** Both ask in the same order: what the fast tier does not know for certain libxml2 is not asked either. */
  #soOCerto(): [ValidadorDeEsquema, ValidadorDeEsquema] {
    const certain: boolean[] = [];
    return [
      {
        validar: (tree, root) => {
          const verdict = this.#ambas.certo(tree, root);
          certain.push(verdict !== null);
          return verdict ?? NOT_ASKED;
        },
      },
      { validar: (tree, root) => (certain.shift() ? this.#lenta.validar(tree, root) : NOT_ASKED) },
    ];
  }

  #isTaken(bytes: Uint8Array): boolean {
    const decoded = decodeXml(bytes);
    return !('rejeicao' in decoded) && scanFast(decoded.bytes, 'ambas') !== null;
  }
}

type Lida = Extract<Peca, { resultado: 'lida' }>;

function isIntact(piece: Peca): piece is Lida {
  return piece.resultado === 'lida' && piece.assinatura.resultado === 'integra';
}

function inUtf8({ bytes }: Lida): Uint8Array {
  const decoded = decodeXml(bytes);
  return 'rejeicao' in decoded ? bytes : decoded.bytes;
}

/** The first pieces that differ, without their bytes. */
function difference(fast: readonly Peca[], slow: readonly Peca[]): string {
  const at = fast.findIndex((piece, i) => !isDeepStrictEqual(piece, slow[i]));
  const shown = (piece: Peca | undefined) =>
    JSON.stringify(piece, (key, value) => (key === 'bytes' ? `${value.length} bytes` : value))?.slice(0, 600);
  return `${fast.length} / ${slow.length} pieces; fast: ${shown(fast[at])}; slow: ${shown(slow[at])}`;
}
