/** Injuries to the tables: the only place of the campaign that knows a table, and only to damage it. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Aleatorio } from '../../src/gerador/aleatorio.ts';
import type { Deposito } from './motores.ts';

export interface Danificado {
  chave: string;
  /** Of the document as it was sent. */
  sha256: string;
}

interface Linha extends Danificado {
  versao_id: number;
  bytes: Uint8Array;
}

const DOCUMENTOS = `select c.versao_id, c.bytes, v.sha256, d.chave from conteudo c
  join versao v on v.id = c.versao_id join documento d on d.id = v.documento_id
  where d.classe = 'documento' and v.servida = 1 order by c.versao_id`;

/** Changes one bit in the stored bytes of some documents, while no process runs. */
export async function danificarConteudos(
  deposito: Deposito,
  input: { quantos: number; sorte: Aleatorio },
): Promise<Danificado[]> {
  const { quantos, sorte } = input;
  const flip = (bytes: Uint8Array): Uint8Array => {
    const changed = Uint8Array.from(bytes);
    const at = sorte.integer(0, changed.length - 1);
    changed[at] = (changed[at] ?? 0) ^ (1 << sorte.integer(0, 7));
    return changed;
  };
  if (deposito.banco) return danificarNoPostgres(deposito.banco.urlDoAdministrador, { quantos, sorte, flip });
  const database = new DatabaseSync(join(deposito.pasta, 'malote.sqlite'));
  try {
    const rows = database.prepare(DOCUMENTOS).all() as unknown as Linha[];
    const chosen = sorte.shuffled(rows).slice(0, quantos);
    const update = database.prepare('update conteudo set bytes = ? where versao_id = ?');
    for (const { versao_id, bytes } of chosen) update.run(flip(bytes), versao_id);
    return chosen.map(({ chave, sha256 }) => ({ chave, sha256 }));
  } finally {
    database.close();
  }
}

async function danificarNoPostgres(
  connectionString: string,
  input: { quantos: number; sorte: Aleatorio; flip: (bytes: Uint8Array) => Uint8Array },
): Promise<Danificado[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<Linha>(DOCUMENTOS);
    const chosen = input.sorte.shuffled(rows).slice(0, input.quantos);
    for (const { versao_id, bytes } of chosen) {
      const values = [Buffer.from(input.flip(bytes)), versao_id];
      await client.query('update conteudo set bytes = $1 where versao_id = $2', values);
    }
    return chosen.map(({ chave, sha256 }) => ({ chave, sha256 }));
  } finally {
    await client.end();
  }
}
