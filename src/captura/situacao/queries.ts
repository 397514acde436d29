import type { Db } from '../../banco/tabelas.ts';
import type { Ambiente } from '../../banco/tabelas-captura.ts';

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
    .leftJoin('captura_municipio', (join) =>
      join
        .onRef('captura_municipio.ibge', '=', 'captura_estado.municipio')
        .on('captura_municipio.ambiente', '=', ambiente),
    )
    .selectAll('captura_estado')
    .select([
      'captura.cliente_id',
      'captura_municipio.nome as municipio_nome',
      'captura_municipio.compartilha as municipio_compartilha',
    ])
    .where('captura.contador_id', '=', contadorId);
  if (clienteId !== null) query = query.where('captura.cliente_id', '=', clienteId);
  return query.execute();
}

/** Offices that capture anything; index `captura_contador`. */
export async function findEscritorios(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('captura')
    .select('contador_id')
    .distinct()
    .where('ligada', '=', 1)
    .orderBy('contador_id')
    .execute();
  return rows.map((row) => row.contador_id);
}

/** Clients of an office of which anything is captured. */
export async function findClientes(db: Db, contadorId: number) {
  return db
    .selectFrom('cliente')
    .innerJoin('contador', 'contador.id', 'cliente.contador_id')
    .select(['cliente.id', 'cliente.cpf_cnpj as cpfCnpj', 'contador.codigo_crm as codigoCrm'])
    .where('cliente.contador_id', '=', contadorId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('captura')
          .select('captura.servico')
          .whereRef('captura.cliente_id', '=', 'cliente.id')
          .where('captura.ligada', '=', 1),
      ),
    )
    .orderBy('cliente.id')
    .execute();
}

/** How many services that are on stand how; one scan of `captura`. @param input.desde ms UTC: no success since */
export async function countCapturas(db: Db, input: { ambiente: Ambiente; desde: number; erros: number }) {
  const row = await db
    .selectFrom('captura')
    .innerJoin('cliente', 'cliente.id', 'captura.cliente_id')
    .leftJoin('captura_estado as estado', (join) =>
      join
        .onRef('estado.cpf_cnpj', '=', 'cliente.cpf_cnpj')
        .onRef('estado.servico', '=', 'captura.servico')
        .on('estado.ambiente', '=', input.ambiente),
    )
    .select((eb) => [
      eb.fn.countAll<number>().as('ligadas'),
      eb.fn.count<number>('estado.parada').as('paradas'),
      eb.fn.sum<number>('captura.passiva').as('passivas'),
      eb.fn
        .sum<number>(eb.case().when('estado.ultima_resposta', '=', '656').then(1).else(0).end())
        .as('bloqueadas'),
      eb.fn
        .sum<number>(eb.case().when('estado.erros_seguidos', '>=', input.erros).then(1).else(0).end())
        .as('com_erros'),
      eb.fn
        .sum<number>(
          eb
            .case()
            .when(
              eb.and([
                eb('captura.passiva', '=', 0),
                eb(eb.fn.coalesce('estado.ultima_ok_em', 'captura.mudada_em'), '<', input.desde),
              ]),
            )
            .then(1)
            .else(0)
            .end(),
        )
        .as('sem_sucesso'),
    ])
    .where('captura.ligada', '=', 1)
    .executeTakeFirstOrThrow();
  const number = (value: number | string | null) => Number(value ?? 0);
  return {
    ligadas: number(row.ligadas),
    paradas: number(row.paradas),
    passivas: number(row.passivas),
    bloqueadas: number(row.bloqueadas),
    comErros: number(row.com_erros),
    semSucesso: number(row.sem_sucesso),
  };
}

/** What waits to be declared, and since when; index `manifestacao_a_enviar`. */
export async function countAEnviar(db: Db): Promise<{ quantas: number; desde: number | null }> {
  const row = await db
    .selectFrom('manifestacao')
    .select((eb) => [eb.fn.countAll<number>().as('quantas'), eb.fn.min('pedida_em').as('desde')])
    .where('proxima_em', 'is not', null)
    .executeTakeFirstOrThrow();
  return { quantas: Number(row.quantas), desde: row.desde === null ? null : Number(row.desde) };
}
