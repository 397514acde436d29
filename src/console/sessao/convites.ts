/** Invitations: how somebody who has no password yet, or has lost it, comes to one. */

import { ACAO, auditar } from '../../auditoria/auditar.ts';
import { type Convite, createConvite, isCodigoDeConvite } from '../../autorizacao/convite.ts';
import * as convites from '../../autorizacao/queries.ts';
import type { Db, Trx } from '../../banco/tabelas.ts';
import type { Papel } from '../../banco/tabelas-console.ts';
import { Campos } from '../../contas/campos.ts';
import type { Deps } from '../../deps.ts';
import { hashToken } from '../../platform/crypto/token-opaco.ts';
import { conviteInvalido } from '../errors.ts';
import { emailChave } from './entrar.ts';
import * as usuarios from './queries-usuario.ts';
import { keepSenha, novaSenha } from './senha-nova.ts';

type AtoDeps = Pick<Deps, 'db' | 'clock'>;

/** Whom an invitation is for. */
interface Convidado {
  email: string;
  nome: string;
  papel: Papel;
  escritorio: string;
  codigoCrm: string;
  /** There is a password already: the link replaces it. */
  redefinicao: boolean;
}

/** Makes the link of a user and writes it down. The code is returned this once. */
export async function invite(
  trx: Trx,
  input: { contadorId: number; usuarioId: number; email: string; agora: number; autor: string },
): Promise<Convite> {
  const { contadorId, usuarioId, agora, autor } = input;
  const convite = await createConvite(trx, input);
  await auditar(trx, {
    em: agora,
    acao: ACAO.usuarioConvidado,
    contadorId,
    autor,
    alvo: `usuario/${usuarioId}`,
  });
  return convite;
}

/** The first administrator of an office that the command line opens, and the link to a password. */
export async function inviteAdministrador(
  deps: AtoDeps,
  input: { contadorId: number; nome: string; email: string; autor: string },
): Promise<Convite> {
  const { contadorId, nome, email, autor } = input;
  const agora = deps.clock.now();
  return deps.db.write.transaction().execute(async (trx) => {
    const usuarioId = await insertAdministrador(trx, { contadorId, nome, email, agora, autor });
    return invite(trx, { contadorId, usuarioId, email, agora, autor });
  });
}

/** Whom a code is for. @throws convite_invalido */
export async function verConvite(deps: AtoDeps, codigo: string): Promise<Convidado> {
  const row = await findConvite(deps.db.read, { codigo, agora: deps.clock.now() });
  return {
    email: row.email,
    nome: row.nome ?? '',
    papel: row.papel ?? 'administrador',
    escritorio: row.escritorio,
    codigoCrm: row.codigo_crm,
    redefinicao: row.senha !== null,
  };
}

/**
 * Uses an invitation: the password is set, and the name where one is given.
 * @returns whose it is now
 * @throws convite_invalido, dados_invalidos
 */
export async function acceptConvite(
  deps: AtoDeps,
  input: { codigo: string; nome: string | undefined; senha: string },
): Promise<{ contadorId: number; usuarioId: number }> {
  const agora = deps.clock.now();
  const row = await findConvite(deps.db.read, { codigo: input.codigo, agora });
  const campos = new Campos();
  const nome = input.nome === undefined ? row.nome : campos.nome('nome', input.nome);
  campos.check();
  const hash = await novaSenha(input.senha, [row.email, nome ?? '', row.escritorio]);
  return deps.db.write.transaction().execute(async (trx) => {
    if (!(await convites.spendConvite(trx, { id: row.id, agora }))) throw conviteInvalido();
    const contadorId = row.contador_id;
    const usuarioId =
      row.usuario_id ??
      (await insertAdministrador(trx, {
        contadorId,
        nome: nome ?? row.email,
        email: row.email,
        agora,
        autor: 'sistema',
      }));
    if (nome) await usuarios.updateUsuario(trx, { contadorId, id: usuarioId, set: { nome } });
    await keepSenha(trx, { contadorId, usuarioId, hash, menos: 0, agora, autor: `usuario:${usuarioId}` });
    return { contadorId, usuarioId };
  });
}

/** @throws convite_invalido when it is no code, used, over, or its user is deactivated */
async function findConvite(db: Db, { codigo, agora }: { codigo: string; agora: number }) {
  const row = isCodigoDeConvite(codigo)
    ? await convites.findConvite(db, { hash: hashToken(codigo), agora })
    : undefined;
  if (!row || row.ativo === 0) throw conviteInvalido();
  return row;
}

/** @throws convite_invalido when the office has a user of this address already */
export async function insertAdministrador(
  trx: Trx,
  input: { contadorId: number; nome: string; email: string; agora: number; autor: string },
): Promise<number> {
  const { contadorId, nome, email, agora, autor } = input;
  const id = await usuarios.insertUsuario(trx, {
    contador_id: contadorId,
    email,
    email_chave: emailChave(email),
    nome,
    papel: 'administrador',
    cliente_id: null,
    senha: null,
    senha_em: null,
    criado_em: agora,
    entrou_em: null,
  });
  if (id === null) throw conviteInvalido();
  const detalhe = { papel: 'administrador' };
  await auditar(trx, {
    em: agora,
    acao: ACAO.usuarioCriado,
    contadorId,
    autor,
    alvo: `usuario/${id}`,
    detalhe,
  });
  return id;
}
