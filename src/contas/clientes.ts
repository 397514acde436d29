import { ACAO, auditar } from '../auditoria/auditar.ts';
import type { Db, Trx } from '../banco/tabelas.ts';
import type { Deps } from '../deps.ts';
import { cpfCnpjReadings } from '../fiscal/cpf-cnpj.ts';
import type { CpfCnpj } from '../fiscal/tipos.ts';
import { LOCK, lockFor } from '../platform/db/locks.ts';
import { dadoInvalido } from '../platform/http/errors.ts';
import { Campos } from './campos.ts';
import { clienteJaCadastrado, clienteNaoEncontrado } from './errors.ts';
import * as queries from './queries.ts';

/** A company or person whose documents an office keeps. */
export interface Cliente {
  id: number;
  contadorId: number;
  cpfCnpj: CpfCnpj;
  nome: string;
  email: string;
  trabalhaComProcuracao: boolean;
  /** Last NSU of its feed. */
  ultimoNsu: number;
}

export interface ClienteInput {
  contadorId: number;
  cpfCnpj: string;
  nome: string;
  email: string;
  trabalhaComProcuracao?: boolean;
  /** Who registers it, as in the audit log; without it `sistema`. */
  autor?: string;
  /**
   * Makes entries of the documents that waited for this client, in the same transaction: both happen or neither. It is
   * handed in, because documents stand above accounts.
   */
  aoRegistrar: (trx: Trx, cliente: { id: number; contadorId: number; cpfCnpj: CpfCnpj }) => Promise<void>;
}

const AUTOR_PADRAO = 'sistema';

/**
 * Registers a client under an office.
 * @throws dados_invalidos naming every faulty field by its wire name, cliente_ja_cadastrado
 * @fonte specification 4.3; docs/regras.md, accounts area
 */
export async function registerCliente(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: ClienteInput,
): Promise<{ id: number; cpfCnpj: CpfCnpj }> {
  const campos = new Campos();
  const cpfCnpj = campos.cpfCnpj('cpfCnpj', input.cpfCnpj);
  const nome = campos.nome('nomeEmpresa', input.nome);
  const email = campos.email('email', input.email);
  campos.check();
  const agora = deps.clock.now();
  const id = await deps.db.write.transaction().execute(async (trx) => {
    // An import in between would give the new client nothing of what it brings, or give it twice.
    await lockFor(trx, LOCK.escritorio, [input.contadorId]);
    const made = await queries.insertCliente(trx, {
      contador_id: input.contadorId,
      cpf_cnpj: cpfCnpj,
      nome,
      email,
      trabalha_com_procuracao: input.trabalhaComProcuracao ? 1 : 0,
      criado_em: agora,
      atualizado_em: agora,
    });
    if (made === null) throw clienteJaCadastrado(cpfCnpj);
    await auditar(trx, {
      em: agora,
      acao: ACAO.clienteCriado,
      contadorId: input.contadorId,
      autor: input.autor ?? AUTOR_PADRAO,
      alvo: `cliente/${made}`,
      detalhe: { cpfCnpj },
    });
    await input.aoRegistrar(trx, { id: made, contadorId: input.contadorId, cpfCnpj });
    return made;
  });
  return { id, cpfCnpj };
}

interface ClienteChange {
  contadorId: number;
  cpfCnpj: string;
  nome?: string;
  email?: string;
  trabalhaComProcuracao?: boolean;
  /** Who changes it, as in the audit log; without it `sistema`. */
  autor?: string;
  /** Runs in the same transaction, with the client as it is then; what else changes is a change too. */
  aoAtualizar?: (trx: Trx, cliente: Cliente) => Promise<void>;
}

/**
 * Changes what is given of a client; absent fields stay.
 * @throws dados_invalidos (also when nothing is given), cliente_nao_encontrado
 */
export async function updateCliente(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: ClienteChange,
): Promise<Cliente> {
  const { nome, email, trabalhaComProcuracao } = input;
  const fields = { nomeEmpresa: nome, email, trabalhaComProcuracao };
  const changed = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (changed.length === 0 && input.aoAtualizar === undefined) {
    throw dadoInvalido('', 'Informe ao menos um campo para atualizar.', 'obrigatorio');
  }
  const campos = new Campos();
  const set = {
    ...(nome === undefined ? {} : { nome: campos.nome('nomeEmpresa', nome) }),
    ...(email === undefined ? {} : { email: campos.email('email', email) }),
    ...(trabalhaComProcuracao === undefined
      ? {}
      : { trabalha_com_procuracao: trabalhaComProcuracao ? (1 as const) : (0 as const) }),
    atualizado_em: deps.clock.now(),
  };
  campos.check();
  return deps.db.write.transaction().execute(async (trx) => {
    const cliente = await findCliente(trx, input);
    if (!cliente) throw clienteNaoEncontrado();
    await queries.updateClienteById(trx, { id: cliente.id, set });
    await auditar(trx, {
      em: set.atualizado_em,
      acao: ACAO.clienteAtualizado,
      contadorId: cliente.contadorId,
      autor: input.autor ?? AUTOR_PADRAO,
      alvo: `cliente/${cliente.id}`,
      detalhe: { campos: changed },
    });
    const updated = (await findCliente(trx, input)) ?? cliente;
    await input.aoAtualizar?.(trx, updated);
    return updated;
  });
}

/**
 * Finds the client that a CPF/CNPJ names, however it is written. Where a short number can be read as both, the
 * registered reading is meant, and of two registered ones the preferred.
 */
export async function findCliente(
  db: Db,
  input: { contadorId: number; cpfCnpj: string },
): Promise<Cliente | null> {
  const readings = cpfCnpjReadings(input.cpfCnpj);
  if (readings.length === 0) return null;
  const rows = await queries.findClientesByCpfCnpj(db, { contadorId: input.contadorId, cpfCnpjs: readings });
  const found = readings.map((id) => rows.find((row) => row.cpf_cnpj === id)).find((row) => row);
  return found ? toCliente(found) : null;
}

/** One client of an office. */
export async function findClienteById(
  db: Db,
  input: { contadorId: number; id: number },
): Promise<Cliente | null> {
  const row = await queries.findClienteById(db, input);
  return row ? toCliente(row) : null;
}

/** Clients of an office by CPF/CNPJ, a page at a time: pass the last one of the page before. */
export async function listClientes(
  db: Db,
  input: { contadorId: number; depoisDe?: string; limite: number },
): Promise<Cliente[]> {
  const rows = await queries.findClientesAfter(db, { depoisDe: '', ...input });
  return rows.map(toCliente);
}

/**
 * A page of an office's clients, by CPF/CNPJ. @param input.ids only these; null: all of them
 */
export async function pageOfClientes(
  db: Db,
  input: { contadorId: number; ids: ReadonlySet<number> | null; pagina: number; tamanho: number },
): Promise<{ total: number; clientes: Cliente[] }> {
  const { contadorId, ids, pagina, tamanho } = input;
  const { total, rows } = await queries.findClientesDoEscritorio(db, {
    contadorId,
    ids: ids && [...ids],
    limite: pagina * tamanho,
  });
  return { total, clientes: rows.slice((pagina - 1) * tamanho).map(toCliente) };
}

function toCliente(row: Awaited<ReturnType<typeof queries.findClientesByCpfCnpj>>[number]): Cliente {
  return {
    id: row.id,
    contadorId: row.contador_id,
    cpfCnpj: row.cpf_cnpj as CpfCnpj,
    nome: row.nome,
    email: row.email,
    trabalhaComProcuracao: row.trabalha_com_procuracao === 1,
    ultimoNsu: row.ultimo_nsu,
  };
}
