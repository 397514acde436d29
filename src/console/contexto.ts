/** What every group of console routes is given, and whose request it is. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Enderecos } from '../autorizacao/contexto.ts';
import type { DepsDaCaptura } from '../captura/deps-da-captura.ts';
import type { CadastroDeps } from '../contas/cadastrar.ts';
import { type Cliente, findCliente, findClienteById } from '../contas/clientes.ts';
import { clienteNaoEncontrado } from '../contas/errors.ts';
import type { Deps } from '../deps.ts';
import type { RegistroDeAcessos } from '../documentos/read/acessos.ts';
import { dadoInvalido } from '../platform/http/errors.ts';
import type { Janelas } from '../platform/http/janelas.ts';
import type { Alcance } from './acesso.ts';
import type { LeitorDeDocumentos } from './documento/leitor-de-documentos.ts';
import type { ExecutorDeExportacoes } from './exportacoes/executor.ts';
import type { Processo } from './saude/saude.ts';
import type { Porta } from './sessao/entrar.ts';
import type { Sessao } from './sessao/sessao.ts';

export type { Sessao } from './sessao/sessao.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard of the console; null on public routes and outside of the console. */
    sessao: Sessao | null;
  }
}

/** What route groups of the console are given by `routes.ts`. */
export interface ConsoleHttp {
  /** Where processes count failed tries together; absent: in the memory of this one. */
  janelas?: Janelas;
  deps: Deps;
  /** Acts of the accounts area. */
  contas: CadastroDeps;
  porta: Porta;
  /** The public addresses of this installation, as the request's own origin or the settings have them. */
  enderecos(request: FastifyRequest): EnderecosPublicos;
  /** Signs the addresses that files are sent to. */
  assinante: Enderecos;
  /** What acts of capture need. */
  captura: DepsDaCaptura;
  processo: Processo;
  /** Who read which document. */
  acessos: RegistroDeAcessos;
  /** The thread in which documents are read and drawn. */
  leitor: LeitorDeDocumentos;
  /** Makes mass exports. */
  exportacoes: ExecutorDeExportacoes;
}

/** Without trailing slash. */
type EnderecosPublicos = Record<'base' | 'importacao' | 'upload' | 'contas' | 'auth' | 'docs', string>;

export type HookDoConsole = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Whose request it is. @throws on a public route, which has nobody */
export function sessaoOf(request: FastifyRequest): Sessao {
  if (!request.sessao) throw new Error(`route ${request.routeOptions.url} has no session`);
  return request.sessao;
}

/** The author of an act in the audit log. */
export function autorOf({ usuario }: Pick<Sessao, 'usuario'>): string {
  return `usuario:${usuario.id}`;
}

/** In which office a request acts, and as whose act the audit log notes it. */
export function escopoOf(request: FastifyRequest): { contadorId: number; autor: string } {
  const sessao = sessaoOf(request);
  return { contadorId: sessao.contadorId, autor: autorOf(sessao) };
}

/**
 * The client that a path or filter names: of the session's office, and one of those that the session sees. Anybody
 * else's is answered as one that is not there.
 * @throws cliente_nao_encontrado
 */
export async function requireClienteDaSessao(
  deps: Pick<Deps, 'db'>,
  input: { sessao: Sessao; cpfCnpj: string },
): Promise<Cliente> {
  const { contadorId, alcance } = input.sessao;
  const cliente = await findCliente(deps.db.read, { contadorId, cpfCnpj: input.cpfCnpj });
  if (!cliente || alcance?.includes(cliente.id) === false) throw clienteNaoEncontrado();
  return cliente;
}

/** The clients that a request looks at: the one that it names, else all that the session sees. @throws cliente_nao_encontrado */
export async function alcanceDaConsulta(
  deps: Pick<Deps, 'db'>,
  input: { sessao: Sessao; cliente: string | undefined },
): Promise<Alcance> {
  const { sessao, cliente } = input;
  if (!cliente) return sessao.alcance;
  return [(await requireClienteDaSessao(deps, { sessao, cpfCnpj: cliente })).id];
}

/** Of whose uploads somebody who is limited to some clients knows: their own. Null: of all of the office. */
export const remetenteVisto = ({ alcance, usuario }: Sessao): number | null =>
  alcance === null ? null : usuario.id;

/**
 * The client of what one client alone has: the one that is named, or the only one that the session sees.
 * @param input.para what it has to be chosen for
 * @throws cliente_nao_encontrado; dados_invalidos where none is named and there are several
 */
export async function umCliente(
  deps: Pick<Deps, 'db'>,
  { sessao, cpfCnpj, para }: { sessao: Sessao; cpfCnpj: string | undefined; para: string },
): Promise<Cliente> {
  if (cpfCnpj) return requireClienteDaSessao(deps, { sessao, cpfCnpj });
  const { contadorId, alcance } = sessao;
  const [only, ...others] = alcance ?? [];
  const cliente =
    only !== undefined &&
    others.length === 0 &&
    (await findClienteById(deps.db.read, { contadorId, id: only }));
  if (!cliente) throw dadoInvalido('cliente', `Escolha um cliente para ${para}.`, 'obrigatorio');
  return cliente;
}
