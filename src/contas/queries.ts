/** Every statement of offices and their clients. One function is one statement; all of them hit one row by a unique index. */
import type { Insertable, Updateable } from 'kysely';
import type { Db, TabelaCliente, TabelaContador, Trx } from '../banco/tabelas.ts';

const COLUNAS_DO_CLIENTE = [
  'id',
  'contador_id',
  'cpf_cnpj',
  'nome',
  'email',
  'trabalha_com_procuracao',
  'ultimo_nsu',
] as const;

export async function findContadorByCrm(db: Db, codigoCrm: string) {
  return db
    .selectFrom('contador')
    .select(['id', 'codigo_crm', 'nome', 'email'])
    .where('codigo_crm', '=', codigoCrm)
    .executeTakeFirst();
}

/** All offices by their code, with how many clients and users each has: a few rows. */
export async function findContadores(db: Db) {
  return db
    .selectFrom('contador')
    .select((eb) => [
      'contador.codigo_crm',
      'contador.nome',
      'contador.email',
      'contador.criado_em',
      eb
        .selectFrom('cliente')
        .select((one) => one.fn.countAll<number>().as('quantos'))
        .whereRef('cliente.contador_id', '=', 'contador.id')
        .as('clientes'),
      eb
        .selectFrom('usuario')
        .select((one) => one.fn.countAll<number>().as('quantos'))
        .whereRef('usuario.contador_id', '=', 'contador.id')
        .as('usuarios'),
    ])
    .orderBy('contador.codigo_crm')
    .execute();
}

/** Null when the code is taken. */
export async function insertContador(trx: Trx, row: Insertable<TabelaContador>): Promise<number | null> {
  const made = await trx
    .insertInto('contador')
    .values(row)
    .onConflict((conflict) => conflict.column('codigo_crm').doNothing())
    .returning('id')
    .executeTakeFirst();
  return made?.id ?? null;
}

/** Clients of an office among several ids (the readings of one path value: at most two rows). */
export async function findClientesByCpfCnpj(
  db: Db,
  input: { contadorId: number; cpfCnpjs: readonly string[] },
) {
  return db
    .selectFrom('cliente')
    .select(COLUNAS_DO_CLIENTE)
    .where('contador_id', '=', input.contadorId)
    .where('cpf_cnpj', 'in', input.cpfCnpjs)
    .execute();
}

/** One client of an office; primary key. */
export async function findClienteById(db: Db, input: { contadorId: number; id: number }) {
  return db
    .selectFrom('cliente')
    .select(COLUNAS_DO_CLIENTE)
    .where('contador_id', '=', input.contadorId)
    .where('id', '=', input.id)
    .executeTakeFirst();
}

/** A page of an office's clients after one of them, by CPF/CNPJ: the unique index, at most `limite` rows. */
export async function findClientesAfter(
  db: Db,
  input: { contadorId: number; depoisDe: string; limite: number },
) {
  return db
    .selectFrom('cliente')
    .select(COLUNAS_DO_CLIENTE)
    .where('contador_id', '=', input.contadorId)
    .where('cpf_cnpj', '>', input.depoisDe)
    .orderBy('cpf_cnpj')
    .limit(input.limite)
    .execute();
}

/**
 * The first `limite` clients of an office by CPF/CNPJ, and how many it has; of a list of them only those. An office has thousands
 * at most: the unique index, in its order.
 */
export async function findClientesDoEscritorio(
  db: Db,
  input: { contadorId: number; ids: readonly number[] | null; limite: number },
) {
  const { contadorId, ids, limite } = input;
  const seus = db.selectFrom('cliente').where('contador_id', '=', contadorId);
  const deles = ids === null ? seus : seus.where('id', 'in', [...ids, 0]);
  const { total } = await deles
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await deles.select(COLUNAS_DO_CLIENTE).orderBy('cpf_cnpj').limit(limite).execute();
  return { total: Number(total), rows };
}

/** Null when it is already registered under this office. */
export async function insertCliente(trx: Trx, row: Insertable<TabelaCliente>): Promise<number | null> {
  const made = await trx
    .insertInto('cliente')
    .values(row)
    .onConflict((conflict) => conflict.columns(['contador_id', 'cpf_cnpj']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return made?.id ?? null;
}

export async function updateClienteById(
  trx: Trx,
  input: { id: number; set: Updateable<TabelaCliente> },
): Promise<void> {
  await trx.updateTable('cliente').set(input.set).where('id', '=', input.id).execute();
}

/** Answers when the database does; at most one row. */
export async function pingDatabase(db: Db): Promise<void> {
  await db.selectFrom('contador').select('id').limit(1).execute();
}
