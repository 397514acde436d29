/**
 * Every statement that writes the vault. One function is one statement (or the same one over chunks of a long
 * list); call them inside the transaction of `store.ts`.
 */
import type { Insertable, Selectable } from 'kysely';
import type {
  Flag,
  TabelaContagem,
  TabelaConteudo,
  TabelaDocumento,
  TabelaEntrada,
  TabelaEsperado,
  TabelaParticipacao,
  TabelaParticipante,
  TabelaVersao,
} from '../banco/tabelas.ts';
import type { Trx } from './tipos.ts';

export type LinhaDeDocumento = Insertable<TabelaDocumento>;

/** SQLite binds at most 32,766 values; a wide row has about 40. */
const ROWS_PER_INSERT = 400;
const IDS_PER_SELECT = 1_000;

function* chunks<T>(rows: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}

export type DocumentoConhecido = Pick<
  Selectable<TabelaDocumento>,
  'id' | 'ambiente' | 'classe' | 'identidade' | 'chave'
>;

/** Records of an office by identity; index `unique (contador_id, ambiente, classe, identidade)`, ≤ 4 rows an identity. */
export async function findByIdentidades(
  trx: Trx,
  input: { contadorId: number; identidades: readonly string[] },
): Promise<DocumentoConhecido[]> {
  const found: DocumentoConhecido[] = [];
  for (const part of chunks(input.identidades, IDS_PER_SELECT)) {
    found.push(
      ...(await trx
        .selectFrom('documento')
        .select(['id', 'ambiente', 'classe', 'identidade', 'chave'])
        .where('contador_id', '=', input.contadorId)
        .where('ambiente', 'in', [1, 2])
        .where('classe', 'in', ['documento', 'evento', 'inutilizacao'])
        .where('identidade', 'in', part)
        .execute()),
    );
  }
  return found;
}

export type VersaoConhecida = Pick<
  Selectable<TabelaVersao>,
  'documento_id' | 'sha256' | 'digest' | 'protocolado' | 'protocolo' | 'assinatura' | 'servida'
>;

/** Versions of documents; index `unique (documento_id, sha256)`, nearly always one row a document. */
export async function findVersoes(trx: Trx, documentoIds: readonly number[]): Promise<VersaoConhecida[]> {
  const found: VersaoConhecida[] = [];
  for (const part of chunks(documentoIds, IDS_PER_SELECT)) {
    found.push(
      ...(await trx
        .selectFrom('versao')
        .select(['documento_id', 'sha256', 'digest', 'protocolado', 'protocolo', 'assinatura', 'servida'])
        .where('documento_id', 'in', part)
        .execute()),
    );
  }
  return found;
}

/** @returns the new ids, each with what it is known by */
export async function insertDocumentos(
  trx: Trx,
  rows: readonly LinhaDeDocumento[],
): Promise<DocumentoConhecido[]> {
  const inserted: DocumentoConhecido[] = [];
  for (const part of chunks(rows, ROWS_PER_INSERT)) {
    inserted.push(
      ...(await trx
        .insertInto('documento')
        .values(part)
        .returning(['id', 'ambiente', 'classe', 'identidade', 'chave'])
        .execute()),
    );
  }
  return inserted;
}

/** @returns the new ids by document and hash */
export async function insertVersoes(
  trx: Trx,
  rows: readonly Insertable<TabelaVersao>[],
): Promise<{ id: number; documento_id: number; sha256: string }[]> {
  const inserted: { id: number; documento_id: number; sha256: string }[] = [];
  for (const part of chunks(rows, ROWS_PER_INSERT)) {
    inserted.push(
      ...(await trx.insertInto('versao').values(part).returning(['id', 'documento_id', 'sha256']).execute()),
    );
  }
  return inserted;
}

export async function insertConteudos(trx: Trx, rows: readonly Insertable<TabelaConteudo>[]): Promise<void> {
  for (const part of chunks(rows, ROWS_PER_INSERT)) {
    await trx.insertInto('conteudo').values(part).execute();
  }
}

/** Before another version is inserted as the served one. */
export async function retireVersoes(trx: Trx, documentoIds: readonly number[]): Promise<void> {
  for (const part of chunks(documentoIds, IDS_PER_SELECT)) {
    await trx
      .updateTable('versao')
      .set({ servida: 0 })
      .where('documento_id', 'in', part)
      .where('servida', '=', 1)
      .execute();
  }
}

/** A better version brings its own fields; identity, scope and time of arrival stay. Rare: one row at a time. */
export async function replaceDocumento(trx: Trx, id: number, linha: LinhaDeDocumento): Promise<void> {
  const {
    contador_id: _scope,
    identidade: _identity,
    importado_em: _arrival,
    status: _status,
    ...fields
  } = linha;
  await trx
    .updateTable('documento')
    .set((eb) => ({ ...fields, revisao: eb('revisao', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

export async function deleteParticipantes(trx: Trx, documentoId: number): Promise<void> {
  await trx.deleteFrom('participante').where('documento_id', '=', documentoId).execute();
}

export async function insertParticipantes(trx: Trx, rows: readonly TabelaParticipante[]): Promise<void> {
  for (const part of chunks(rows, ROWS_PER_INSERT)) {
    await trx
      .insertInto('participante')
      .values(part)
      .onConflict((conflict) => conflict.columns(['documento_id', 'papel', 'cpf_cnpj']).doNothing())
      .execute();
  }
}

export async function findParticipantes(
  trx: Trx,
  documentoIds: readonly number[],
): Promise<TabelaParticipante[]> {
  const found: TabelaParticipante[] = [];
  for (const part of chunks(documentoIds, IDS_PER_SELECT)) {
    found.push(
      ...(await trx.selectFrom('participante').selectAll().where('documento_id', 'in', part).execute()),
    );
  }
  return found;
}

export type DaMesmaChave = Pick<
  Selectable<TabelaDocumento>,
  | 'id'
  | 'ambiente'
  | 'classe'
  | 'chave'
  | 'status'
  | 'status_protocolo'
  | 'carta_correcao'
  | 'manifestacao'
  | 'evento_codigo'
  | 'evento_sequencia'
  | 'evento_efeito'
  | 'evento_desfaz'
  | 'nprot'
>;

/** Documents and events of these keys; index `documento_chave`, a handful of rows a key. */
export async function findPorChaves(
  trx: Trx,
  input: { contadorId: number; chaves: readonly string[] },
): Promise<DaMesmaChave[]> {
  const found: DaMesmaChave[] = [];
  for (const part of chunks(input.chaves, IDS_PER_SELECT)) {
    found.push(
      ...(await trx
        .selectFrom('documento')
        .select([
          'id',
          'ambiente',
          'classe',
          'chave',
          'status',
          'status_protocolo',
          'carta_correcao',
          'manifestacao',
          'evento_codigo',
          'evento_sequencia',
          'evento_efeito',
          'evento_desfaz',
          'nprot',
        ])
        .where('contador_id', '=', input.contadorId)
        .where('chave', 'in', part)
        .where('classe', 'in', ['documento', 'evento'])
        .execute()),
    );
  }
  return found;
}

export interface MudancaDeStatus {
  documentoId: number;
  status: string;
  cartaCorrecao: Flag;
  manifestacao: string | null;
}

/** Sets a document's effective status and lets its ETag change. */
export async function updateStatus(trx: Trx, mudanca: MudancaDeStatus): Promise<void> {
  await trx
    .updateTable('documento')
    .set((eb) => ({
      status: mudanca.status,
      carta_correcao: mudanca.cartaCorrecao,
      manifestacao: mudanca.manifestacao,
      revisao: eb('revisao', '+', 1),
    }))
    .where('id', '=', mudanca.documentoId)
    .execute();
}

export async function updateStatusDasParticipacoes(trx: Trx, mudanca: MudancaDeStatus): Promise<void> {
  await trx
    .updateTable('participacao')
    .set({ status: mudanca.status, carta_correcao: mudanca.cartaCorrecao })
    .where('documento_id', '=', mudanca.documentoId)
    .execute();
}

/** Listing rows of documents; index `participacao_documento`, one row for each client that takes part. */
export async function findParticipacoes(
  trx: Trx,
  documentoIds: readonly number[],
): Promise<Selectable<TabelaParticipacao>[]> {
  const found: Selectable<TabelaParticipacao>[] = [];
  for (const part of chunks(documentoIds, IDS_PER_SELECT)) {
    found.push(
      ...(await trx.selectFrom('participacao').selectAll().where('documento_id', 'in', part).execute()),
    );
  }
  return found;
}

export interface ParticipacaoEmFalta {
  cliente_id: number;
  documento_id: number;
  papel: string;
  ambiente: number;
  classe: Selectable<TabelaDocumento>['classe'];
  modelo: string;
  emitido_em: number;
  dia: string;
  status: string;
  carta_correcao: Flag;
}

const COLUNAS_EM_FALTA = [
  'cliente.id as cliente_id',
  'participante.documento_id',
  'participante.papel',
  'documento.ambiente',
  'documento.classe',
  'documento.modelo',
  'documento.emitido_em',
  'documento.dia',
  'documento.status',
  'documento.carta_correcao',
] as const;

/** Registered clients that take part in these documents and do not see them yet; one row for each papel. */
export async function findParticipacoesEmFalta(
  trx: Trx,
  documentoIds: readonly number[],
): Promise<ParticipacaoEmFalta[]> {
  const found: ParticipacaoEmFalta[] = [];
  for (const part of chunks(documentoIds, IDS_PER_SELECT)) {
    found.push(
      ...((await baseDeParticipacoesEmFalta(trx)
        .where('participante.documento_id', 'in', part)
        .select(COLUNAS_EM_FALTA)
        .execute()) as ParticipacaoEmFalta[]),
    );
  }
  return found;
}

/** The same for one client and everything the office holds, a page at a time in order of arrival. */
export async function findParticipacoesEmFaltaDoCliente(
  trx: Trx,
  input: {
    contadorId: number;
    cpfCnpj: string;
    depoisDe: number;
    limite: number;
    ambientes: readonly number[];
  },
): Promise<ParticipacaoEmFalta[]> {
  return (await baseDeParticipacoesEmFalta(trx)
    .where('participante.contador_id', '=', input.contadorId)
    .where('participante.cpf_cnpj', '=', input.cpfCnpj)
    .where('participante.documento_id', '>', input.depoisDe)
    .where('documento.ambiente', 'in', input.ambientes)
    .select(COLUNAS_EM_FALTA)
    .orderBy('participante.documento_id')
    .limit(input.limite)
    .execute()) as ParticipacaoEmFalta[];
}

function baseDeParticipacoesEmFalta(trx: Trx) {
  return trx
    .selectFrom('participante')
    .innerJoin('cliente', (join) =>
      join
        .onRef('cliente.contador_id', '=', 'participante.contador_id')
        .onRef('cliente.cpf_cnpj', '=', 'participante.cpf_cnpj'),
    )
    .innerJoin('documento', 'documento.id', 'participante.documento_id')
    .leftJoin('participacao', (join) =>
      join
        .onRef('participacao.cliente_id', '=', 'cliente.id')
        .onRef('participacao.documento_id', '=', 'participante.documento_id'),
    )
    .where('participacao.documento_id', 'is', null);
}

/** Counter rows of these clients, in one order for every writer, so that two of them cannot wait for each other. */
export async function readCounters(
  trx: Trx,
  clienteIds: readonly number[],
): Promise<{ id: number; ultimo_nsu: number }[]> {
  const found: { id: number; ultimo_nsu: number }[] = [];
  for (const part of chunks(
    [...clienteIds].sort((a, b) => a - b),
    IDS_PER_SELECT,
  )) {
    found.push(
      ...(await trx
        .selectFrom('cliente')
        .select(['id', 'ultimo_nsu'])
        .where('id', 'in', part)
        .orderBy('id')
        .execute()),
    );
  }
  return found;
}

export async function updateCounter(
  trx: Trx,
  input: { clienteId: number; ultimoNsu: number },
): Promise<void> {
  await trx
    .updateTable('cliente')
    .set({ ultimo_nsu: input.ultimoNsu })
    .where('id', '=', input.clienteId)
    .execute();
}

export async function insertEntradas(trx: Trx, rows: readonly TabelaEntrada[]): Promise<void> {
  for (const part of chunks(rows, ROWS_PER_INSERT)) await trx.insertInto('entrada').values(part).execute();
}

/** A document that gets a second entry keeps one listing row, which shows the newest NSU. */
export async function upsertParticipacoes(trx: Trx, rows: readonly TabelaParticipacao[]): Promise<void> {
  for (const part of chunks(rows, ROWS_PER_INSERT)) {
    await trx
      .insertInto('participacao')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['cliente_id', 'documento_id']).doUpdateSet((eb) => ({
          nsu: eb.ref('excluded.nsu'),
          papel: eb.ref('excluded.papel'),
          tipo: eb.ref('excluded.tipo'),
          emitido_em: eb.ref('excluded.emitido_em'),
          dia: eb.ref('excluded.dia'),
          status: eb.ref('excluded.status'),
          carta_correcao: eb.ref('excluded.carta_correcao'),
        })),
      )
      .execute();
  }
}

/** Adds (or, negative, takes away) listing rows of a day. */
export async function addContagens(trx: Trx, rows: readonly TabelaContagem[]): Promise<void> {
  for (const part of chunks(rows, ROWS_PER_INSERT)) {
    await trx
      .insertInto('contagem')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .columns(['cliente_id', 'modelo', 'dia', 'tipo', 'status', 'carta_correcao'])
          .doUpdateSet((eb) => ({
            quantidade: eb('contagem.quantidade', '+', eb.ref('excluded.quantidade')),
          })),
      )
      .execute();
  }
}

/** A key that is expected already stays as it is. */
export async function insertEsperados(trx: Trx, rows: readonly TabelaEsperado[]): Promise<void> {
  for (const part of chunks(rows, ROWS_PER_INSERT)) {
    await trx
      .insertInto('esperado')
      .values(part)
      .onConflict((conflict) => conflict.columns(['contador_id', 'chave']).doNothing())
      .execute();
  }
}

export async function deleteEsperados(
  trx: Trx,
  input: { contadorId: number; chaves: readonly string[] },
): Promise<void> {
  for (const part of chunks(input.chaves, IDS_PER_SELECT)) {
    await trx
      .deleteFrom('esperado')
      .where('contador_id', '=', input.contadorId)
      .where('chave', 'in', part)
      .execute();
  }
}

/** Dates of replaced documents, which their listing rows take over. */
export async function findDatas(
  trx: Trx,
  documentoIds: readonly number[],
): Promise<{ id: number; emitido_em: number; dia: string }[]> {
  const found: { id: number; emitido_em: number; dia: string }[] = [];
  for (const part of chunks(documentoIds, IDS_PER_SELECT)) {
    found.push(
      ...(await trx
        .selectFrom('documento')
        .select(['id', 'emitido_em', 'dia'])
        .where('id', 'in', part)
        .execute()),
    );
  }
  return found;
}

/** Which of these keys have a document (not only an event) in the office. */
export async function findChavesDeDocumentos(
  trx: Trx,
  input: { contadorId: number; chaves: readonly string[] },
): Promise<string[]> {
  const found: string[] = [];
  for (const part of chunks(input.chaves, IDS_PER_SELECT)) {
    const rows = await trx
      .selectFrom('documento')
      .select('chave')
      .where('contador_id', '=', input.contadorId)
      .where('chave', 'in', part)
      .where('classe', '=', 'documento')
      .execute();
    found.push(...rows.map((row) => row.chave));
  }
  return found;
}

/** Documents of homologação, in order of arrival, a step at a time. Runs once, when the setting was switched on. */
export async function findHomologacao(
  trx: Trx,
  input: { depoisDe: number; limite: number },
): Promise<number[]> {
  const rows = await trx
    .selectFrom('documento')
    .select('id')
    .where('ambiente', '=', 2)
    .where('id', '>', input.depoisDe)
    .orderBy('id')
    .limit(input.limite)
    .execute();
  return rows.map((row) => row.id);
}
