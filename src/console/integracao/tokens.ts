/** The office's tokens and OAuth clients in the console's words; what they are is decided in `autorizacao/`. */

import { listClientesOauth } from '../../autorizacao/cliente-oauth.ts';
import { clienteOauthNaoEncontrado } from '../../autorizacao/errors.ts';
import { findTokenByHash } from '../../autorizacao/queries.ts';
import { listTokens, type TokenInput } from '../../autorizacao/tokens.ts';
import type { Db } from '../../banco/tabelas.ts';
import { findCliente } from '../../contas/clientes.ts';
import { ehDia, inicioDoDia } from '../../fiscal/dia.ts';
import { hashToken } from '../../platform/crypto/token-opaco.ts';
import { runAsService } from '../../platform/db/tenant.ts';
import { dadoInvalido, dadosInvalidos } from '../../platform/http/errors.ts';
import { oauthCompartilhado } from '../errors.ts';
import { instanteDe } from '../tempo.ts';

const DAY_MS = 86_400_000;

type Area = 'importacao' | 'exportacao';

interface TokenNovo {
  nome: string;
  escopo?: Area[];
  clientes?: string[] | null;
  expiraEm?: string | null;
  principal?: boolean;
}

/** Tokens of an office, revoked ones included, newest first. */
export async function presentTokens(db: Db, contadorId: number) {
  const tokens = await listTokens(db, { contadorId });
  return tokens.map((token) => ({
    id: token.id,
    nome: token.nome,
    finais: token.finais,
    principal: !token.adicional,
    escopo: token.escopo === 'tudo' ? ['importacao', 'exportacao'] : [token.escopo],
    clientes: token.clientes,
    criadoEm: instanteDe(token.criadoEm),
    expiraEm: instanteDe(token.expiraEm),
    ultimoUso:
      token.ultimoUsoEm === null ? null : { em: instanteDe(token.ultimoUsoEm), ip: token.ultimoUsoIp },
    revogadoEm: instanteDe(token.revogadoEm),
  }));
}

/** What is asked of a new token as `createToken` wants it. @throws dados_invalidos */
export async function limitesDoToken(
  db: Db,
  { contadorId, novo }: { contadorId: number; novo: TokenNovo },
): Promise<Omit<TokenInput, 'autor'>> {
  const { nome, escopo, clientes, expiraEm, principal = false } = novo;
  const clienteIds = clientes ? await idsDe(db, { contadorId, clientes }) : undefined;
  const ate = expiraEm ? fimDaValidade(expiraEm) : undefined;
  const [only] = new Set(escopo).size === 1 ? (escopo ?? []) : [];
  return {
    contadorId,
    nome: nome.trim(),
    adicional: !principal,
    ...(only ? { escopo: only } : {}),
    ...(clienteIds ? { clienteIds } : {}),
    ...(ate === undefined ? {} : { expiraEm: ate }),
  };
}

async function idsDe(
  db: Db,
  { contadorId, clientes }: { contadorId: number; clientes: readonly string[] },
): Promise<number[]> {
  const found = await Promise.all(clientes.map((cpfCnpj) => findCliente(db, { contadorId, cpfCnpj })));
  const erros = found.flatMap((cliente, at) =>
    cliente
      ? []
      : [
          {
            campo: `clientes[${at}]`,
            codigo: 'inexistente',
            mensagem: `${clientes[at]} não é cliente deste escritório.`,
          },
        ],
  );
  if (erros.length > 0) throw dadosInvalidos(erros);
  return found.flatMap((cliente) => (cliente ? [cliente.id] : []));
}

/** A bare day counts to its end in São Paulo. */
function fimDaValidade(text: string): number {
  if (ehDia(text)) return inicioDoDia(text) + DAY_MS - 1;
  const ms = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(ms)) return ms;
  throw dadoInvalido('expiraEm', 'expiraEm deve ser uma data AAAA-MM-DD ou um instante ISO.');
}

/** What an answer needs to know of other offices: that they share a client, that a token is theirs; never more. */
const deTodos = runAsService;

/** OAuth clients that may act for an office, in order of making. */
export async function presentClientesOauth(db: Db, codigoCrm: string) {
  const listed = await deTodos(() => listClientesOauth(db, { codigoCrm }));
  return listed.map((one) => ({
    clientId: one.clientId,
    nome: one.nome,
    compartilhado: one.codigosCrm.length > 1,
    emiteTokens: one.emiteTokens,
    criadoEm: instanteDe(one.criadoEm),
    ultimoUso: one.ultimoUsoEm === null ? null : { em: instanteDe(one.ultimoUsoEm), ip: null },
    revogadoEm: instanteDe(one.revogadoEm),
  }));
}

/** That an OAuth client is of this office and of no other. @throws cliente_oauth_nao_encontrado, oauth_compartilhado */
export async function requireProprio(db: Db, input: { codigoCrm: string; clientId: string }): Promise<void> {
  const { codigoCrm, clientId } = input;
  const listed = await deTodos(() => listClientesOauth(db, { codigoCrm }));
  const found = listed.find((one) => one.clientId === clientId && one.revogadoEm === null);
  if (!found) throw clienteOauthNaoEncontrado(clientId);
  if (found.codigosCrm.length > 1) throw oauthCompartilhado(clientId);
}

/** Whether a token is of an office, and not of this one. */
export async function isDeOutro(
  db: Db,
  { token, contadorId }: { token: string; contadorId: number },
): Promise<boolean> {
  const row = await deTodos(() => findTokenByHash(db, hashToken(token)));
  return row !== undefined && row.contador_id !== contadorId;
}
