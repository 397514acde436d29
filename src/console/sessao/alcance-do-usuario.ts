/** Which clients somebody is limited to, read and changed. */
import type { Db, Trx } from '../../banco/tabelas.ts';
import type { Papel } from '../../banco/tabelas-console.ts';
import type { Campos } from '../../contas/campos.ts';
import { parseCpfCnpj } from '../../fiscal/cpf-cnpj.ts';
import * as queries from './queries-alcance.ts';

/** As many clients one person is limited to at most: the statements of every page name them. */
const CARTEIRA_MAX = 2_000;

export interface ClienteDoUsuario {
  cpfCnpj: string;
  nome: string;
}

/** Those of one user, by name. */
export async function clientesDe(
  db: Db,
  usuario: { id: number; contador_id: number },
): Promise<ClienteDoUsuario[]> {
  const { id: usuarioId, contador_id: contadorId } = usuario;
  const rows = await queries.findClientesDosUsuarios(db, { contadorId, usuarioId });
  return rows.map(({ cpf_cnpj, nome }) => ({ cpfCnpj: cpf_cnpj, nome }));
}

/** Those of all users of an office, by user. */
export async function clientesDeTodos(db: Db, contadorId: number): Promise<Map<number, ClienteDoUsuario[]>> {
  const rows = await queries.findClientesDosUsuarios(db, { contadorId, usuarioId: null });
  const byUser = Map.groupBy(rows, (row) => row.usuario_id);
  return new Map(
    [...byUser].map(([id, its]) => [id, its.map(({ cpf_cnpj, nome }) => ({ cpfCnpj: cpf_cnpj, nome }))]),
  );
}

/**
 * The ids of what somebody is to be limited to; null: not at all, which an administrator never is. Faults go to `campos`.
 * @param input.clientes CPF/CNPJ of clients of the office; null: the whole office
 */
export async function alcanceDoPapel(
  db: Db,
  campos: Campos,
  input: { contadorId: number; papel: Papel; clientes: readonly string[] | null },
): Promise<readonly number[] | null> {
  const { contadorId, papel, clientes } = input;
  if (papel === 'administrador' || (papel === 'operador' && clientes === null)) return null;
  const nomeados = [...new Set((clientes ?? []).map((one) => parseCpfCnpj(one) ?? one))];
  if (nomeados.length === 0 || nomeados.length > CARTEIRA_MAX) {
    const mensagem = `Escolha de 1 a ${CARTEIRA_MAX} clientes cadastrados: são as empresas que este usuário vê.`;
    campos.add({
      campo: 'clientes',
      codigo: nomeados.length === 0 ? 'obrigatorio' : 'valor_invalido',
      mensagem,
    });
    return [];
  }
  const rows = await queries.findPorCpfCnpj(db, { contadorId, cpfCnpjs: nomeados });
  const known = new Map(rows.map(({ id, cpf_cnpj }) => [cpf_cnpj, id]));
  const unknown = nomeados.filter((one) => !known.has(one));
  for (const one of unknown.slice(0, 10))
    campos.add({
      campo: 'clientes',
      codigo: 'inexistente',
      mensagem: `${one} não é de um cliente cadastrado.`,
    });
  return [...known.values()].sort((a, b) => a - b);
}

/** Replaces what a user is limited to. */
export async function keepAlcance(
  trx: Trx,
  input: { contadorId: number; usuarioId: number; alcance: readonly number[] | null },
): Promise<void> {
  const { contadorId, usuarioId, alcance } = input;
  await queries.deleteClientesDoUsuario(trx, usuarioId);
  if (alcance !== null)
    await queries.insertClientesDoUsuario(trx, { contadorId, usuarioId, clienteIds: alcance });
}

/** The columns of a user that say the same. */
export function colunasDoAlcance(papel: Papel, alcance: readonly number[] | null) {
  return {
    limitado: papel === 'operador' && alcance !== null ? (1 as const) : (0 as const),
    cliente_id: papel === 'cliente' ? (alcance?.[0] ?? null) : null,
  };
}
