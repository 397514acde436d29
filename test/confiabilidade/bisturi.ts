/** Injuries to the tables: the only place of the campaign that knows a table, and only to damage it. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { readHash } from '../../src/documentos/bytes/hash-guardado.ts';
import type { Aleatorio } from '../../src/gerador/aleatorio.ts';
import type { Deposito } from './motores.ts';

export interface Danificado {
  chave: string;
  /** Of the document as it was sent. */
  sha256: string;
}

interface Linha {
  versao_id: number;
  bloco_id: number | null;
  chave: string;
  bytes: Uint8Array;
  sha256: Uint8Array;
}

const DOCUMENTOS = `select c.versao_id, c.bloco_id, coalesce(b.bytes, c.bytes) as bytes, v.sha256, d.chave
  from conteudo c join versao v on v.id = c.versao_id join documento d on d.id = v.documento_id
  left join bloco b on b.id = c.bloco_id
  where d.classe = 'documento' and v.servida = 1 order by c.versao_id`;

/** Stored bytes of one document, or of the block in which several stand. */
interface Ferido {
  tabela: 'conteudo' | 'bloco';
  coluna: 'versao_id' | 'id';
  id: number;
  bytes: Uint8Array;
  documentos: Danificado[];
}

/** Changes one bit in the stored bytes of some documents, while no process runs. @returns all that it reaches */
export async function danificarConteudos(
  deposito: Deposito,
  input: { quantos: number; sorte: Aleatorio },
): Promise<Danificado[]> {
  if (deposito.banco) return danificarNoPostgres(deposito.banco.urlDoAdministrador, input);
  const database = new DatabaseSync(join(deposito.pasta, 'malote.sqlite'));
  try {
    const feridos = ferir(database.prepare(DOCUMENTOS).all() as unknown as Linha[], input);
    for (const { tabela, coluna, id, bytes } of feridos) {
      database.prepare(`update ${tabela} set bytes = ? where ${coluna} = ?`).run(bytes, id);
    }
    return feridos.flatMap(({ documentos }) => documentos);
  } finally {
    database.close();
  }
}

async function danificarNoPostgres(
  connectionString: string,
  input: { quantos: number; sorte: Aleatorio },
): Promise<Danificado[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const feridos = ferir((await client.query<Linha>(DOCUMENTOS)).rows, input);
    for (const { tabela, coluna, id, bytes } of feridos) {
      await client.query(`update ${tabela} set bytes = $1 where ${coluna} = $2`, [Buffer.from(bytes), id]);
    }
    return feridos.flatMap(({ documentos }) => documentos);
  } finally {
    await client.end();
  }
}

/** What is changed, so that at least so many documents are reached. */
function ferir(rows: readonly Linha[], input: { quantos: number; sorte: Aleatorio }): Ferido[] {
  const { quantos, sorte } = input;
  const feridos: Ferido[] = [];
  let reached = 0;
  for (const documentos of sorte.shuffled([
    ...Map.groupBy(rows, ({ versao_id, bloco_id }) => bloco_id ?? -versao_id).values(),
  ])) {
    const [first] = documentos;
    if (!first || reached >= quantos) break;
    const { bloco_id, versao_id } = first;
    const bytes = Uint8Array.from(first.bytes);
    const at = sorte.integer(0, bytes.length - 1);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << sorte.integer(0, 7));
    feridos.push({
      ...(bloco_id === null
        ? { tabela: 'conteudo', coluna: 'versao_id', id: versao_id }
        : { tabela: 'bloco', coluna: 'id', id: bloco_id }),
      bytes,
      documentos: documentos.map(({ chave, sha256 }) => ({ chave, sha256: readHash(sha256) })),
    });
    reached += documentos.length;
  }
  return feridos;
}
