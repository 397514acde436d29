/**
 * What runs in a reader thread: a batch of contents becomes pieces that are ready to be stored. No database here,
 * nothing shared; a batch that brings the thread down takes no other one with it.
 */
import { isMainThread } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import type { Arena } from '../../documentos/bytes/arena.ts';
import { arenaPara, prepareCompressao, prepareConteudo, sha256De } from '../../documentos/bytes/conteudo.ts';
import { comItensEscritos } from '../../documentos/lean/itens-guardados.ts';
import { guardar } from '../../documentos/leiautes/a-ensinar.ts';
import type { AEnsinarGuardado, PecaLida } from '../../documentos/tipos.ts';
import { type Prova, readTogether } from '../../fiscal/assinatura/provas.ts';
import type { Autoridades } from '../../fiscal/certificado/autoridades.ts';
import { type DepsDaLeitura, lerConteudo, type ValidadorDeEsquema } from '../../fiscal/ler.ts';
import type { AEnsinar, Peca } from '../../fiscal/tipos.ts';
import { releaseBytes } from '../../platform/bytes/release-bytes.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { yieldToOtherThreads } from '../../platform/threads/thread-priority.ts';
import { beginItem, endItem, ownCpu } from '../../platform/threads/thread-work.ts';
import { FATIA_DE_LEITURA_MS, LEITOR_FRIO_MS, LEITURA_LENTA_MS, orcamentoDeLeituraMs } from '../limites.ts';
import { desempacotar } from '../standards/autoridades.ts';
import { loadEsquemas } from '../standards/esquemas-instalados.ts';
import { Familias } from './familias.ts';
import { inTurn } from './in-turn.ts';
import { unreadable } from './pecas.ts';
import { type DadosDoLeitor, type Leitura, sharedNow, type TarefaDeLeitura } from './tarefa.ts';

/** What is sent without a zip around it was meant to be a document: if it is none, that is an error, not ignored. */
const SENT_ALONE = 'arquivo.xml';

/** An installed package of schemas is seen after this. */
const LOOK_EVERY_MS = 50;

/** One for each thread; made with the first batch. */
let doThread: ValidadorDeEsquema | null = null;
/** One for each thread, as the last batch brought them. */
let emUso: { id: string; autoridades: Autoridades } | null = null;
/** What offices read, by the layouts that the last batches of each brought. */
const familias = new Familias();

/** Reading is three quarters of an import's work, and none of it is as urgent as an answer. */
const NICE_LEITOR = 10;
if (!isMainThread) yieldToOtherThreads(NICE_LEITOR);

/** The piscina task. */
export default inTurn(readBatch);

const NOTHING = new Uint8Array(0);

/** Of each office, when this thread last found its documents slow. */
const lentos = new Map<number, number>();

function readBatch(tarefa: TarefaDeLeitura): Leitura | Movel {
  const startedAt = performance.now();
  const before = ownCpu();
  // Handed out before it was known: it belongs into the other lane.
  if (tarefa.faixa === 'rapida' && tarefa.em < (lentos.get(tarefa.dono) ?? 0))
    return { pecas: [], memoria: NOTHING, segundos: 0, lenta: true, excecoes: [] };
  doThread ??= forgiving(loadEsquemas(workerData as DadosDoLeitor, { lookEveryMs: LOOK_EVERY_MS }));
  const validador = doThread;
  if (emUso?.id !== tarefa.autoridades.id)
    emUso = { id: tarefa.autoridades.id, autoridades: desempacotar(tarefa.autoridades) };
  const { autoridades } = emUso;
  const doDono = { familias: familias.de(tarefa), revisao: tarefa.leiautes.revisao };
  prepareCompressao();
  const arena = arenaPara(tarefa.partes.map(({ inicio, fim }) => fim - inicio));
  const excecoes: Leitura['excecoes'] = [];
  const ate = before + FATIA_DE_LEITURA_MS * 1_000;
  const partes = tarefa.partes.map((parte, ordem) => ({ ...parte, ordem }));
  const pecas = readTogether(whileBefore(partes, ate), ({ caminho, inicio, fim, sha256, ordem }, provas) => {
    const bytes = tarefa.pacote.subarray(inicio, fim);
    beginItem(tarefa.marca, ordem, orcamentoDeLeituraMs(bytes.length, tarefa.faixa));
    try {
      failpoint('documento_em_leitura', () => caminho);
      return readContent({ caminho, bytes, sha256 }, { validador, arena, provas, autoridades, ...doDono });
    } catch (error) {
      // Faults of the content are values; what is thrown is a fault of ours, and costs this document alone.
      excecoes.push({ caminho, erro: String((error as Error).stack ?? error) });
      return [unreadable({ caminho, bytes })];
    }
  });
  endItem(tarefa.marca);
  // Nothing of what was read lies in it any more.
  releaseBytes(tarefa.pacote);
  const segundos = (performance.now() - startedAt) / 1000;
  const lenta = ownCpu() - before > LEITURA_LENTA_MS * 1_000 && before > LEITOR_FRIO_MS * 1_000;
  if (lenta) lentos.set(tarefa.dono, sharedNow());
  return move(new Movel({ pecas, memoria: arena.bytes, segundos, lenta, excecoes })) as Movel;
}

/** What was read, on its way out of the thread: the memory of its bytes changes hands with it, and is not copied. */
class Movel {
  readonly #leitura: Leitura;

  constructor(leitura: Leitura) {
    this.#leitura = leitura;
  }

  get [transferableSymbol](): ArrayBuffer[] {
    return [this.#leitura.memoria.buffer];
  }

  get [valueSymbol](): Leitura {
    return this.#leitura;
  }
}

/** The first of some, and those behind it that are asked for before this thread has used so much processor time. */
function* whileBefore<T>(all: readonly T[], cpu: number): Generator<T> {
  for (const [at, one] of all.entries()) {
    if (at > 0 && ownCpu() >= cpu) return;
    yield one;
  }
}

/**
 * Reads one content into pieces that can be stored.
 * @param input.sha256 of its bytes, if it is known
 * @param deps.arena where their bytes are put
 * @param deps.autoridades who answers for certificates; by default nobody
 * @param deps.familias what is read; by default what everybody reads
 */
export function readContent(
  input: { caminho: string; bytes: Uint8Array; sha256?: string | null },
  deps: {
    validador: ValidadorDeEsquema;
    arena?: Arena;
    provas?: Prova[] | undefined;
    autoridades?: Autoridades;
    familias?: DepsDaLeitura['familias'];
    /** Of the layouts in `familias`. */
    revisao?: number;
  },
): PecaLida[] {
  const { caminho, bytes } = input;
  let sha256 = input.sha256 ?? null;
  const hash = () => {
    sha256 ??= sha256De(bytes);
    return sha256;
  };
  const esperar = waitingOnce(deps.revisao ?? 0);
  return lerConteudo({ bytes, nome: caminho || SENT_ALONE }, deps).map((peca) =>
    toPecaLida(peca, { caminho, bytes, hash, arena: deps.arena, esperar }),
  );
}

/** Packs what is to wait for a layout: of all the notes in one stretch once. */
function waitingOnce(revisao: number): (aEnsinar: AEnsinar) => AEnsinarGuardado {
  const packed = new Map<AEnsinar, AEnsinarGuardado>();
  return (aEnsinar) => {
    const known = packed.get(aEnsinar) ?? guardar(aEnsinar, revisao);
    packed.set(aEnsinar, known);
    return known;
  };
}

function toPecaLida(
  peca: Peca,
  file: {
    caminho: string;
    bytes: Uint8Array;
    hash: () => string;
    arena: Arena | undefined;
    esperar(aEnsinar: AEnsinar): AEnsinarGuardado;
  },
): PecaLida {
  const { caminho, bytes, hash, arena } = file;
  switch (peca.resultado) {
    case 'lida': {
      const { especie, esquema, assinatura, prova } = peca;
      const registro = comItensEscritos(peca.registro);
      const sha256 = peca.bytes === bytes ? hash() : undefined;
      const conteudo = prepareConteudo(peca.bytes, peca.codificacao, { arena, sha256 });
      return { caminho, especie, kind: 'registro', registro, conteudo, esquema, assinatura, prova };
    }
    case 'esperado': {
      const { especie, chave, origem, mensagem } = peca;
      return { caminho, especie, kind: 'esperado', chave, origem, mensagem };
    }
    case 'rejeitada': {
      const { especie, chave, rejeicao, protocolos, metade, aEnsinar } = peca;
      const trazidos = {
        ...(protocolos && { protocolos: protocolos.map(withOwnBytes) }),
        ...(metade && { metade: withOwnBytes(metade) }),
        ...(aEnsinar && { aEnsinar: file.esperar(aEnsinar) }),
      };
      return { caminho, especie, kind: 'rejeitado', chave, sha256: hash(), rejeicao, ...trazidos };
    }
    case 'ignorada': {
      const { especie, codigo, mensagem, protocolos } = peca;
      const trazidos = protocolos && { protocolos: protocolos.map(withOwnBytes) };
      return { caminho, especie, kind: 'ignorado', sha256: hash(), codigo, mensagem, ...trazidos };
    }
  }
}

/** A part of a file in memory of its own: the file's memory does not leave this thread. */
function withOwnBytes<T extends { bytes: Uint8Array }>(part: T): T {
  return { ...part, bytes: Uint8Array.from(part.bytes) };
}

/** A schema verdict is a finding beside the document: failing to make one must not cost the document. */
function forgiving(judge: ValidadorDeEsquema): ValidadorDeEsquema {
  return {
    validar(tree, root) {
      try {
        return judge.validar(tree, root);
      } catch {
        const motivo = 'A verificação do esquema falhou no serviço.';
        return { resultado: 'nao_verificado', esquema: null, motivo };
      }
    },
  };
}
