/**
 * Logging in by an identity provider (OpenID Connect). It opens nothing for anybody who is no user yet: an administrator has
 * invited or made them. The first time, the provider's verified address tells who it is, and the provider's account is noted;
 * from then on that account alone comes in as them, also when somebody else is given the address. The second factor of Malote
 * is asked for all the same, where its owner has one.
 */
import { randomBytes } from 'node:crypto';
import { ACAO, auditar } from '../../auditoria/auditar.ts';
import { type Provedor, readProvedores } from '../../autorizacao/provedores/ler-provedores.ts';
import { ParteConfiante, ProvedorFalhou, stateDe } from '../../autorizacao/provedores/parte-confiante.ts';
import type { Deps } from '../../deps.ts';
import type { Janelas } from '../../platform/http/janelas.ts';
import type { FailureLimit } from '../../platform/http/tentativas.ts';
import { entradaExternaInvalida, provedorNaoEncontrado, semAcessoExterno } from '../errors.ts';
import { type Entrada, emailChave, type Lugar, limiteDeFalhas, OFFICES_MAX, type Porta } from './entrar.ts';
import * as queries from './queries-externo.ts';
import { hashDe } from './sessoes.ts';

/** From coming back to being let in: somebody chooses an office. */
const ENTRADA_MS = 5 * 60_000;
const SECRET_BYTES = 32;
const COOKIE_SHAPE = /^([a-z0-9-]{1,40})\.([A-Za-z0-9_-]{43})$/;

type ExternoDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'config'>;

/** What the provider has sent the browser back with. */
interface Volta {
  /** What the browser's cookie holds; null: it has none. */
  cookie: string | null;
  state: string | undefined;
  code: string | undefined;
  redirectUri: string;
  ip: string;
}

/** The providers of this installation; one for the process. */
export class EntradaExterna {
  readonly #deps: ExternoDeps;
  readonly #partes: ReadonlyMap<string, ParteConfiante>;
  readonly #failures: FailureLimit;

  constructor(deps: ExternoDeps, janelas?: Janelas) {
    this.#deps = deps;
    this.#partes = new Map(
      readProvedores(deps.config.entrarCom).map((one) => [one.id, new ParteConfiante(deps, one)]),
    );
    this.#failures = limiteDeFalhas(janelas);
  }

  get provedores(): Pick<Provedor, 'id' | 'nome'>[] {
    return [...this.#partes.values()].map(({ provedor: { id, nome } }) => ({ id, nome }));
  }

  /**
   * @returns where the browser goes, and what its cookie is to hold until it comes back
   * @throws provedor_nao_encontrado; ProvedorFalhou when the provider does not answer
   */
  async begin(input: { provedor: string; redirectUri: string }): Promise<{ url: string; cookie: string }> {
    const parte = this.#partes.get(input.provedor);
    if (!parte) throw provedorNaoEncontrado();
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const url = await parte.authorizationUrl({ secret, redirectUri: input.redirectUri });
    return { url, cookie: `${input.provedor}.${secret}` };
  }

  /** Asks the provider who has come back, and notes it for `entrar`. @throws ProvedorFalhou */
  async comeBack({ cookie, state, code, redirectUri, ip }: Volta): Promise<void> {
    const begun = this.#begun(cookie);
    if (!begun || state !== stateDe(begun.secret))
      throw new ProvedorFalhou('resposta_invalida', 'no log-in was begun here');
    if (code === undefined) throw new ProvedorFalhou('recusado', 'no code');
    const keys = [`externo/${ip}`];
    await this.#failures.admit(keys);
    const { parte, secret } = begun;
    const who = await parte.identify({ secret, redirectUri, code }).catch(async (error: unknown) => {
      await this.#failures.count(keys);
      throw error;
    });
    const agora = this.#deps.clock.now();
    await this.#deps.db.write.transaction().execute(async (trx) => {
      await queries.deleteEntradasVencidas(trx, agora);
      await queries.insertEntrada(trx, {
        hash: hashDe(secret),
        provedor: parte.provedor.id,
        emissor: who.emissor,
        sub: who.sub,
        email_chave: emailChave(who.email),
        expira_em: agora + ENTRADA_MS,
      });
    });
  }

  /**
   * Lets in who has come back. One account may enter several offices; then `codigoCrm` says which.
   * @throws entrada_externa_invalida, sem_acesso_externo
   */
  async entrar(input: {
    porta: Porta;
    cookie: string | null;
    codigoCrm: string | null;
    lugar: Lugar;
  }): Promise<Entrada> {
    const { porta, codigoCrm, lugar } = input;
    const { db, clock } = this.#deps;
    const agora = clock.now();
    const begun = this.#begun(input.cookie);
    const hash = begun ? hashDe(begun.secret) : '';
    const entrada = await queries.findEntrada(db.read, { hash, agora });
    if (!entrada) throw entradaExternaInvalida();
    const all = await this.#candidates(entrada);
    const chosen = codigoCrm === null ? all : all.filter((one) => one.codigo_crm === codigoCrm);
    const [first] = chosen;
    if (!first) throw semAcessoExterno(entrada.email_chave);
    if (chosen.length > 1) {
      const escritorios = chosen.map((one) => ({ codigoCrm: one.codigo_crm, nome: one.escritorio }));
      return { etapa: 'escritorio', escritorios };
    }
    const who = { contadorId: first.contador_id, usuarioId: first.id };
    await db.write.transaction().execute(async (trx) => {
      if (!(await queries.spendEntrada(trx, hash))) throw entradaExternaInvalida();
      if (!first.ligado) await this.#bind(trx, { ...who, entrada, agora });
    });
    return porta.admitir({ ...who, lugar });
  }

  /** Those whose account it is already, and those whose address it is and who have none of this provider. */
  async #candidates({ emissor, sub, email_chave }: { emissor: string; sub: string; email_chave: string }) {
    const { read } = this.#deps.db;
    const limite = OFFICES_MAX;
    const ligados = await queries.findLigados(read, { emissor, sub, limite });
    const porEmail = await queries.findPorEmail(read, { emissor, emailChave: email_chave, limite });
    const offices = new Set(ligados.map((one) => one.contador_id));
    return [
      ...ligados.map((one) => ({ ...one, ligado: true })),
      ...porEmail.filter((one) => !offices.has(one.contador_id)).map((one) => ({ ...one, ligado: false })),
    ];
  }

  async #bind(
    trx: Parameters<typeof queries.insertIdentidade>[0],
    input: {
      contadorId: number;
      usuarioId: number;
      entrada: { provedor: string; emissor: string; sub: string };
      agora: number;
    },
  ): Promise<void> {
    const { contadorId, usuarioId, entrada, agora } = input;
    const { provedor, emissor, sub } = entrada;
    const row = { usuario_id: usuarioId, contador_id: contadorId, emissor, sub, ligada_em: agora };
    if (!(await queries.insertIdentidade(trx, row))) throw entradaExternaInvalida();
    await auditar(trx, {
      em: agora,
      acao: ACAO.identidadeLigada,
      contadorId,
      autor: `usuario:${usuarioId}`,
      alvo: `usuario/${usuarioId}`,
      detalhe: { provedor, emissor },
    });
  }

  #begun(cookie: string | null): { parte: ParteConfiante; secret: string } | null {
    const [, id = '', secret] = COOKIE_SHAPE.exec(cookie ?? '') ?? [];
    const parte = this.#partes.get(id);
    return parte && secret ? { parte, secret } : null;
  }
}

/** Takes a user's accounts of all providers away: the next one who comes with the address is bound anew. */
export async function detachIdentidades(
  trx: Parameters<typeof queries.deleteIdentidades>[0],
  input: { contadorId: number; usuarioId: number; autor: string; agora: number },
): Promise<void> {
  const { contadorId, usuarioId, autor, agora } = input;
  if (!(await queries.deleteIdentidades(trx, { contadorId, usuarioId }))) return;
  await auditar(trx, {
    em: agora,
    acao: ACAO.identidadeDesligada,
    contadorId,
    autor,
    alvo: `usuario/${usuarioId}`,
  });
}
