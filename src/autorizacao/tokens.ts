import { ACAO, auditar } from '../auditoria/auditar.ts';
import type { Db } from '../banco/tabelas.ts';
import { Campos } from '../contas/campos.ts';
import type { Deps } from '../deps.ts';
import { boundedCache } from '../platform/bounded-cache.ts';
import { hashToken, isTokenShaped, makeToken } from '../platform/crypto/token-opaco.ts';
import { LOCK, lockFor } from '../platform/db/locks.ts';
import { runAsService } from '../platform/db/tenant.ts';
import { dadoInvalido } from '../platform/http/errors.ts';
import type { Auth } from './contexto.ts';
import { tokenNaoEncontrado } from './errors.ts';
import * as queries from './queries.ts';

/** `mlt_` + 43 random characters + 6 of checksum. */
const TOKEN_PREFIX = 'mlt';
/** Whether a text has the form of an integration token. It may be anybody's, or worth nothing. */
export const isTokenDeIntegracao = (text: string) => isTokenShaped(text, TOKEN_PREFIX);
/** A revoked token may still serve this long in another process; longer would break the promise of 5 s (docs/emissores.md). */
const REMEMBERED_MS = 4_000;
const REMEMBERED_TOKENS = 10_000;
/** The last use is for people: a minute is exact enough, and a write a request would not be. */
const LAST_USE_EVERY_MS = 60_000;
const SHOWN_CHARACTERS = 4;
/** Author of an act in the audit log where nobody else is named. */
const AUTOR_CLI = 'cli';

/** What a new token may do. Only additional tokens may be limited. */
export interface TokenInput {
  contadorId: number;
  nome?: string;
  adicional?: boolean;
  escopo?: Auth['escopo'];
  /** Ids of clients of the same office; such a token only exports, since an upload can hold anybody's documents. */
  clienteIds?: readonly number[];
  /** Milliseconds UTC; absent: it works until it is revoked. */
  expiraEm?: number;
  /** Who makes it, for the audit log; absent: the command line. */
  autor?: string;
}

/**
 * Makes an integration token of an office. The main one revokes the main one before it; an additional one stands
 * beside it. The token is returned this once and kept nowhere, only its SHA-256 is.
 * @throws dados_invalidos when the main one is to be limited, or the limits contradict each other
 */
export async function createToken(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: TokenInput,
): Promise<{ id: number; token: string; finais: string }> {
  const agora = deps.clock.now();
  checkLimits(input, agora);
  const { contadorId, clienteIds, adicional } = input;
  const token = makeToken(TOKEN_PREFIX);
  const finais = token.slice(-SHOWN_CHARACTERS);
  const id = await deps.db.write.transaction().execute(async (trx) => {
    // When two main tokens are made at once, one revokes the other.
    if (!adicional) await lockFor(trx, LOCK.escritorio, [contadorId]);
    if (!adicional) await queries.revokeMainTokens(trx, { contadorId, agora });
    const tokenId = await queries.insertToken(trx, {
      contador_id: contadorId,
      nome: input.nome ?? 'Integração',
      hash: hashToken(token),
      finais,
      adicional: adicional ? 1 : 0,
      criado_em: agora,
      expira_em: input.expiraEm ?? null,
      revogado_em: null,
      ultimo_uso_em: null,
      escopo: clienteIds ? 'exportacao' : (input.escopo ?? 'tudo'),
      restrito: clienteIds ? 1 : 0,
    });
    if (clienteIds)
      await queries.insertClientesDoToken(trx, { tokenId, clienteIds: [...new Set(clienteIds)] });
    await auditar(trx, {
      em: agora,
      acao: ACAO.tokenCriado,
      contadorId,
      autor: input.autor ?? AUTOR_CLI,
      alvo: `token/${tokenId}`,
      detalhe: { finais, adicional: adicional === true },
    });
    return tokenId;
  });
  return { id, token, finais };
}

function checkLimits(input: TokenInput, agora: number): void {
  const { adicional, escopo, clienteIds, expiraEm } = input;
  const limited = (escopo ?? 'tudo') !== 'tudo' || clienteIds !== undefined || expiraEm !== undefined;
  if (limited && !adicional) throw dadoInvalido('adicional', 'Só um token adicional pode ter limites.');
  if (clienteIds?.length === 0) throw dadoInvalido('clientes', 'Informe ao menos um cliente.');
  if (clienteIds && escopo === 'importacao')
    throw dadoInvalido('escopo', 'Um token limitado a clientes só serve à exportação.');
  if (expiraEm !== undefined && expiraEm <= agora)
    throw dadoInvalido('expiraEm', 'A validade do token já passou.');
}

/** What people see of a token. Times are milliseconds UTC. */
export interface TokenListado {
  id: number;
  nome: string;
  /** Its last characters. */
  finais: string;
  adicional: boolean;
  escopo: Auth['escopo'];
  /** CPF/CNPJ of the only clients that it reaches; null: all. */
  clientes: string[] | null;
  criadoEm: number;
  expiraEm: number | null;
  revogadoEm: number | null;
  ultimoUsoEm: number | null;
  /** Address that it came from then. */
  ultimoUsoIp: string | null;
}

/** Lists the tokens of an office, newest first, revoked ones included. */
export async function listTokens(db: Db, input: { contadorId: number }): Promise<TokenListado[]> {
  const rows = await queries.findTokensDoContador(db, input.contadorId);
  const clientes = await queries.findClientesDosTokens(db, input.contadorId);
  return rows.map((row) => ({
    id: row.id,
    nome: row.nome,
    finais: row.finais,
    adicional: row.adicional === 1,
    escopo: row.escopo,
    clientes: row.restrito
      ? clientes.filter((one) => one.token_id === row.id).map((one) => one.cpf_cnpj)
      : null,
    criadoEm: row.criado_em,
    expiraEm: row.expira_em,
    revogadoEm: row.revogado_em,
    ultimoUsoEm: row.ultimo_uso_em,
    ultimoUsoIp: row.ultimo_uso_ip,
  }));
}

/** Revokes a token; it stops within five seconds in every process. @throws token_nao_encontrado */
export async function revokeToken(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: { contadorId: number; id: number; autor?: string },
): Promise<void> {
  const { contadorId, id } = input;
  const agora = deps.clock.now();
  await deps.db.write.transaction().execute(async (trx) => {
    if (!(await queries.revokeToken(trx, { contadorId, id, agora }))) throw tokenNaoEncontrado(id);
    await auditar(trx, {
      em: agora,
      acao: ACAO.tokenRevogado,
      contadorId,
      autor: input.autor ?? AUTOR_CLI,
      alvo: `token/${id}`,
    });
  });
}

/** Gives a token another name. @throws token_nao_encontrado, dados_invalidos */
export async function renameToken(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: { contadorId: number; id: number; nome: string; autor: string },
): Promise<void> {
  const { contadorId, id, autor } = input;
  const campos = new Campos();
  const nome = campos.nome('nome', input.nome);
  campos.check();
  await deps.db.write.transaction().execute(async (trx) => {
    if (!(await queries.renameToken(trx, { contadorId, id, nome }))) throw tokenNaoEncontrado(id);
    const em = deps.clock.now();
    await auditar(trx, {
      em,
      acao: ACAO.tokenAlterado,
      contadorId,
      autor,
      alvo: `token/${id}`,
      detalhe: { nome },
    });
  });
}

interface Remembered {
  auth: Auth;
  tokenId: number;
  expiraEm: number | null;
  readAt: number;
}

/** Finds whose token a text is. One for the process: it remembers tokens for a few seconds. */
export class TokenReader {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  readonly #remembered = boundedCache<string, Remembered>(REMEMBERED_TOKENS);
  readonly #lastUse = boundedCache<number, number>(REMEMBERED_TOKENS);
  readonly #writing = new Set<Promise<void>>();

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log'>) {
    this.#deps = deps;
  }

  /** @param ip where it comes from, for the last use @returns null when the token is unknown, revoked or expired */
  async authenticate(token: string, ip: string | null = null): Promise<Auth | null> {
    if (!isTokenShaped(token, TOKEN_PREFIX)) return null;
    const hash = hashToken(token);
    const found = this.#recall(hash) ?? (await this.#read(hash));
    if (!found || (found.expiraEm !== null && found.expiraEm <= this.#deps.clock.now())) return null;
    this.noteUse(found.tokenId, ip);
    return found.auth;
  }

  /** Somebody has seen that a token was revoked: it is looked up again. */
  forget(tokenId: number): void {
    for (const [hash, known] of this.#remembered.entries()) {
      if (known.tokenId === tokenId) this.#remembered.delete(hash);
    }
  }

  /** Writes the last use at most once a minute, and without making the request wait. @param ip where it comes from */
  noteUse(tokenId: number, ip: string | null): void {
    const agora = this.#deps.clock.now();
    const before = this.#lastUse.get(tokenId);
    if (before !== undefined && Math.abs(agora - before) < LAST_USE_EVERY_MS) return;
    this.#lastUse.set(tokenId, agora);
    const writing = runAsService(() => queries.touchToken(this.#deps.db.write, { id: tokenId, agora, ip }))
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'último uso do token não foi gravado'))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** Waits for the last-use marks that are still being written. */
  async drain(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #recall(hash: string): Remembered | null {
    const known = this.#remembered.get(hash);
    if (!known) return null;
    const age = this.#deps.clock.now() - known.readAt;
    return age >= 0 && age < REMEMBERED_MS ? known : null;
  }

  async #read(hash: string): Promise<Remembered | null> {
    const readAt = this.#deps.clock.now();
    const row = await queries.findTokenByHash(this.#deps.db.read, hash);
    if (!row) {
      this.#remembered.delete(hash);
      return null;
    }
    const auth: Auth = {
      contadorId: row.contador_id,
      codigoCrm: row.codigo_crm,
      tokenId: row.id,
      autor: `token:${row.id}`,
      escopo: row.escopo,
      clienteIds: row.restrito
        ? new Set(await queries.findClientesDoToken(this.#deps.db.read, row.id))
        : null,
    };
    const found = { auth, tokenId: row.id, expiraEm: row.expira_em, readAt };
    this.#remembered.set(hash, found);
    if (row.ultimo_uso_em !== null && !this.#lastUse.has(row.id))
      this.#lastUse.set(row.id, row.ultimo_uso_em);
    return found;
  }
}
