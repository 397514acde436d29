import type { Db } from '../banco/tabelas.ts';
import type { Deps } from '../deps.ts';
import type { CodigoCrm } from '../fiscal/tipos.ts';
import { Campos } from './campos.ts';
import { contadorJaCadastrado, contadorNaoEncontrado } from './errors.ts';
import * as queries from './queries.ts';

interface Contador {
  id: number;
  codigoCrm: CodigoCrm;
  nome: string;
  email: string;
}

/**
 * Opens the account of an office.
 * @param input `codigoCrm` of 1 to 6 digits, padded on the left
 * @throws dados_invalidos naming every faulty field, contador_ja_cadastrado
 */
export async function createContador(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: { codigoCrm: string; nome: string; email: string },
): Promise<{ id: number; codigoCrm: CodigoCrm }> {
  const campos = new Campos();
  const codigoCrm = campos.codigoCrm('codigoCrm', input.codigoCrm);
  const nome = campos.nome('nome', input.nome);
  const email = campos.email('email', input.email);
  campos.check();
  const id = await deps.db.write
    .transaction()
    .execute((trx) =>
      queries.insertContador(trx, { codigo_crm: codigoCrm, nome, email, criado_em: deps.clock.now() }),
    );
  if (id === null) throw contadorJaCadastrado(codigoCrm);
  return { id, codigoCrm };
}

/**
 * Finds an office by its code, padded or not.
 * @throws dados_invalidos when it is no code, contador_nao_encontrado
 */
export async function findContador(db: Db, input: { codigoCrm: string }): Promise<Contador> {
  const campos = new Campos();
  const codigoCrm = campos.codigoCrm('codigoCrm', input.codigoCrm);
  campos.check();
  const row = await queries.findContadorByCrm(db, codigoCrm);
  if (!row) throw contadorNaoEncontrado(codigoCrm);
  return { id: row.id, codigoCrm, nome: row.nome, email: row.email };
}

/** All offices of an installation, by their code. */
export async function listContadores(db: Db) {
  return (await queries.findContadores(db)).map((row) => ({
    codigoCrm: row.codigo_crm,
    nome: row.nome,
    email: row.email,
    clientes: Number(row.clientes ?? 0),
    usuarios: Number(row.usuarios ?? 0),
    criadaEm: row.criado_em,
  }));
}
