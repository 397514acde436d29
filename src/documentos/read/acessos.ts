/**
 * Notes who reads documents (LGPD) and how far each token has read each feed. Reads must not wait for a write, so
 * notes are gathered in memory and written every few seconds: a process that is killed loses the last of them.
 */
import type { TabelaAcesso, TabelaAcessoEmLote, TabelaLeituraDoFeed } from '../../banco/tabelas-consulta.ts';
import type { Deps } from '../../deps.ts';
import { runAsService } from '../../platform/db/tenant.ts';
import * as queries from './queries-acessos.ts';

const FLUSH_MS = 2_000;
/** Enough for some seconds of the fastest reader; beyond it the notes are written at once. */
const BUFFER_MAX = 5_000;

export const ATO_DE_ACESSO = {
  leitura: 'leitura',
  xml: 'xml',
  pdf: 'pdf',
  exportacao: 'exportacao',
  /** A signed address, which carries its permission in itself: who was given it stands in `acesso_em_lote`. */
  endereco: 'endereco',
} as const;
export type AtoDeAcesso = (typeof ATO_DE_ACESSO)[keyof typeof ATO_DE_ACESSO];

interface LeituraDoFeed {
  contadorId: number;
  clienteId: number;
  /** Integration token, of which is kept how far it has come; null for an access token, of which is not. */
  tokenId: number | null;
  /** As `token:7` or `oauth:<client id>`. */
  autor: string;
  /** First and last NSU that were answered. */
  de: number;
  ate: number;
}

/** One for a process. */
export class RegistroDeAcessos {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  #acessos: Omit<TabelaAcesso, 'id'>[] = [];
  #versoes: { versaoId: number; em: number; ato: AtoDeAcesso; autor: string }[] = [];
  #lotes: Omit<TabelaAcessoEmLote, 'id'>[] = [];
  /** The newest of `#lotes` of each reader of a feed. */
  #ultimos = new Map<string, Omit<TabelaAcessoEmLote, 'id'>>();
  #leituras = new Map<string, TabelaLeituraDoFeed>();
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log'>) {
    this.#deps = deps;
  }

  /** Somebody read one document. */
  documento(input: { contadorId: number; documentoId: number; ato: AtoDeAcesso; autor: string }): void {
    this.#acessos.push({
      contador_id: input.contadorId,
      documento_id: input.documentoId,
      em: this.#deps.clock.now(),
      ato: input.ato,
      autor: input.autor,
    });
    this.#schedule();
  }

  /** The same where only the version is known. */
  versao(input: { versaoId: number; ato: AtoDeAcesso; autor: string }): void {
    this.#versoes.push({ ...input, em: this.#deps.clock.now() });
    this.#schedule();
  }

  /** A token read a page of a feed: a range, which grows with the next page. */
  feed(lida: LeituraDoFeed): void {
    const { contadorId, clienteId, autor, de, ate } = lida;
    const em = this.#deps.clock.now();
    const leitor = `${clienteId}/${autor}`;
    this.#noteProgress(leitor, lida, em);
    const last = this.#ultimos.get(leitor);
    if (last && de <= last.nsu_ate + 1 && ate >= last.nsu_de - 1) {
      // The next page, or one that was read already, in part or whole, as those do who poll.
      last.nsu_de = Math.min(last.nsu_de, de);
      last.nsu_ate = Math.max(last.nsu_ate, ate);
      last.ate = em;
    } else if (de <= ate) {
      const lote = {
        contador_id: contadorId,
        cliente_id: clienteId,
        autor,
        nsu_de: de,
        nsu_ate: ate,
        de: em,
        ate: em,
      };
      this.#lotes.push(lote);
      this.#ultimos.set(leitor, lote);
    }
    this.#schedule();
  }

  #noteProgress(leitor: string, { contadorId, clienteId, tokenId, ate }: LeituraDoFeed, em: number): void {
    const leitura = this.#leituras.get(leitor);
    if (leitura) {
      leitura.nsu = ate;
      leitura.em = em;
    } else if (tokenId !== null) {
      this.#leituras.set(leitor, {
        contador_id: contadorId,
        cliente_id: clienteId,
        token_id: tokenId,
        nsu: ate,
        em,
      });
    }
  }

  /** Writes what was noted so far; for the end of a process, and for tests. */
  async flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    // What several requests have noted, of several offices.
    this.#writing = this.#writing.then(() => runAsService(() => this.#write()));
    return this.#writing;
  }

  #schedule(): void {
    const noted = this.#acessos.length + this.#versoes.length + this.#lotes.length;
    if (noted >= BUFFER_MAX) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  async #write(): Promise<void> {
    const [acessos, versoes, lotes] = [this.#acessos, this.#versoes, this.#lotes];
    const leituras = [...this.#leituras.values()];
    [this.#acessos, this.#versoes, this.#lotes] = [[], [], []];
    // New ones: an old one that is cleared keeps alive all that comes behind it (`judge.ts`).
    [this.#leituras, this.#ultimos] = [new Map(), new Map()];
    if (acessos.length + versoes.length + lotes.length + leituras.length === 0) return;
    try {
      const { db } = this.#deps;
      const donos = new Map(
        (await queries.findDocumentosDasVersoes(db.read, [...new Set(versoes.map((v) => v.versaoId))])).map(
          (row) => [row.versao_id, row],
        ),
      );
      const dasVersoes = versoes.flatMap(({ versaoId, em, ato, autor }) => {
        const dono = donos.get(versaoId);
        return dono
          ? [{ contador_id: dono.contador_id, documento_id: dono.documento_id, em, ato, autor }]
          : [];
      });
      await db.write.transaction().execute(async (trx) => {
        await queries.insertAcessos(trx, [...acessos, ...dasVersoes]);
        await queries.insertLotes(trx, lotes);
        // In one order for every process, so that two of them cannot wait for each other.
        const ordered = leituras.toSorted((a, b) => a.cliente_id - b.cliente_id || a.token_id - b.token_id);
        await queries.upsertLeituras(trx, ordered);
      });
    } catch (err) {
      const quantos = acessos.length + versoes.length + lotes.length;
      this.#deps.log.error({ err, quantos }, 'accesses could not be noted');
    }
  }
}
