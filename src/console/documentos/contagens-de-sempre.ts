/**
 * How many documents an office has in all. The kept counts have one row a day for each client: hundreds of thousands for
 * thousands of clients over years, and nearly all say what they said before. So the sums of each client are remembered, and
 * read again when the client has changed: `ultimo_nsu` grows with each entry, `revisao` with each other change of what it
 * is shown.
 */
import type { Db } from '../../banco/tabelas.ts';
import * as queries from './queries-contagens.ts';

/** Clients whose counts one statement sums: others want to read between two. */
const CLIENTES_POR_VEZ = 100;

interface Lida {
  ultimoNsu: number;
  revisao: number;
  contagens: readonly queries.Contagem[];
}

interface Escritorio {
  clientes: Map<number, Lida>;
  /** Who asks meanwhile waits, and finds it done. */
  vez: Promise<void>;
}

const lidos = new WeakMap<Db, Map<number, Escritorio>>();

/** Sums over all clients and days of an office. */
export async function contagensDeSempre(db: Db, contadorId: number): Promise<queries.Contagem[]> {
  const doBanco = lidos.get(db) ?? new Map<number, Escritorio>();
  lidos.set(db, doBanco);
  const escritorio = doBanco.get(contadorId) ?? { clientes: new Map(), vez: Promise.resolve() };
  doBanco.set(contadorId, escritorio);
  const lendo = escritorio.vez.then(() => readChanged(db, { contadorId, escritorio }));
  escritorio.vez = lendo.catch(() => {});
  await lendo;
  return somar([...escritorio.clientes.values()].flatMap(({ contagens }) => contagens));
}

async function readChanged(
  db: Db,
  { contadorId, escritorio }: { contadorId: number; escritorio: Escritorio },
): Promise<void> {
  const estados = await queries.findEstados(db, contadorId);
  const mudados = estados.filter(({ id, ultimo_nsu, revisao }) => {
    const lida = escritorio.clientes.get(id);
    return lida?.ultimoNsu !== ultimo_nsu || lida.revisao !== revisao;
  });
  for (let start = 0; start < mudados.length; start += CLIENTES_POR_VEZ) {
    const vez = mudados.slice(start, start + CLIENTES_POR_VEZ);
    const rows = await queries.sumPorCliente(
      db,
      vez.map(({ id }) => id),
    );
    const porCliente = Map.groupBy(rows, (row) => row.cliente_id);
    // Counted after their state was read: what came in between is counted already, and makes them be read once more.
    for (const { id, ultimo_nsu, revisao } of vez)
      escritorio.clientes.set(id, { ultimoNsu: ultimo_nsu, revisao, contagens: porCliente.get(id) ?? [] });
  }
}

function somar(contagens: readonly queries.Contagem[]): queries.Contagem[] {
  const sums = new Map<string, queries.Contagem>();
  for (const contagem of contagens) {
    const { modelo, tipo, status, carta_correcao } = contagem;
    const key = `${modelo} ${tipo} ${status} ${carta_correcao}`;
    const known = sums.get(key);
    if (!known) {
      const { quantidade, repetidas, repetidasNoTipo } = contagem;
      sums.set(key, { modelo, tipo, status, carta_correcao, quantidade, repetidas, repetidasNoTipo });
      continue;
    }
    known.quantidade += contagem.quantidade;
    known.repetidas += contagem.repetidas;
    known.repetidasNoTipo += contagem.repetidasNoTipo;
  }
  return [...sums.values()];
}
