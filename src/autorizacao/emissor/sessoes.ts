/**
 * Sessions of tokens. A session has no row at first: its refresh token, which the issuer signed, carries all of it. The
 * first refresh writes a row that counts on from there. A refresh token that comes after its turn was copied; it ends the
 * session with everything under it.
 */

import { randomUUID } from 'node:crypto';
import type { Trx } from '../../banco/tabelas.ts';
import type { Deps } from '../../deps.ts';
import { LOCK, lockFor, lockKey } from '../../platform/db/locks.ts';
import * as queries from './queries.ts';
import { REFRESH_SECONDS, SESSION_MS } from './tempos.ts';

const SWEEP_EVERY_MS = 600_000;

export interface Sessao {
  /** `session_state` and `sid`. */
  sid: string;
  /** How many refresh tokens came before the present one. */
  geracao: number;
  /** End of the session, unix seconds. */
  fim: number;
}

/** Which session, and whose. */
interface SessaoDe extends Sessao {
  clienteOauthId: number;
}

type Giro = 'girada' | 'encerrada' | 'reutilizada';

export class Sessoes {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log'>) {
    this.#deps = deps;
  }

  /** Sweeps expired rows from time to time until `stop`. */
  start(): void {
    this.#timer = setInterval(() => void this.#sweepQuietly(), SWEEP_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  make(): Sessao {
    const fim = Math.ceil(this.#deps.clock.now() / 1_000) + REFRESH_SECONDS;
    return { sid: randomUUID(), geracao: 0, fim };
  }

  /** Uses a refresh token up. Of two that come at the same time, one is the second and ends the session. */
  async rotate(sessao: SessaoDe): Promise<Giro> {
    return this.#deps.db.write.transaction().execute(async (trx): Promise<Giro> => {
      await lockFor(trx, LOCK.sessao, [lockKey(sessao.sid)]);
      const row = await queries.findSessao(trx, sessao.sid);
      if (row && row.encerrada_em !== null) return 'encerrada';
      if ((row?.geracao ?? 0) !== sessao.geracao) {
        await this.#end(trx, sessao, row !== undefined);
        return 'reutilizada';
      }
      const geracao = sessao.geracao + 1;
      if (row) await queries.updateSessao(trx, { sid: sessao.sid, geracao });
      else await queries.insertSessao(trx, rowOf(sessao, { geracao, encerradaEm: null }));
      return 'girada';
    });
  }

  /** Ends a session and, within five seconds everywhere, every token under it. */
  async end(sessao: SessaoDe): Promise<void> {
    await this.#deps.db.write.transaction().execute(async (trx) => {
      await lockFor(trx, LOCK.sessao, [lockKey(sessao.sid)]);
      const row = await queries.findSessao(trx, sessao.sid);
      if (row?.encerrada_em == null) await this.#end(trx, sessao, row !== undefined);
    });
  }

  async isEnded(sid: string): Promise<boolean> {
    const row = await queries.findSessao(this.#deps.db.read, sid);
    return row !== undefined && row.encerrada_em !== null;
  }

  /** Whether a refresh token is the one whose turn it is. */
  async isPresent({ sid, geracao }: Pick<Sessao, 'sid' | 'geracao'>): Promise<boolean> {
    const row = await queries.findSessao(this.#deps.db.read, sid);
    return row === undefined ? geracao === 0 : row.encerrada_em === null && row.geracao === geracao;
  }

  /** Forgets sessions of which nothing can be valid any more. */
  async sweep(): Promise<void> {
    await this.#deps.db.write
      .transaction()
      .execute((trx) => queries.deleteExpiredSessoes(trx, this.#deps.clock.now()));
  }

  async #end(trx: Trx, sessao: SessaoDe, hasRow: boolean): Promise<void> {
    const encerradaEm = this.#deps.clock.now();
    if (hasRow) await queries.updateSessao(trx, { sid: sessao.sid, encerradaEm });
    else await queries.insertSessao(trx, rowOf(sessao, { geracao: sessao.geracao, encerradaEm }));
  }

  async #sweepQuietly(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'sessões vencidas não foram apagadas');
    }
  }
}

function rowOf(sessao: SessaoDe, state: { geracao: number; encerradaEm: number | null }) {
  return {
    sid: sessao.sid,
    cliente_oauth_id: sessao.clienteOauthId,
    geracao: state.geracao,
    encerrada_em: state.encerradaEm,
    expira_em: sessao.fim * 1_000 + SESSION_MS,
  };
}
