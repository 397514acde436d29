/** Every statement of certificates. One function is one statement. */
import { type Insertable, sql } from 'kysely';
import type { Db, TabelaCertificado, Trx } from '../../banco/tabelas.ts';

/** The newest version of a client's certificate, replaced ones included: the unique index, one row. */
export async function findUltimaVersao(db: Db, clienteId: number): Promise<number> {
  const row = await db
    .selectFrom('certificado')
    .select('versao')
    .where('cliente_id', '=', clienteId)
    .orderBy('versao', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.versao ?? 0;
}

export async function insertCertificado(trx: Trx, row: Insertable<TabelaCertificado>): Promise<void> {
  await trx.insertInto('certificado').values(row).execute();
}

/** Empties what is sealed of the present certificate and marks it as replaced. @returns whether there was one */
export async function retireCertificado(
  trx: Trx,
  input: { clienteId: number; agora: number },
): Promise<boolean> {
  const rows = await trx
    .updateTable('certificado')
    .set({ substituido_em: input.agora, chave_selada: null, kid: null, selado: null })
    .where('cliente_id', '=', input.clienteId)
    .where('substituido_em', 'is', null)
    .returning('id')
    .execute();
  return rows.length > 0;
}

/** The present certificate of a client with its sealed parts; index `certificado_vigente`, one row. */
export async function findVigente(db: Db, input: { contadorId: number; clienteId: number }) {
  return db
    .selectFrom('certificado')
    .selectAll()
    .where('cliente_id', '=', input.clienteId)
    .where('contador_id', '=', input.contadorId)
    .where('substituido_em', 'is', null)
    .executeTakeFirst();
}

/** Present certificates after an id, sealed parts included: a range of the primary key. */
export async function findVigentesAfter(db: Db, input: { depoisDe: string; limite: number }) {
  return db
    .selectFrom('certificado')
    .select(['id', 'contador_id', 'cliente_id', 'versao', 'chave_selada', 'selado'])
    .select(['titular', 'titular_nome', 'serie', 'impressao', 'valido_de', 'valido_ate'])
    .where('id', '>', input.depoisDe)
    .where('substituido_em', 'is', null)
    .orderBy('id')
    .limit(input.limite)
    .execute();
}

/** Certificates after an id whose data key is under another master key than this one, at most `limite`, locked. */
export async function findSobOutraChave(db: Db, input: { kid: string; depoisDe: string; limite: number }) {
  return db
    .selectFrom('certificado')
    .select(['id', 'contador_id', 'cliente_id', 'versao', 'chave_selada'])
    .where('id', '>', input.depoisDe)
    .where('kid', '<>', input.kid)
    .orderBy('id')
    .limit(input.limite)
    .forUpdate()
    .execute();
}

export async function updateChaveSelada(
  trx: Trx,
  input: { id: string; chaveSelada: Uint8Array; kid: string },
): Promise<void> {
  await trx
    .updateTable('certificado')
    .set({ chave_selada: input.chaveSelada, kid: input.kid })
    .where('id', '=', input.id)
    .execute();
}

/** Present certificates of an office with their clients, the first to end first: one row a client. */
export async function findPorVencimento(db: Db, contadorId: number) {
  return db
    .selectFrom('certificado')
    .innerJoin('cliente', 'cliente.id', 'certificado.cliente_id')
    .select([
      'cliente.cpf_cnpj',
      'cliente.nome',
      'certificado.titular',
      'certificado.titular_nome',
      'certificado.serie',
      'certificado.impressao',
      'certificado.uf',
      'certificado.valido_de',
      'certificado.valido_ate',
      'certificado.criado_em',
    ])
    .where('certificado.contador_id', '=', contadorId)
    .where('certificado.substituido_em', 'is', null)
    .orderBy('certificado.valido_ate')
    .orderBy('cliente.cpf_cnpj')
    .execute();
}

/** Present certificates that end before an instant and were not warned of at this threshold; index `certificado_vencendo`. */
export async function findParaAvisar(db: Db, input: { antesDe: number; dias: number; limite: number }) {
  return db
    .selectFrom('certificado')
    .innerJoin('cliente', 'cliente.id', 'certificado.cliente_id')
    .innerJoin('contador', 'contador.id', 'certificado.contador_id')
    .select(['certificado.id', 'certificado.valido_ate', 'cliente.cpf_cnpj', 'contador.codigo_crm'])
    .where('certificado.substituido_em', 'is', null)
    .where('certificado.valido_ate', '<', input.antesDe)
    .where((eb) =>
      eb.or([eb('certificado.avisado_dias', 'is', null), eb('certificado.avisado_dias', '>', input.dias)]),
    )
    .orderBy('certificado.valido_ate')
    .limit(input.limite)
    .execute();
}

/** Notes of some certificates that a threshold was warned of. @returns those of them that no other process noted before */
export async function markAvisados(
  db: Db,
  input: { ids: readonly string[]; dias: number },
): Promise<Set<string>> {
  if (input.ids.length === 0) return new Set();
  const rows = await db
    .updateTable('certificado')
    .set({ avisado_dias: input.dias })
    .where('id', 'in', input.ids)
    .where((eb) => eb.or([eb('avisado_dias', 'is', null), eb('avisado_dias', '>', input.dias)]))
    .returning('id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** How many present certificates end before each of some instants, and when the first ends; index `certificado_vencendo`. */
export async function countPorVencimento(db: Db, limites: readonly number[]) {
  const rows = await db
    .selectFrom('certificado')
    .select((eb) => [
      eb.fn.countAll<number>().as('total'),
      eb.fn.min('valido_ate').as('primeiro'),
      ...limites.map((limite, at) =>
        sql<number>`coalesce(sum(case when valido_ate < ${limite} then 1 else 0 end), 0)`.as(`ate_${at}`),
      ),
    ])
    .where('substituido_em', 'is', null)
    .executeTakeFirstOrThrow();
  const counts = rows as unknown as Record<string, number | null>;
  return {
    total: counts.total ?? 0,
    primeiro: counts.primeiro ?? null,
    antesDe: limites.map((_limite, at) => counts[`ate_${at}`] ?? 0),
  };
}
