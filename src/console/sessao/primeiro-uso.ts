/**
 * The first user of an installation. There is no default password: a server whom nobody can enter prints a link with a
 * code when it starts, and who can read that may open the first office.
 */

import { ACAO, auditar } from '../../auditoria/auditar.ts';
import type { Trx } from '../../banco/tabelas.ts';
import { Campos } from '../../contas/campos.ts';
import { findContadorByCrm, insertContador } from '../../contas/queries.ts';
import type { Deps } from '../../deps.ts';
import { isTokenShaped, makeToken } from '../../platform/crypto/token-opaco.ts';
import { primeiroUsoInvalido } from '../errors.ts';
import { insertAdministrador } from './convites.ts';
import * as queries from './queries-primeiro-uso.ts';
import { existsUsuario } from './queries-usuario.ts';
import { keepSenha, novaSenha } from './senha-nova.ts';
import { hashDe } from './sessoes.ts';

const PREFIX = 'mlp';
/** Long enough to be found in a log the next day; a restart prints another one. */
const VALID_MS = 24 * 3_600_000;

type AtoDeps = Pick<Deps, 'db' | 'clock'>;

interface PrimeiroUso {
  codigo: string;
  crm: string;
  escritorio: string;
  nome: string;
  email: string;
  senha: string;
}

/** Whether nobody can enter yet. */
export async function isPrimeiroUso(deps: Pick<Deps, 'db'>): Promise<boolean> {
  return !(await existsUsuario(deps.db.read));
}

/**
 * The link for a server that starts; codes of other processes that start now go on working.
 * @returns path of the link, or null when somebody can enter already
 */
export async function openPrimeiroUso(deps: AtoDeps): Promise<{ caminho: string; expiraEm: number } | null> {
  if (!(await isPrimeiroUso(deps))) return null;
  const codigo = makeToken(PREFIX);
  const agora = deps.clock.now();
  const expiraEm = agora + VALID_MS;
  await deps.db.write.transaction().execute(async (trx) => {
    await queries.deletePrimeirosUsos(trx, { expiradosAntesDe: agora });
    await queries.insertPrimeiroUso(trx, { hash: hashDe(codigo), criado_em: agora, expira_em: expiraEm });
  });
  return { caminho: `/console/primeiro-uso#${codigo}`, expiraEm };
}

/**
 * Opens the first office with its administrator. An office that the command line has opened already is joined: who
 * holds the code runs the server.
 * @throws primeiro_uso_invalido, dados_invalidos naming every faulty field
 */
export async function concludePrimeiroUso(
  deps: AtoDeps,
  input: PrimeiroUso,
): Promise<{ contadorId: number; usuarioId: number }> {
  const agora = deps.clock.now();
  const hash = hashDe(input.codigo);
  const known =
    isTokenShaped(input.codigo, PREFIX) &&
    (await isPrimeiroUso(deps)) &&
    (await queries.findPrimeiroUso(deps.db.read, { hash, agora }));
  if (!known) throw primeiroUsoInvalido();
  const campos = new Campos();
  const codigoCrm = campos.codigoCrm('crm', input.crm);
  const escritorio = campos.nome('escritorio', input.escritorio);
  const nome = campos.nome('nome', input.nome);
  const email = campos.email('email', input.email);
  campos.check();
  const senha = await novaSenha(input.senha, [email, nome, escritorio]);
  return deps.db.write.transaction().execute(async (trx) => {
    // When two come at once, the second waits here and finds no code left.
    const taken = await queries.deletePrimeirosUsos(trx, { expiradosAntesDe: Number.MAX_SAFE_INTEGER });
    if (taken === 0 || (await existsUsuario(trx))) throw primeiroUsoInvalido();
    const contadorId = await openOffice(trx, { codigoCrm, escritorio, email, agora });
    const usuarioId = await administradorOf(trx, { contadorId, nome, email, agora });
    const autor = `usuario:${usuarioId}`;
    await keepSenha(trx, { contadorId, usuarioId, hash: senha, menos: 0, agora, autor });
    return { contadorId, usuarioId };
  });
}

async function openOffice(
  trx: Trx,
  input: { codigoCrm: string; escritorio: string; email: string; agora: number },
): Promise<number> {
  const { codigoCrm, escritorio, email, agora } = input;
  const made = await insertContador(trx, {
    codigo_crm: codigoCrm,
    nome: escritorio,
    email,
    criado_em: agora,
  });
  if (made !== null) {
    await auditar(trx, {
      em: agora,
      acao: ACAO.escritorioCriado,
      contadorId: made,
      autor: 'sistema',
      alvo: `contador/${made}`,
      detalhe: { codigoCrm },
    });
    return made;
  }
  const there = await findContadorByCrm(trx, codigoCrm);
  if (!there) throw primeiroUsoInvalido();
  return there.id;
}

/** Somebody whom the command line invited, and who has not come yet, is this very person. */
async function administradorOf(
  trx: Trx,
  input: { contadorId: number; nome: string; email: string; agora: number },
): Promise<number> {
  const invited = await queries.findConvidado(trx, input);
  return invited ?? insertAdministrador(trx, { ...input, autor: 'sistema' });
}
