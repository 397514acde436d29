/** Every statement of manifestação. One function is one statement, unless it says otherwise. */
import type { Insertable, Selectable } from 'kysely';
import type { Db, Trx } from '../../banco/tabelas.ts';
import type {
  TabelaManifestacao,
  TabelaManifestacaoRegra,
  TabelaResumoDeNota,
} from '../../banco/tabelas-manifestacao.ts';
import { idChunks, rowChunks } from '../../documentos/bytes/chunks.ts';
import { PAPEL_EM_CODIGO } from '../../documentos/lean/codigos.ts';
import { writeProva } from '../../documentos/lean/prova-guardada.ts';
import { PAPEL } from '../../fiscal/tipos.ts';

export type LinhaDeManifestacao = Selectable<TabelaManifestacao>;

const CLASSE_DOCUMENTO = 'documento';
const CLASSE_EVENTO = 'evento';
const DECLARADA = writeProva('declarada');

interface Chaves {
  contadorId: number;
  clienteId: number;
  ambiente: number;
  chaves: readonly string[];
}

/** Documents of these keys in which the client takes part, with the protocol of the served version. Index `documento_chave`. */
export async function findDocumentos(db: Db, { contadorId, clienteId, ambiente, chaves }: Chaves) {
  const find = (part: readonly string[]) =>
    db
      .selectFrom('documento')
      .innerJoin('participacao', (join) =>
        join
          .onRef('participacao.documento_id', '=', 'documento.id')
          .on('participacao.cliente_id', '=', clienteId),
      )
      .leftJoin('versao', (join) =>
        join.onRef('versao.documento_id', '=', 'documento.id').on('versao.servida', '=', 1),
      )
      .select([
        'documento.id',
        'documento.chave',
        'documento.modelo',
        'documento.status',
        'documento.destinatario',
        'documento.emitido_em',
        'versao.protocolo',
        'versao.digest',
      ])
      .where('documento.contador_id', '=', contadorId)
      .where('documento.chave', 'in', part)
      .where('documento.classe', '=', CLASSE_DOCUMENTO)
      .where('documento.ambiente', '=', ambiente)
      .execute();
  return inParts(chaves, find);
}

/** Which of these documents have somebody as tomador; primary key of `participante`. */
export async function findTomados(
  db: Db,
  input: { documentoIds: readonly number[]; cpfCnpj: string },
): Promise<Set<number>> {
  const find = (part: readonly number[]) =>
    db
      .selectFrom('participante')
      .select('documento_id')
      .where('documento_id', 'in', part)
      .where('papel', '=', PAPEL_EM_CODIGO.escrever(PAPEL.tomador))
      .where('cpf_cnpj', '=', input.cpfCnpj)
      .execute();
  return new Set((await inParts(input.documentoIds, find)).map((row) => row.documento_id));
}

/**
 * What the office holds that a client said of these keys and is proven: what somebody else wrote must not keep a client from
 * saying anything. Index `documento_chave`.
 */
export async function findEventos(
  db: Db,
  { contadorId, ambiente, chaves, cpfCnpj }: Omit<Chaves, 'clienteId'> & { cpfCnpj: string },
) {
  const find = (part: readonly string[]) =>
    db
      .selectFrom('documento')
      .select(['chave', 'evento_codigo', 'emitente'])
      .where('contador_id', '=', contadorId)
      .where('chave', 'in', part)
      .where('classe', '=', CLASSE_EVENTO)
      .where('ambiente', '=', ambiente)
      .where('evento_efeito', '=', 'manifestacao')
      .where('destinatario', '=', cpfCnpj)
      .where('prova', '>', DECLARADA)
      .where('afastado', '=', 0)
      .orderBy('id')
      .execute();
  return inParts(chaves, find);
}

/** What was asked to be said of these keys; primary key. */
export async function findManifestacoes(
  db: Db,
  { contadorId, chaves }: { contadorId: number; chaves: readonly string[] },
): Promise<LinhaDeManifestacao[]> {
  const find = (part: readonly string[]) =>
    db
      .selectFrom('manifestacao')
      .selectAll()
      .where('contador_id', '=', contadorId)
      .where('chave', 'in', part)
      .orderBy('pedida_em')
      .execute();
  return inParts(chaves, find);
}

/** Summaries of these keys; primary key. */
export async function findResumos(db: Db, { clienteId, chaves }: Pick<Chaves, 'clienteId' | 'chaves'>) {
  const find = (part: readonly string[]) =>
    db
      .selectFrom('resumo_de_nota')
      .selectAll()
      .where('cliente_id', '=', clienteId)
      .where('chave', 'in', part)
      .execute();
  return inParts(chaves, find);
}

/** Keeps what is asked; a refused one is asked again, any other stays as it is. */
export async function upsertManifestacao(trx: Trx, row: Insertable<TabelaManifestacao>): Promise<void> {
  const { cliente_id, justificativa, estado, pedida_em, pedida_por, proxima_em } = row;
  await trx
    .insertInto('manifestacao')
    .values(row)
    .onConflict((oc) =>
      oc
        .columns(['contador_id', 'chave', 'codigo'])
        .doUpdateSet({ cliente_id, justificativa, estado, pedida_em, pedida_por, proxima_em })
        .where('manifestacao.estado', '=', 'recusada'),
    )
    .execute();
}

/** Keeps what nobody has asked yet; what was asked stays as it is. */
export async function insertManifestacoes(
  trx: Trx,
  rows: readonly Insertable<TabelaManifestacao>[],
): Promise<void> {
  for (const part of rowChunks(trx, rows)) {
    await trx
      .insertInto('manifestacao')
      .values([...part])
      .onConflict((oc) => oc.columns(['contador_id', 'chave', 'codigo']).doNothing())
      .execute();
  }
}

/** The newer summary of a key tells its present situation. */
export async function upsertResumos(trx: Trx, rows: readonly TabelaResumoDeNota[]): Promise<void> {
  for (const part of rowChunks(trx, rows)) {
    await trx
      .insertInto('resumo_de_nota')
      .values([...part])
      .onConflict((oc) =>
        oc.columns(['cliente_id', 'chave']).doUpdateSet((eb) => ({ situacao: eb.ref('excluded.situacao') })),
      )
      .execute();
  }
}

// ── sending ───────────────────────────────────────────────────────────────────────────────────────────────────

/** What is due, the longest waiting first, with whose it is; index `manifestacao_a_enviar`. */
export async function findAEnviar(db: Db, input: { agora: number; ambiente: number; limite: number }) {
  return (
    db
      .selectFrom('manifestacao')
      .innerJoin('cliente', 'cliente.id', 'manifestacao.cliente_id')
      .selectAll('manifestacao')
      .select('cliente.cpf_cnpj')
      .where('manifestacao.proxima_em', 'is not', null)
      .where('manifestacao.proxima_em', '<=', input.agora)
      .where('manifestacao.ambiente', '=', input.ambiente)
      // What is asked for while the author is blocked waits too, whichever office asks.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('manifestacao as bloqueada')
              .innerJoin('cliente as dono', 'dono.id', 'bloqueada.cliente_id')
              .select('bloqueada.chave')
              .whereRef('dono.cpf_cnpj', '=', 'cliente.cpf_cnpj')
              .where('bloqueada.ambiente', '=', input.ambiente)
              .where('bloqueada.proxima_em', '>', input.agora)
              .where('bloqueada.resposta', '=', '656'),
          ),
        ),
      )
      .orderBy('manifestacao.proxima_em')
      .orderBy('manifestacao.chave')
      .limit(input.limite)
      .execute()
  );
}
export type AEnviar = Awaited<ReturnType<typeof findAEnviar>>[number];

type Alvo = Pick<LinhaDeManifestacao, 'contador_id' | 'chave' | 'codigo'>;

/**
 * Written before a call: this process sends it now, and if it dies it is sent again from `ate` on. Of several processes one
 * gets it. @returns whether it is ours
 */
export async function claim(
  trx: Trx,
  { contador_id, chave, codigo, agora, ate }: Alvo & { agora: number; ate: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('manifestacao')
    .set((eb) => ({
      estado: 'enviando' as const,
      enviada_em: agora,
      proxima_em: ate,
      tentativas: eb('tentativas', '+', 1),
    }))
    .where('contador_id', '=', contador_id)
    .where('chave', '=', chave)
    .where('codigo', '=', codigo)
    .where('proxima_em', 'is not', null)
    .where('proxima_em', '<=', agora)
    .executeTakeFirst();
  return Number(numUpdatedRows) > 0;
}

/** What became of a call. */
export async function updateManifestacao(
  trx: Trx,
  {
    contador_id,
    chave,
    codigo,
    ...set
  }: Alvo &
    Pick<LinhaDeManifestacao, 'estado' | 'proxima_em' | 'resposta' | 'motivo' | 'respondida_em' | 'nprot'>,
): Promise<void> {
  await trx
    .updateTable('manifestacao')
    .set(set)
    .where('contador_id', '=', contador_id)
    .where('chave', '=', chave)
    .where('codigo', '=', codigo)
    .execute();
}

/** Puts off everything of a client that is not sent yet: the service has blocked its CNPJ. Index `manifestacao_cliente`. */
export async function putOffDoCliente(trx: Trx, input: { clienteId: number; ate: number }): Promise<void> {
  await trx
    .updateTable('manifestacao')
    .set({ proxima_em: input.ate })
    .where('cliente_id', '=', input.clienteId)
    .where('proxima_em', 'is not', null)
    .where('proxima_em', '<', input.ate)
    .execute();
}

// ── rule ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Whether summaries of a client are answered with Ciência; primary key. */
export async function findRegra(
  db: Db,
  { contadorId, clienteId }: { contadorId: number; clienteId: number },
): Promise<Selectable<TabelaManifestacaoRegra> | null> {
  const row = await db
    .selectFrom('manifestacao_regra')
    .selectAll()
    .where('contador_id', '=', contadorId)
    .where('cliente_id', '=', clienteId)
    .executeTakeFirst();
  return row ?? null;
}

export async function upsertRegra(trx: Trx, row: TabelaManifestacaoRegra): Promise<void> {
  const { ciencia, mudada_em, mudada_por } = row;
  await trx
    .insertInto('manifestacao_regra')
    .values(row)
    .onConflict((oc) => oc.column('cliente_id').doUpdateSet({ ciencia, mudada_em, mudada_por }))
    .execute();
}

async function inParts<T extends string | number, Row>(
  values: readonly T[],
  find: (part: readonly T[]) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (const part of idChunks(values)) found.push(...(await find(part)));
  return found;
}
