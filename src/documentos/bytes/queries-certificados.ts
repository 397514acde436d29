/** Statements of the certificates that were cut out of documents. Call them inside the transaction of the documents. */
import type { Insertable, Selectable } from 'kysely';
import type { TabelaCertificadoDeDocumento } from '../../banco/tabelas.ts';
import { insertMany } from '../../platform/db/many-rows.ts';
import type { Leitor } from '../queries-leitura.ts';
import type { Trx } from '../tipos.ts';
import { rowBatches } from './chunks.ts';

export type CertificadoEscrito = Pick<
  Selectable<TabelaCertificadoDeDocumento>,
  'id' | 'sha256' | 'titular' | 'signatario'
>;

/**
 * Adds uses of certificates, and those that are new. The text is written again with each: that mends a damaged one. A
 * name that is kept stays, since versions say it by pointing to it.
 * @returns what is kept of each
 */
export async function addUsos(
  trx: Trx,
  rows: readonly Insertable<TabelaCertificadoDeDocumento>[],
): Promise<CertificadoEscrito[]> {
  const found: CertificadoEscrito[] = [];
  for (const part of rowBatches(rows)) {
    found.push(
      ...(await insertMany(trx, 'certificado_de_documento', part)
        .onConflict((conflict) =>
          conflict.columns(['contador_id', 'sha256']).doUpdateSet((eb) => ({
            texto: eb.ref('excluded.texto'),
            titular: eb.fn.coalesce('certificado_de_documento.titular', eb.ref('excluded.titular')),
            usos: eb('certificado_de_documento.usos', '+', eb.ref('excluded.usos')),
            // What was said of it stays, unless nobody could read it so far.
            signatario: eb
              .case()
              .when('certificado_de_documento.autoridades', 'is', null)
              .then(eb.fn.coalesce('certificado_de_documento.signatario', eb.ref('excluded.signatario')))
              .else(eb.ref('certificado_de_documento.signatario'))
              .end(),
            autoridades: eb
              .case()
              .when(
                eb.and([
                  eb('certificado_de_documento.autoridades', 'is', null),
                  eb('certificado_de_documento.signatario', 'is', null),
                ]),
              )
              .then(eb.ref('excluded.autoridades'))
              .else(eb.ref('certificado_de_documento.autoridades'))
              .end(),
          })),
        )
        .returning(['id', 'sha256', 'titular', 'signatario'])
        .execute()),
    );
  }
  return found;
}

/** One certificate loses uses; primary key. */
export async function subtractUsos(trx: Trx, input: { id: number; usos: number }): Promise<void> {
  await trx
    .updateTable('certificado_de_documento')
    .set((eb) => ({ usos: eb('usos', '-', input.usos) }))
    .where('id', '=', input.id)
    .execute();
  await trx
    .deleteFrom('certificado_de_documento')
    .where('id', '=', input.id)
    .where('usos', '<=', 0)
    .execute();
}

/** All certificates with the uses that are written; the check of the vault reads them whole. */
export async function findUsos(db: Leitor): Promise<{ id: number; contador_id: number; usos: number }[]> {
  return db
    .selectFrom('certificado_de_documento')
    .select(['id', 'contador_id', 'usos'])
    .orderBy('id')
    .execute();
}

/** The same, counted from the stored documents: one walk over all of them. */
export async function recountUsos(db: Leitor): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('conteudo')
    .select((eb) => ['certificado_id', eb.fn.countAll<number>().as('usos')])
    .where('certificado_id', 'is not', null)
    .groupBy('certificado_id')
    .execute();
  return new Map(
    rows.flatMap((row) => (row.certificado_id === null ? [] : [[row.certificado_id, Number(row.usos)]])),
  );
}

/** How many contents were written without the certificate, as it was counted anew. */
export async function writeUsos(trx: Trx, input: { id: number; usos: number }): Promise<void> {
  await trx
    .updateTable('certificado_de_documento')
    .set({ usos: input.usos })
    .where('id', '=', input.id)
    .execute();
}
