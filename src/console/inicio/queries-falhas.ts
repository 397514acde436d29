/** Statements of files that ended with problems. One function is one statement. */
import { sql } from 'kysely';
import { idChunks } from '../../documentos/bytes/chunks.ts';
import { PROBLEMAS } from '../../documentos/tipos.ts';
import type { Leitor } from '../documentos/queries-janela.ts';

export interface ArquivoComErro {
  numero: number;
  /** 1: it was given up; what it holds besides its items is not known. */
  desistiu: number;
  /** Place of its last item; null: it has none. */
  ultima: number | null;
}

/** The newest files of an office since an instant that ended with problems, without those that were tried again; index `arquivo_contador`, then `arquivo_reimportado`. */
export async function findComErro(
  db: Leitor,
  input: { contadorId: number; desde: number; limite: number },
): Promise<ArquivoComErro[]> {
  return db
    .selectFrom('arquivo')
    .leftJoin('job', 'job.arquivo_id', 'arquivo.id')
    .select((eb) => [
      'arquivo.numero',
      sql<number>`case when job.estado = 'falhou' then 1 else 0 end`.as('desistiu'),
      eb
        .selectFrom('item')
        .select('item.ordem')
        .whereRef('item.arquivo_numero', '=', 'arquivo.numero')
        .orderBy('item.ordem', 'desc')
        .limit(1)
        .as('ultima'),
    ])
    .where('arquivo.contador_id', '=', input.contadorId)
    .where('arquivo.criado_em', '>=', input.desde)
    .where('arquivo.status', '=', 'Com Erro')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('arquivo as nova')
            .select('nova.numero')
            .whereRef('nova.reimportado_de', '=', 'arquivo.id'),
        ),
      ),
    )
    .orderBy('arquivo.criado_em', 'desc')
    .limit(input.limite)
    .execute();
}

export type Problema = Awaited<ReturnType<typeof findProblemas>>[number];

/** Problems of a file among some of its items, in their order; a range of the primary key. */
export async function findProblemas(
  db: Leitor,
  input: { arquivoNumero: number; depoisDe: number; ate: number; limite: number },
) {
  return db
    .selectFrom('item')
    .select(['ordem', 'resultado', 'especie', 'chave', 'documento_id'])
    .where('arquivo_numero', '=', input.arquivoNumero)
    .where('ordem', '>', input.depoisDe)
    .where('ordem', '<=', input.ate)
    .where('resultado', 'in', PROBLEMAS)
    .orderBy('ordem')
    .limit(input.limite)
    .execute();
}

/** Which of these documents some client has; index `participacao_documento`. */
export async function findEntregues(db: Leitor, documentoIds: readonly number[]): Promise<Set<number>> {
  const found = new Set<number>();
  for (const part of idChunks(documentoIds)) {
    const rows = await db
      .selectFrom('participacao')
      .select('documento_id')
      .distinct()
      .where('documento_id', 'in', part)
      .execute();
    for (const { documento_id } of rows) found.add(documento_id);
  }
  return found;
}

/** Documents of an office with one of these keys; index `documento_chave`. */
export async function findPorChaves(db: Leitor, input: { contadorId: number; chaves: readonly string[] }) {
  const found: { id: number; chave: string }[] = [];
  for (const part of idChunks(input.chaves)) {
    found.push(
      ...(await db
        .selectFrom('documento')
        .select(['id', 'chave'])
        .where('contador_id', '=', input.contadorId)
        .where('chave', 'in', part)
        .where('classe', '<>', 'evento')
        .execute()),
    );
  }
  return found;
}
