/** Injuries to the tables: the only place of the campaign that knows a table, and only to damage it. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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
