/** Sessions of the console: a random secret in a cookie, its hash in the database, gone when the user logs out. */

import { createHash, randomBytes } from 'node:crypto';
import type { Trx } from '../../banco/tabelas.ts';
import type { Papel } from '../../banco/tabelas-console.ts';
import type { Deps } from '../../deps.ts';
import type { Alcance } from '../acesso.ts';
import { findClientesDoUsuario } from './queries-alcance.ts';
import * as queries from './queries-sessao.ts';
import type { Sessao } from './sessao.ts';

const SECRET_BYTES = 32;
const SECRET_SHAPE = /^[A-Za-z0-9_-]{43}$/;
/** @fonte OWASP ASVS 5.0, 7.3: 30 minutes idle, 12 hours in all */
export const OCIOSA_MS = 30 * 60_000;
const DURACAO_MS = 12 * 3_600_000;
/** The last request is noted to the minute: a write for each would not be worth it. */
const TOUCH_EVERY_MS = 60_000;
const AGENTE_CHARACTERS = 300;
/** No client has this id: who is limited and has no client left sees none, never all. */
const NENHUM = 0;

/** What is kept of a session's secret, or of a code. */
export const hashDe = (secret: string) => createHash('sha256').update(secret).digest('hex');

/** Made from the secret, so that nothing more is to be kept; tells nothing of it. */
const csrfDe = (secret: string) => createHash('sha256').update(`csrf/${secret}`).digest('base64url');

/** The sessions of this installation; one for the process. */
export class Sessoes {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  readonly #writing = new Set<Promise<void>>();

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log'>) {
    this.#deps = deps;
  }

  /**
   * @param pedido `semGente`: nobody made this request, so it does not put the end of an idle session off
   * @returns null when there is no such session, it is over, or its user may no longer enter
   */
  async find(secret: string, pedido: { semGente: boolean }): Promise<Sessao | null> {
    if (!SECRET_SHAPE.test(secret)) return null;
    const row = await queries.findSessao(this.#deps.db.read, hashDe(secret));
    const agora = this.#deps.clock.now();
    if (!row || row.expira_em <= agora || row.vista_em + OCIOSA_MS <= agora) return null;
    if (!pedido.semGente && agora - row.vista_em >= TOUCH_EVERY_MS) this.#touch(row.id, agora);
    return {
      id: row.id,
      usuario: { id: row.usuario_id, nome: row.nome, email: row.email, papel: row.papel },
      contadorId: row.contador_id,
      codigoCrm: row.codigo_crm,
      escritorio: row.escritorio,
      alcance: await this.#alcanceDe(row),
      expiraEm: row.expira_em,
      csrf: csrfDe(secret),
    };
  }

  /** Asked anew with each request: who is taken a client away sees nothing of it from then on. */
  async #alcanceDe(row: { usuario_id: number; papel: Papel; limitado: number }): Promise<Alcance> {
    if (row.papel !== 'cliente' && row.limitado === 0) return null;
    const ids = await findClientesDoUsuario(this.#deps.db.read, row.usuario_id);
    return ids.length > 0 ? ids : [NENHUM];
  }

  /** Waits for the marks that are still being written. */
  async drain(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #touch(id: number, agora: number): void {
    const writing = queries
      .touchSessao(this.#deps.db.write, { id, agora })
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'último uso da sessão não foi gravado'))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }
}

/** Begins a session; what is over of the office goes. @returns the secret, shown to the browser only */
export async function openSessao(
  trx: Trx,
  input: { contadorId: number; usuarioId: number; ip: string; agente: string; agora: number },
): Promise<{ valor: string; expiraEm: number }> {
  const { contadorId, usuarioId, ip, agente, agora } = input;
  const valor = randomBytes(SECRET_BYTES).toString('base64url');
  const expiraEm = agora + DURACAO_MS;
  await queries.deleteSessoesVencidas(trx, { contadorId, agora });
  await queries.insertSessao(trx, {
    contador_id: contadorId,
    usuario_id: usuarioId,
    hash: hashDe(valor),
    criada_em: agora,
    vista_em: agora,
    expira_em: expiraEm,
    ip,
    agente: agente.slice(0, AGENTE_CHARACTERS),
  });
  return { valor, expiraEm };
}
