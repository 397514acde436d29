/** Statements about the capture of all clients of an office at once. */
import type { Kysely } from 'kysely';
import type { Tabelas } from '../../banco/tabelas.ts';
import type { Ambiente } from '../../banco/tabelas-captura.ts';

type Db = Kysely<Tabelas>;

interface Quem {
  contadorId: number;
  /** Null: all clients of the office. */
  clienteId: number | null;
}

/** What an office has said, client by client; index `captura_contador`. */
export async function findCapturas(db: Db, { contadorId, clienteId }: Quem) {
  let query = db.selectFrom('captura').selectAll().where('contador_id', '=', contadorId);
  if (clienteId !== null) query = query.where('cliente_id', '=', clienteId);
  return query.execute();
}

/** States of the sequences of an office's clients: those that were ever turned on. Index `captura_contador`, primary keys. */
export async function findEstados(
  db: Db,
  { contadorId, clienteId, ambiente }: Quem & { ambiente: Ambiente },
) {
  let query = db
    .selectFrom('captura')
    .innerJoin('cliente', 'cliente.id', 'captura.cliente_id')
    .innerJoin('captura_estado', (join) =>
      join
        .onRef('captura_estado.cpf_cnpj', '=', 'cliente.cpf_cnpj')
        .onRef('captura_estado.servico', '=', 'captura.servico')
        .on('captura_estado.ambiente', '=', ambiente),
    )
    .selectAll('captura_estado')
    .select('captura.cliente_id')
    .where('captura.contador_id', '=', contadorId);
  if (clienteId !== null) query = query.where('captura.cliente_id', '=', clienteId);
  return query.execute();
}

/** Present certificates of an office, with the client that each was given for; index of `certificado` by client. */
export async function findCertificados(db: Db, contadorId: number) {
  return db
    .selectFrom('certificado')
    .innerJoin('cliente', 'cliente.id', 'certificado.cliente_id')
    .select([
      'certificado.cliente_id',
      'certificado.titular',
      'certificado.impressao',
      'certificado.uf',
      'certificado.valido_de',
      'certificado.valido_ate',
      'cliente.cpf_cnpj',
    ])
    .where('cliente.contador_id', '=', contadorId)
    .where('certificado.substituido_em', 'is', null)
    .execute();
}
