/**
 * Files that ended with problems which nobody has solved yet. A file is solved when it was imported again (then that try
 * counts), or when all documents that it could not deliver have come to some client since.
 */
import { RESULTADO } from '../../documentos/tipos.ts';
import { ESPECIE } from '../../fiscal/tipos.ts';
import type { Leitor } from '../documentos/queries-janela.ts';
import * as queries from './queries-falhas.ts';

/** Items that are walked through in one statement, problems that are judged together. */
const JANELA = 20_000;
const PROBLEMAS_POR_VEZ = 500;
/** The newest are looked at: a program that sends the same broken file every few seconds makes more than anybody counts. */
const ARQUIVOS = 2_000;
/** Counting stops walking after this long and goes on when it is asked again. */
const ORCAMENTO_MS = 100;

/** How far a file was walked: everything up to there is solved, and this problem, if any, is not. */
interface Visto {
  ate: number;
  problema: queries.Problema | null;
  /** Some item was a problem: a file without any failed as a whole. */
  houve: boolean;
}

type Resolvido = (problema: queries.Problema) => boolean;

/** Remembers how far each file was walked, since items never change: each is read once. */
export class Falhas {
  readonly #porContador = new Map<number, Map<number, Visto>>();
  readonly #janela: number;
  readonly #arquivos: number;
  readonly #orcamentoMs: number;

  constructor(options: { janela?: number; arquivos?: number; orcamentoMs?: number } = {}) {
    this.#orcamentoMs = options.orcamentoMs ?? ORCAMENTO_MS;
    this.#janela = options.janela ?? JANELA;
    this.#arquivos = options.arquivos ?? ARQUIVOS;
  }

  /**
   * Files since an instant whose problems are not solved, as far as that could be told in time.
   * @returns haMais: older ones ended with problems too, and were not looked at
   */
  async count(
    db: Leitor,
    input: { contadorId: number; desde: number },
  ): Promise<{ arquivos: number; haMais: boolean }> {
    const { contadorId } = input;
    const achados = await queries.findComErro(db, { ...input, limite: this.#arquivos + 1 });
    const arquivos = achados.slice(0, this.#arquivos);
    const antes = this.#porContador.get(contadorId);
    const todos = arquivos.map((arquivo) => ({
      arquivo,
      visto: antes?.get(arquivo.numero) ?? { ate: 0, problema: null, houve: false },
    }));
    this.#porContador.set(contadorId, new Map(todos.map(({ arquivo, visto }) => [arquivo.numero, visto])));
    const resolvido = await resolvidos(db, {
      contadorId,
      problemas: todos.flatMap(({ visto }) => visto.problema ?? []),
    });
    const fim = performance.now() + this.#orcamentoMs;
    let pendentes = 0;
    for (const { arquivo, visto } of todos) {
      if (visto.problema && resolvido(visto.problema)) {
        visto.ate = visto.problema.ordem;
        visto.problema = null;
      }
      while (!visto.problema && temMais(arquivo, visto) && performance.now() < fim)
        await this.#walk(db, { contadorId, arquivo, visto });
      if (visto.problema || temMais(arquivo, visto) || arquivo.desistiu === 1 || !visto.houve) pendentes++;
    }
    return { arquivos: pendentes, haMais: achados.length > arquivos.length };
  }

  /** Walks one window on, up to the first problem that is not solved. */
  async #walk(
    db: Leitor,
    input: { contadorId: number; arquivo: queries.ArquivoComErro; visto: Visto },
  ): Promise<void> {
    const { contadorId, arquivo, visto } = input;
    const ate = visto.ate + this.#janela;
    const problemas = await queries.findProblemas(db, {
      arquivoNumero: arquivo.numero,
      depoisDe: visto.ate,
      ate,
      limite: PROBLEMAS_POR_VEZ,
    });
    const resolvido = await resolvidos(db, { contadorId, problemas });
    visto.houve ||= problemas.length > 0;
    visto.problema = problemas.find((problema) => !resolvido(problema)) ?? null;
    const ultimo = problemas.length === PROBLEMAS_POR_VEZ ? problemas.at(-1)?.ordem : undefined;
    if (!visto.problema) visto.ate = ultimo ?? ate;
  }
}

const temMais = ({ ultima }: queries.ArquivoComErro, { ate }: Visto) => ate < (ultima ?? 0);

/** Which problems are solved: a held document, or one with the key of a refused one, that a client has by now. */
async function resolvidos(
  db: Leitor,
  input: { contadorId: number; problemas: readonly queries.Problema[] },
): Promise<Resolvido> {
  const { contadorId, problemas } = input;
  const chaves = problemas.flatMap((problema) => chaveRecusada(problema) ?? []);
  const mesmos = await queries.findPorChaves(db, { contadorId, chaves });
  const retidos = problemas.flatMap(({ resultado, documento_id }) =>
    resultado === RESULTADO.semCliente && documento_id !== null ? [documento_id] : [],
  );
  const entregues = await queries.findEntregues(db, [...retidos, ...mesmos.map(({ id }) => id)]);
  const chegaram = new Set(mesmos.filter(({ id }) => entregues.has(id)).map(({ chave }) => chave));
  return (problema) =>
    problema.resultado === RESULTADO.semCliente
      ? entregues.has(problema.documento_id ?? 0)
      : chegaram.has(chaveRecusada(problema) ?? '');
}

/** The key of a document that was refused; an event has the key of the document that it belongs to. */
function chaveRecusada({ resultado, especie, chave }: queries.Problema): string | null {
  return resultado === RESULTADO.rejeitado && especie !== ESPECIE.evento ? chave : null;
}
