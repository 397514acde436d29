/**
 * A writer of R04, a process of its own: pieces made by hand go through the product's real transaction function, which
 * numbers last; then the commit is held up, which is when a reader could be led past a number. `node escritor-nsu.ts`
 * with its order as JSON.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Tabelas } from '../../src/banco/tabelas.ts';
import { readConfig } from '../../src/config.ts';
import { nota } from '../../src/documentos/cofre-testing.ts';
import { storeLotes } from '../../src/documentos/store/store.ts';
import type { CpfCnpj } from '../../src/fiscal/tipos.ts';
import { connectHere } from '../../src/platform/db/connect.ts';
import { isDatabasePassing } from '../../src/platform/db/faults.ts';

export interface Ordem {
  env: Record<string, string>;
  contadorId: number;
  clientes: string[];
  /** Which of the writers this is: its documents are in a series of its own. */
  escritor: number;
  documentos: number;
  porTransacao: number;
  /** Longest wait between numbering and commit. */
  atrasoMs: number;
}

const ordem = JSON.parse(process.argv[2] ?? '{}') as Ordem;
const db = connectHere<Tabelas>(readConfig(ordem.env));

/** Issued by one client; every fourth also received by another. */
function peca(numero: number) {
  const { clientes, escritor } = ordem;
  const emitente = clientes[numero % clientes.length] as CpfCnpj;
  const destinatario = numero % 4 === 0 ? (clientes[(numero + 1) % clientes.length] as CpfCnpj) : null;
  return nota({ emitente, destinatario, serie: String(escritor), numero });
}

/** A database that is busy or away says nothing against the pieces: they are tried again. */
async function comoOImportador(act: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!isDatabasePassing(error)) throw error;
      await delay(ordem.atrasoMs);
    }
  }
}

for (let from = 1; from <= ordem.documentos; from += ordem.porTransacao) {
  const to = Math.min(from + ordem.porTransacao - 1, ordem.documentos);
  const pecas = Array.from({ length: to - from + 1 }, (_, at) => peca(from + at));
  const lotes = [{ arquivoNumero: ordem.escritor, contadorId: ordem.contadorId, pecas }];
  await comoOImportador(() =>
    db.write.transaction().execute(async (trx) => {
      await storeLotes(trx, { lotes, agora: Date.now(), homologacao: false });
      await delay(Math.random() * ordem.atrasoMs);
    }),
  );
}
await db.close();
