/** Statements of the consistency check: pages of everything, in key order, each with what it hangs together with. */
import { sql } from 'kysely';
import type { CodigoDeStatus, CodigoDeTipo, Flag } from '../../banco/tabelas.ts';
import { idChunks } from '../bytes/chunks.ts';
import { comHash } from '../bytes/hash-guardado.ts';
import { findBlocos } from '../bytes/queries-blocos.ts';
import { CODIGO_DE_EVENTO } from '../lean/codigos.ts';
import type { Leitor } from '../queries-leitura.ts';

/** A feed as its counter row and its entries tell it; primary keys. */
export async function findFeeds(db: Leitor, input: { depoisDe: number; limite: number }) {
  return db
    .selectFrom('cliente')
    .innerJoin('contador', 'contador.id', 'cliente.contador_id')
    .select((eb) => {
      const entradas = eb.selectFrom('entrada').whereRef('entrada.cliente_id', '=', 'cliente.id');
      return [
        'cliente.id',
        'cliente.cpf_cnpj',
        'contador.codigo_crm',
        'cliente.ultimo_nsu',
        entradas.select(({ fn }) => fn.countAll<number>().as('n')).as('quantidade'),
        entradas.select(({ fn }) => fn.min('nsu').as('n')).as('menor'),
        entradas.select(({ fn }) => fn.max('nsu').as('n')).as('maior'),
      ];
    })
    .where('cliente.id', '>', input.depoisDe)
    .orderBy('cliente.id')
    .limit(input.limite)
    .execute();
}

/** Entries with their client, document and listing row, null where one is not there; primary keys. */
export async function findEntradasComTudo(
  db: Leitor,
  input: { depoisDe: { cliente_id: number; nsu: number }; limite: number },
) {
  const { cliente_id, nsu } = input.depoisDe;
  return db
    .selectFrom('entrada')
    .leftJoin('cliente', 'cliente.id', 'entrada.cliente_id')
    .leftJoin('documento', 'documento.id', 'entrada.documento_id')
    .leftJoin('participacao', (join) =>
      join
        .onRef('participacao.cliente_id', '=', 'entrada.cliente_id')
        .onRef('participacao.documento_id', '=', 'entrada.documento_id'),
    )
    .select((eb) => [
      'entrada.cliente_id',
      'entrada.nsu',
      'entrada.documento_id',
      'entrada.importado_em',
      'documento.importado_em as documento_importado_em',
      'cliente.contador_id as contador_do_cliente',
      'documento.contador_id as contador_do_documento',
      'participacao.nsu as nsu_listado',
      eb
        .exists(
          eb
            .selectFrom('participante')
            .select('participante.papel')
            .whereRef('participante.documento_id', '=', 'entrada.documento_id')
            .whereRef('participante.cpf_cnpj', '=', 'cliente.cpf_cnpj'),
        )
        .as('tem_parte'),
    ])
    .where(sql<boolean>`(entrada.cliente_id, entrada.nsu) > (${cliente_id}, ${nsu})`)
    .orderBy('entrada.cliente_id')
    .orderBy('entrada.nsu')
    .limit(input.limite)
    .execute();
}

/** When each version of some documents came; index `versao_documento`. */
export async function findInstantesDasVersoes(
  db: Leitor,
  documentoIds: readonly number[],
): Promise<Map<number, number[]>> {
  const found = new Map<number, number[]>();
  for (const part of idChunks([...new Set(documentoIds)])) {
    const rows = await db
      .selectFrom('versao')
      .select(['documento_id', 'importado_em'])
      .where('documento_id', 'in', part)
      .execute();
    for (const { documento_id, importado_em } of rows) {
      const instantes = found.get(documento_id) ?? [];
      instantes.push(importado_em);
      found.set(documento_id, instantes);
    }
  }
  return found;
}

/** The NSU that a client's listing shows a document with; primary key. */
export async function findNsuListado(
  db: Leitor,
  input: { clienteId: number; documentoId: number },
): Promise<number | null> {
  const row = await db
    .selectFrom('participacao')
    .select('nsu')
    .where('cliente_id', '=', input.clienteId)
    .where('documento_id', '=', input.documentoId)
    .executeTakeFirst();
  return row?.nsu ?? null;
}

/** Listing rows with the entry they name and the document they repeat; primary keys. */
export async function findParticipacoesComTudo(
  db: Leitor,
  input: { depoisDe: { cliente_id: number; documento_id: number }; limite: number },
) {
  const { cliente_id, documento_id } = input.depoisDe;
  return db
    .selectFrom('participacao')
    .leftJoin('entrada', (join) =>
      join
        .onRef('entrada.cliente_id', '=', 'participacao.cliente_id')
        .onRef('entrada.nsu', '=', 'participacao.nsu'),
    )
    .leftJoin('documento', 'documento.id', 'participacao.documento_id')
    .select([
      'participacao.cliente_id',
      'participacao.documento_id',
      'participacao.nsu',
      'participacao.classe',
      'participacao.modelo',
      'participacao.emitido_em',
      'participacao.status',
      'participacao.papel',
      'participacao.tipo',
      'participacao.carta_correcao',
      'entrada.documento_id as documento_da_entrada',
      'documento.classe as doc_classe',
      'documento.modelo as doc_modelo',
      'documento.emitido_em as doc_emitido_em',
      'documento.status as doc_status',
      'documento.carta_correcao as doc_carta_correcao',
    ])
    .where(
      sql<boolean>`(participacao.cliente_id, participacao.documento_id) > (${cliente_id}, ${documento_id})`,
    )
    .orderBy('participacao.cliente_id')
    .orderBy('participacao.documento_id')
    .limit(input.limite)
    .execute();
}

/** What the listing rows of these documents say of repeating it, by client; events repeat nothing. Index `participacao_documento`. */
export async function findRepetidas(db: Leitor, documentoIds: readonly number[]) {
  const found = [];
  for (const part of idChunks([...new Set(documentoIds)])) {
    const rows = await db
      .selectFrom('participacao')
      .select(['cliente_id', 'documento_id', 'tipo', 'repetida'])
      .where('documento_id', 'in', part)
      .where('classe', '<>', sql.lit(CODIGO_DE_EVENTO))
      .orderBy('documento_id')
      .orderBy('cliente_id')
      .execute();
    found.push(...rows);
  }
  return Map.groupBy(found, (row) => row.documento_id);
}

/** Documents with what their status follows from, and how many served versions they have. */
export async function findDocumentosComTudo(db: Leitor, input: { depoisDe: number; limite: number }) {
  return db
    .selectFrom('documento')
    .select((eb) => [
      'documento.id',
      'documento.contador_id',
      'documento.ambiente',
      'documento.classe',
      'documento.chave',
      'documento.modelo',
      'documento.emitido_em',
      'documento.emitente',
      'documento.destinatario',
      'documento.autor',
      'documento.tomador',
      'documento.evento_codigo',
      'documento.status',
      'documento.status_protocolo',
      'documento.carta_correcao',
      'documento.manifestacao',
      'documento.evento_efeito',
      'documento.nprot',
      'documento.prova',
      'documento.status_prova',
      'documento.status_alegado',
      'documento.importado_em',
      'documento.excluido_em',
      'documento.status_gemea',
      eb
        .selectFrom('versao')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('versao.documento_id', '=', 'documento.id')
        .where('versao.servida', '=', sql.lit(1 as const))
        .as('servidas'),
      // Of one that was never deleted the first version is still there, and came with it.
      eb
        .selectFrom('versao')
        .select(sql<number>`sum(case when length(versao.sha256) = 0 then 1 else 0 end)`.as('n'))
        .whereRef('versao.documento_id', '=', 'documento.id')
        .as('vazias'),
      eb
        .selectFrom('versao')
        .select(({ fn }) => fn.min('versao.importado_em').as('n'))
        .whereRef('versao.documento_id', '=', 'documento.id')
        .whereRef('versao.importado_em', '=', 'documento.importado_em')
        .as('chegou'),
    ])
    .where('documento.id', '>', input.depoisDe)
    .orderBy('documento.id')
    .limit(input.limite)
    .execute();
}

/** Events about these documents; primary key, then index `documento_chave`, in the office of each alone. */
export async function findEventosDosDocumentos(db: Leitor, documentoIds: readonly number[]) {
  const found = [];
  for (const part of idChunks(documentoIds)) {
    found.push(
      ...(await db
        .selectFrom('documento as nota')
        .innerJoin('documento as evento', (join) =>
          join
            .onRef('evento.contador_id', '=', 'nota.contador_id')
            .onRef('evento.chave', '=', 'nota.chave')
            .onRef('evento.ambiente', '=', 'nota.ambiente')
            .on('evento.classe', '=', 'evento'),
        )
        .select([
          'nota.id as documento_id',
          'evento.emitido_em',
          'evento.autor',
          'evento.destinatario',
          'evento.evento_codigo',
          'evento.evento_sequencia',
          'evento.evento_efeito',
          'evento.evento_desfaz',
          'evento.nprot',
          'evento.prova',
          'evento.afastado',
          'evento.protocolo_da_nota',
        ])
        .where('nota.id', 'in', part)
        .where('nota.classe', '=', 'documento')
        .execute()),
    );
  }
  return found;
}

/** What the documents of events say of who may write them; index `documento_chave`. */
export async function findNotasDeEventos(db: Leitor, eventoIds: readonly number[]) {
  const found = [];
  for (const part of idChunks(eventoIds)) {
    found.push(
      ...(await db
        .selectFrom('documento as evento')
        .innerJoin('documento as nota', (join) =>
          join
            .onRef('nota.contador_id', '=', 'evento.contador_id')
            .onRef('nota.chave', '=', 'evento.chave')
            .onRef('nota.ambiente', '=', 'evento.ambiente')
            .on('nota.classe', '=', 'documento'),
        )
        .select(['evento.id as evento_id', 'nota.id', 'nota.chave', 'nota.modelo', 'nota.emitente'])
        .select(['nota.destinatario', 'nota.tomador'])
        .where('evento.id', 'in', part)
        .execute()),
    );
  }
  return found;
}

/**
 * Versions with their stored bytes, null where these are not there; the page bounds the memory. Call it in a
 * transaction, which sees one state.
 */
export async function findVersoesComConteudo(db: Leitor, input: { depoisDe: number; limite: number }) {
  const rows = await db
    .selectFrom('versao')
    .leftJoin('documento', 'documento.id', 'versao.documento_id')
    .leftJoin('conteudo', 'conteudo.versao_id', 'versao.id')
    .leftJoin('certificado_de_documento', 'certificado_de_documento.id', 'conteudo.certificado_id')
    .select(['versao.id', 'versao.documento_id', 'documento.chave', 'versao.sha256', 'versao.tamanho'])
    .select(['documento.excluido_em', 'versao.servida'])
    .select(['conteudo.formato', 'conteudo.bytes', 'conteudo.soma', 'conteudo.posicao', 'conteudo.bloco_id'])
    .select('certificado_de_documento.texto as certificado')
    .where('versao.id', '>', input.depoisDe)
    .orderBy('versao.id')
    .limit(input.limite)
    .execute();
  const blocos = await findBlocos(
    db,
    rows.map(({ bloco_id }) => bloco_id),
  );
  return rows.map(({ bloco_id, ...row }) => ({ ...comHash(row), ...blocos.get(bloco_id) }));
}

/** Contents that stand in a block and have something of their own beside it, a few. All rows are read. */
export async function findConteudosEmDobro(db: Leitor): Promise<{ versao_id: number }[]> {
  return db
    .selectFrom('conteudo')
    .select('versao_id')
    .where('bloco_id', 'is not', null)
    .where((eb) => eb.or([eb('soma', '<>', 0), eb(sql<number>`length(bytes)`, '<>', 0)]))
    .limit(20)
    .execute();
}

/** Stored bytes of no version, a few; primary keys. */
export async function findConteudosSoltos(db: Leitor, input: { depoisDe: number; limite: number }) {
  return db
    .selectFrom('conteudo')
    .leftJoin('versao', 'versao.id', 'conteudo.versao_id')
    .select('conteudo.versao_id')
    .where('versao.id', 'is', null)
    .where('conteudo.versao_id', '>', input.depoisDe)
    .orderBy('conteudo.versao_id')
    .limit(input.limite)
    .execute();
}

export interface ContagemDoDia {
  modelo: string;
  dia: string;
  tipo: string;
  status: string;
  carta_correcao: Flag;
  quantidade: number;
}

/** The kept counts of a client. */
export async function findContagens(db: Leitor, clienteId: number): Promise<ContagemDoDia[]> {
  return db
    .selectFrom('contagem')
    .select(['modelo', 'dia', 'tipo', 'status', 'carta_correcao', 'quantidade'])
    .where('cliente_id', '=', clienteId)
    .where('quantidade', '<>', 0)
    .execute();
}

interface ContagemDaHora {
  modelo: string;
  /** A moment of the day that the rows are of; ms UTC. */
  instante: number;
  tipo: CodigoDeTipo;
  status: CodigoDeStatus;
  carta_correcao: Flag;
  quantidade: number;
}

/**
 * A day begins at a whole hour in America/Sao_Paulo, whatever the season, since 1914; rows of an hour are of one day.
 * Before 1970, where a division would round up, each instant stands for itself.
 */
const HORA = sql<number>`case when emitido_em >= 0 then emitido_em - emitido_em % 3600000 else emitido_em end`;

/** Listing rows of a client, counted anew by the hour; a range of their primary key. */
export async function countPorHora(db: Leitor, clienteId: number): Promise<ContagemDaHora[]> {
  const rows = await db
    .selectFrom('participacao')
    .select((eb) => [
      'modelo',
      HORA.as('instante'),
      'tipo',
      'status',
      'carta_correcao',
      eb.fn.countAll<number>().as('quantidade'),
    ])
    .where('cliente_id', '=', clienteId)
    .where('classe', '<>', sql.lit(CODIGO_DE_EVENTO))
    .groupBy(['modelo', HORA, 'tipo', 'status', 'carta_correcao'])
    .execute();
  return rows.map((row) => ({ ...row, quantidade: Number(row.quantidade) }));
}

/** Expected keys whose document of production is there; primary key of `esperado`, index `documento_chave`. */
export async function findEsperadosPresentes(
  db: Leitor,
  input: { depoisDe: { contador_id: number; chave: string }; limite: number },
) {
  const { contador_id, chave } = input.depoisDe;
  return db
    .selectFrom('esperado')
    .innerJoin('documento', (join) =>
      join
        .onRef('documento.contador_id', '=', 'esperado.contador_id')
        .onRef('documento.chave', '=', 'esperado.chave')
        .on('documento.classe', '=', 'documento')
        .on('documento.ambiente', '=', 1),
    )
    .select(['esperado.contador_id', 'esperado.chave'])
    .where(sql<boolean>`(esperado.contador_id, esperado.chave) > (${contador_id}, ${chave})`)
    .orderBy('esperado.contador_id')
    .orderBy('esperado.chave')
    .limit(input.limite)
    .execute();
}
