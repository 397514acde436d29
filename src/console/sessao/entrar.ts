/**
 * Logging in: the password, then the second factor where there is one. Who fails learns neither whether the address is
 * known nor how long that took. After ten failures a minute for an address or a place, tries there go on one at a time:
 * wrong ones learn nothing more, and a right one gets in. Who comes from where the account was entered before is counted by
 * himself: strangers from thousands of places cannot keep him waiting.
 */

import { ACAO, auditar } from '../../auditoria/auditar.ts';
import type { Trx } from '../../banco/tabelas.ts';
import type { Logger } from '../../deps.ts';
import { hashSenha, isSenha, isSenhaAntiga } from '../../platform/crypto/senha.ts';
import { makeToken } from '../../platform/crypto/token-opaco.ts';
import type { Janelas } from '../../platform/http/janelas.ts';
import { createFailureLimit, type FailureLimit, HeldUp, type Vez } from '../../platform/http/tentativas.ts';
import {
  codigosDemais,
  codigoTotpInvalido,
  credenciaisInvalidas,
  desafioInvalido,
  tentativasDemais,
} from '../errors.ts';
import * as sessoes from './queries-sessao.ts';
import * as totp from './queries-totp.ts';
import * as usuarios from './queries-usuario.ts';
import { hashDe, openSessao } from './sessoes.ts';
import { type Tentativa, type TotpDeps, tryCodigo } from './totp.ts';

/** @fonte OWASP ASVS 5.0, 6.3 */
const FAILURES_PER_MINUTE = 10;
/** Allows some 30,000 tries a day at an e-mail address that somebody guesses at; its owner waits for seconds. */
const LENTAS = { everyMs: 3_000, waitingMax: 20, waitMs: 15_000 };
const DESAFIO_PREFIX = 'mld';
const DESAFIO_MS = 5 * 60_000;
/** Offices that one address may enter; each costs a hash. */
export const OFFICES_MAX = 8;

/** How often a log-in may fail. @param janelas where processes count together; absent: in the memory of this one */
export function limiteDeFalhas(janelas?: Janelas): FailureLimit {
  return createFailureLimit({
    failuresPerMinute: FAILURES_PER_MINUTE,
    lanes: LENTAS,
    ...(janelas ? { janelas } : {}),
  });
}

/** Where somebody comes from, as the audit log and the list of sessions show it. */
export interface Lugar {
  ip: string;
  agente: string;
  /** Secret of the session that the browser already has: it ends when another begins. */
  anterior: string | null;
}

/** A session that has begun; its secret goes into the cookie. */
export interface Aberta {
  valor: string;
  expiraEm: number;
}

export type Entrada =
  | { etapa: 'pronto'; aberta: Aberta }
  | { etapa: 'totp'; desafio: string }
  | { etapa: 'escritorio'; escritorios: { codigoCrm: string; nome: string }[] };

/** The address as people are found by. */
export const emailChave = (email: string) => email.normalize('NFKC').trim().toLowerCase();

type Candidato = Awaited<ReturnType<typeof usuarios.findQuemPodeEntrar>>[number];

/** The door of the console; one for the process. */
export class Porta {
  readonly #deps: TotpDeps & { log: Logger };
  readonly #failures: FailureLimit;
  readonly #writing = new Set<Promise<void>>();
  /** What the password of nobody is compared with. */
  #nobody: Promise<string> | undefined;

  /** @param deps `janelas` where processes count together; absent: in the memory of this one */
  constructor(deps: TotpDeps & { log: Logger; janelas?: Janelas }) {
    this.#deps = deps;
    this.#failures = limiteDeFalhas(deps.janelas);
  }

  /**
   * Takes a password. One address may belong to several offices: where its password opens more than one, `codigoCrm`
   * says which.
   * @throws credenciais_invalidas, tentativas_demais; NoPlace when too many try at once
   */
  async entrar(input: {
    email: string;
    senha: string;
    codigoCrm: string | null;
    lugar: Lugar;
  }): Promise<Entrada> {
    const { senha, codigoCrm, lugar } = input;
    const chave = emailChave(input.email);
    const rows = await usuarios.findQuemPodeEntrar(this.#deps.db.read, {
      emailChave: chave,
      codigoCrm,
      limite: OFFICES_MAX,
    });
    const conhecido = rows.some((row) => lugaresDe(row.lugares).includes(lugar.ip));
    const keys = [conhecido ? `email/${chave} de ${lugar.ip}` : `email/${chave}`, `ip/${lugar.ip}`];
    const vez = await this.#admit(keys);
    const right = await this.#matching(rows, senha);
    // Those that were tried while others failed are not let through.
    if (!vez) await this.#refuseHeldUp(keys);
    const [first] = right;
    if (!first) {
      await this.#failures.count(keys);
      this.#noteRefused(rows);
      throw vez ? tentativasDemais(vez.seconds) : credenciaisInvalidas();
    }
    if (right.length > 1) {
      const escritorios = right.map((one) => ({ codigoCrm: one.codigo_crm, nome: one.escritorio }));
      return { etapa: 'escritorio', escritorios };
    }
    await this.#refreshHash(first, senha);
    return this.admitir({ contadorId: first.contador_id, usuarioId: first.id, lugar });
  }

  /** Lets a user in whose password is right: at once, or after the second factor. */
  async admitir(input: { contadorId: number; usuarioId: number; lugar: Lugar }): Promise<Entrada> {
    const { contadorId, usuarioId, lugar } = input;
    const agora = this.#deps.clock.now();
    return this.#deps.db.write.transaction().execute(async (trx): Promise<Entrada> => {
      const factor = await totp.findTotp(trx, usuarioId);
      if (factor?.confirmado_em == null)
        return {
          etapa: 'pronto',
          aberta: await begin(trx, { contadorId, usuarioId, lugar, agora, fatores: 1 }),
        };
      const desafio = makeToken(DESAFIO_PREFIX);
      // Others stay: who knows the password, and begins anew all the time, would keep its owner from ever ending.
      await totp.deleteDesafiosVencidos(trx, { usuarioId, agora });
      await totp.insertDesafio(trx, {
        hash: hashDe(desafio),
        contador_id: contadorId,
        usuario_id: usuarioId,
        expira_em: agora + DESAFIO_MS,
      });
      return { etapa: 'totp', desafio };
    });
  }

  /**
   * Takes the code of the second factor, or a recovery code.
   * @throws desafio_invalido, codigo_totp_invalido, tentativas_demais
   */
  async confirmar(input: { desafio: string; codigo: string; lugar: Lugar }): Promise<Aberta> {
    const { db, clock } = this.#deps;
    const { lugar } = input;
    const agora = clock.now();
    // Nobody guesses one: what is no challenge holds nobody up.
    const who = await totp.findDesafio(db.read, { hash: hashDe(input.desafio), agora });
    if (!who) throw desafioInvalido();
    const { usuario_id: usuarioId, contador_id: contadorId } = who;
    const keys = [`totp/${usuarioId}`, `ip/${lugar.ip}`];
    const vez = await this.#admit(keys);
    const outcome = await db.write.transaction().execute(async (trx) => {
      const verdict = await tryCodigo(trx, this.#deps, { usuarioId, codigo: input.codigo });
      if (verdict !== 'certo') return { verdict, aberta: null };
      await totp.deleteDesafios(trx, usuarioId);
      return { verdict, aberta: await begin(trx, { contadorId, usuarioId, lugar, agora, fatores: 2 }) };
    });
    if (outcome.aberta) return outcome.aberta;
    if (outcome.verdict === 'errado') await this.#failures.count(keys);
    this.#noteRefused([{ id: usuarioId, contador_id: contadorId }]);
    throw recusaDoCodigo(outcome.verdict, { vez, agora });
  }

  /** Whether it is the password of a user who is logged in. @throws credenciais_invalidas, tentativas_demais */
  async requireSenha(input: {
    contadorId: number;
    usuarioId: number;
    senha: string;
    ip: string;
  }): Promise<void> {
    const { contadorId, usuarioId, senha, ip } = input;
    const keys = [`usuario/${usuarioId}`, `ip/${ip}`];
    const vez = await this.#admit(keys);
    const row = await usuarios.findUsuario(this.#deps.db.read, { contadorId, id: usuarioId });
    const right = row?.senha ? await isSenha(senha, row.senha) : false;
    if (!vez) await this.#refuseHeldUp(keys);
    if (right) return;
    await this.#failures.count(keys);
    throw vez ? tentativasDemais(vez.seconds) : credenciaisInvalidas();
  }

  /** Waits for what is still being written. */
  async drain(): Promise<void> {
    await Promise.all(this.#writing);
  }

  /** @throws tentativas_demais when no turn came */
  #admit(keys: readonly string[]): Promise<Vez | null> {
    return this.#failures.admit(keys).catch(toTentativasDemais);
  }

  /** @throws tentativas_demais */
  #refuseHeldUp(keys: readonly string[]): Promise<void> {
    return this.#failures.refuse(keys).catch(toTentativasDemais);
  }

  /** One hash at least, whoever it is, so that the time tells nothing. */
  async #matching(rows: readonly Candidato[], senha: string): Promise<Candidato[]> {
    if (rows.length === 0) {
      this.#nobody ??= hashSenha('a senha de ninguém').catch((error: unknown) => {
        this.#nobody = undefined;
        throw error;
      });
      await isSenha(senha, await this.#nobody);
      return [];
    }
    const right = await Promise.all(rows.map((row) => isSenha(senha, row.senha ?? '')));
    return rows.filter((_row, at) => right[at]);
  }

  async #refreshHash(row: Candidato, senha: string): Promise<void> {
    if (!row.senha || !isSenhaAntiga(row.senha)) return;
    const set = { senha: await hashSenha(senha) };
    await usuarios.updateUsuario(this.#deps.db.write, { contadorId: row.contador_id, id: row.id, set });
  }

  /** Not waited for: an address that is known must not answer later than one that is not. */
  #noteRefused(rows: readonly { id: number; contador_id: number }[]): void {
    const [row] = rows;
    if (!row) return;
    const em = this.#deps.clock.now();
    const writing = this.#deps.db.write
      .transaction()
      .execute(async (trx) => {
        await auditar(trx, {
          em,
          acao: ACAO.sessaoRecusada,
          contadorId: row.contador_id,
          autor: `usuario:${row.id}`,
          alvo: `usuario/${row.id}`,
        });
      })
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'uma entrada recusada não foi auditada'))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }
}

/** Places that are remembered of somebody: at the office, at home, on the way. */
const LUGARES_MAX = 5;

const lugaresDe = (guardados: string | null): string[] => guardados?.split(' ') ?? [];

function comLugar(guardados: string | null, ip: string): string {
  const outros = lugaresDe(guardados).filter((lugar) => lugar !== ip);
  return [ip, ...outros].slice(0, LUGARES_MAX).join(' ');
}

/** A new session; the one that the browser had ends. */
async function begin(
  trx: Trx,
  input: { contadorId: number; usuarioId: number; lugar: Lugar; agora: number; fatores: number },
): Promise<Aberta> {
  const { contadorId, usuarioId, lugar, agora, fatores } = input;
  if (lugar.anterior !== null) await sessoes.deleteSessaoByHash(trx, hashDe(lugar.anterior));
  const lugares = comLugar(await usuarios.findLugares(trx, usuarioId), lugar.ip);
  await usuarios.updateUsuario(trx, { contadorId, id: usuarioId, set: { entrou_em: agora, lugares } });
  await auditar(trx, {
    em: agora,
    acao: ACAO.sessaoAberta,
    contadorId,
    autor: `usuario:${usuarioId}`,
    alvo: `usuario/${usuarioId}`,
    detalhe: { fatores },
  });
  return openSessao(trx, { contadorId, usuarioId, ip: lugar.ip, agente: lugar.agente, agora });
}

function recusaDoCodigo(
  verdict: Exclude<Tentativa, 'certo'>,
  { vez, agora }: { vez: Vez | null; agora: number },
): Error {
  if (verdict === 'errado') return vez ? tentativasDemais(vez.seconds) : codigoTotpInvalido();
  return codigosDemais(Math.max(1, Math.ceil((verdict.esperarAte - agora) / 1_000)));
}

function toTentativasDemais(error: unknown): never {
  throw error instanceof HeldUp ? tentativasDemais(error.seconds) : error;
}
