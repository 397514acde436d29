/** The people of an office: invited, changed, removed by its administrators. One of those always stays. */

import { ACAO, auditar } from '../../auditoria/auditar.ts';
import type { Convite } from '../../autorizacao/convite.ts';
import type { Db, Trx } from '../../banco/tabelas.ts';
import type { Papel } from '../../banco/tabelas-console.ts';
import { Campos } from '../../contas/campos.ts';
import type { Deps } from '../../deps.ts';
import { ultimoAdministrador, usuarioJaCadastrado, usuarioNaoEncontrado } from '../errors.ts';
import {
  alcanceDoPapel,
  type ClienteDoUsuario,
  clientesDe,
  clientesDeTodos,
  colunasDoAlcance,
  keepAlcance,
} from '../sessao/alcance-do-usuario.ts';
import { invite } from '../sessao/convites.ts';
import { emailChave } from '../sessao/entrar.ts';
import { detachIdentidades } from '../sessao/externo.ts';
import { deleteSessoesDoUsuario } from '../sessao/queries-sessao.ts';
import * as queries from '../sessao/queries-usuario.ts';
import { removeTotp } from '../sessao/totp.ts';
import { instanteDe } from '../tempo.ts';
import { deleteConvitesDoUsuario, lockContador } from './queries-remover.ts';

type AtoDeps = Pick<Deps, 'db' | 'clock'>;

/** Who acts, and in which office. */
interface Ator {
  contadorId: number;
  autor: string;
}

/** A user as the console lists one. */
function presentUsuario(
  row: Awaited<ReturnType<typeof queries.findUsuarios>>[number],
  clientes: ClienteDoUsuario[],
) {
  return {
    id: row.id,
    nome: row.nome,
    email: row.email,
    papel: row.papel,
    clientes: ehLimitado(row) ? clientes : null,
    situacao: row.ativo === 0 ? 'desativado' : nuncaEntrou(row) ? 'convidado' : 'ativo',
    ativo: row.ativo === 1,
    totpAtivo: row.confirmado_em !== null,
    criadoEm: instanteDe(row.criado_em),
    entrouEm: instanteDe(row.entrou_em),
  };
}

/** Without a password somebody may still have come in by an identity provider. */
const nuncaEntrou = ({ senha, entrou_em }: { senha: string | null; entrou_em: number | null }) =>
  senha === null && entrou_em === null;

/** Everybody of an office, by name. */
export async function listUsuarios(db: Db, contadorId: number) {
  const clientes = await clientesDeTodos(db, contadorId);
  const rows = await queries.findUsuarios(db, contadorId);
  return rows.map((row) => presentUsuario(row, clientes.get(row.id) ?? []));
}

interface NovoUsuario {
  nome: string;
  email: string;
  papel: Papel;
  /** CPF/CNPJ of whom papel `cliente` sees, and of an operator's portfolio; null or absent: the whole office. */
  clientes?: readonly string[] | null;
}

/**
 * Adds somebody, who comes in by the link that this returns.
 * @throws dados_invalidos, usuario_ja_cadastrado
 */
export async function createUsuario(
  deps: AtoDeps,
  input: Ator & { novo: NovoUsuario },
): Promise<{ id: number; convite: Convite }> {
  const { contadorId, autor, novo } = input;
  const agora = deps.clock.now();
  const campos = new Campos();
  const nome = campos.nome('nome', novo.nome);
  const email = campos.email('email', novo.email);
  const { papel, clientes = null } = novo;
  const alcance = await alcanceDoPapel(deps.db.read, campos, { contadorId, papel, clientes });
  campos.check();
  return deps.db.write.transaction().execute(async (trx) => {
    const id = await queries.insertUsuario(trx, {
      contador_id: contadorId,
      email,
      email_chave: emailChave(email),
      nome,
      papel,
      ...colunasDoAlcance(papel, alcance),
      senha: null,
      senha_em: null,
      criado_em: agora,
      entrou_em: null,
    });
    if (id === null) throw usuarioJaCadastrado(email);
    await keepAlcance(trx, { contadorId, usuarioId: id, alcance });
    const detalhe = { papel, email, ...(alcance === null ? {} : { clientes: alcance.length }) };
    await auditar(trx, {
      em: agora,
      acao: ACAO.usuarioCriado,
      contadorId,
      autor,
      alvo: `usuario/${id}`,
      detalhe,
    });
    return { id, convite: await invite(trx, { contadorId, usuarioId: id, email, agora, autor }) };
  });
}

export interface MudancaDeUsuario {
  nome?: string;
  papel?: Papel;
  ativo?: boolean;
  /** As in `NovoUsuario`; absent: as before. */
  clientes?: readonly string[] | null;
}

/**
 * Changes what is given. Who is deactivated is out at once.
 * @throws usuario_nao_encontrado, dados_invalidos, ultimo_administrador
 */
export async function alterarUsuario(
  deps: AtoDeps,
  input: Ator & { id: number; mudanca: MudancaDeUsuario },
): Promise<void> {
  const { contadorId, autor, id, mudanca } = input;
  const agora = deps.clock.now();
  await deps.db.write.transaction().execute(async (trx) => {
    await lockContador(trx, contadorId);
    const before = await queries.findUsuario(trx, { contadorId, id });
    if (!before) throw usuarioNaoEncontrado(id);
    const papel = mudanca.papel ?? before.papel;
    const ativo = mudanca.ativo ?? before.ativo === 1;
    const campos = new Campos();
    const nome = mudanca.nome === undefined ? before.nome : campos.nome('nome', mudanca.nome);
    const clientes = mudanca.clientes === undefined ? await clientesDeAntes(trx, before) : mudanca.clientes;
    const alcance = await alcanceDoPapel(trx, campos, { contadorId, papel, clientes });
    campos.check();
    if (papel !== 'administrador' || !ativo) await requireOutroAdministrador(trx, { contadorId, before });
    await queries.updateUsuario(trx, {
      contadorId,
      id,
      set: { nome, papel, ativo: ativo ? 1 : 0, ...colunasDoAlcance(papel, alcance) },
    });
    await keepAlcance(trx, { contadorId, usuarioId: id, alcance });
    if (!ativo) await deleteSessoesDoUsuario(trx, { contadorId, usuarioId: id, menos: 0 });
    await auditar(trx, {
      em: agora,
      acao: ACAO.usuarioAlterado,
      contadorId,
      autor,
      alvo: `usuario/${id}`,
      detalhe: { campos: Object.keys(mudanca), papel, ativo },
    });
  });
}

/**
 * A new link for somebody who lost password or device. The password works on until the link is used.
 * @throws usuario_nao_encontrado
 */
export async function redefinirUsuario(
  deps: AtoDeps,
  input: Ator & { id: number; semTotp: boolean },
): Promise<Convite> {
  const { contadorId, autor, id, semTotp } = input;
  const agora = deps.clock.now();
  return deps.db.write.transaction().execute(async (trx) => {
    const row = await queries.findUsuario(trx, { contadorId, id });
    if (!row || row.ativo === 0) throw usuarioNaoEncontrado(id);
    await detachIdentidades(trx, { contadorId, usuarioId: id, autor, agora });
    if (semTotp) await removeTotp(trx, { contadorId, usuarioId: id, autor, agora });
    return invite(trx, { contadorId, usuarioId: id, email: row.email, agora, autor });
  });
}

/** Removes somebody, sessions and all. The audit log keeps who it was. @throws usuario_nao_encontrado, ultimo_administrador */
export async function removeUsuario(deps: AtoDeps, input: Ator & { id: number }): Promise<void> {
  const { contadorId, autor, id } = input;
  const agora = deps.clock.now();
  await deps.db.write.transaction().execute(async (trx) => {
    await lockContador(trx, contadorId);
    const before = await queries.findUsuario(trx, { contadorId, id });
    if (!before) throw usuarioNaoEncontrado(id);
    await requireOutroAdministrador(trx, { contadorId, before });
    await deleteSessoesDoUsuario(trx, { contadorId, usuarioId: id, menos: 0 });
    await removeTotp(trx, { contadorId, usuarioId: id, autor, agora });
    await detachIdentidades(trx, { contadorId, usuarioId: id, autor, agora });
    await deleteConvitesDoUsuario(trx, id);
    await keepAlcance(trx, { contadorId, usuarioId: id, alcance: null });
    await queries.deleteUsuario(trx, { contadorId, id });
    const detalhe = { email: before.email, nome: before.nome, papel: before.papel };
    await auditar(trx, {
      em: agora,
      acao: ACAO.usuarioRemovido,
      contadorId,
      autor,
      alvo: `usuario/${id}`,
      detalhe,
    });
  });
}

/** Somebody else must be able to do what only administrators can. @throws ultimo_administrador */
async function requireOutroAdministrador(
  trx: Trx,
  input: { contadorId: number; before: { id: number; papel: Papel; ativo: number; senha: string | null } },
): Promise<void> {
  const { contadorId, before } = input;
  const counts = before.papel === 'administrador' && before.ativo === 1 && before.senha !== null;
  if (!counts) return;
  if (!(await queries.findOutroAtivo(trx, { contadorId, papel: 'administrador', menos: before.id })))
    throw ultimoAdministrador();
}

const ehLimitado = ({ papel, limitado }: { papel: Papel; limitado: number }) =>
  papel === 'cliente' || limitado === 1;

/** What somebody was limited to before a change; null: to nothing. */
async function clientesDeAntes(
  trx: Trx,
  before: { id: number; contador_id: number; papel: Papel; limitado: number },
): Promise<string[] | null> {
  return ehLimitado(before) ? (await clientesDe(trx, before)).map(({ cpfCnpj }) => cpfCnpj) : null;
}
