/** Documents that are known to exist and have not come: `Faltantes` until they do. */
import type { TabelaEsperado } from '../../banco/tabelas.ts';
import { splitChave } from '../../fiscal/chave.ts';
import type { Chave, OrigemDoEsperado } from '../../fiscal/tipos.ts';
import type { Lote, PecaLida, Trx } from '../tipos.ts';
import * as queries from './queries-esperados.ts';

type Origem = OrigemDoEsperado | 'evento';

/** From what tells least of a document to what tells most: in whatever order they come, the last of these stays. */
const FORCA: readonly string[] = [
  'lista',
  'resumo',
  'evento',
  'resumo_denegada',
  'resumo_cancelada',
] satisfies Origem[];

function isChave44(chave: string): boolean {
  return chave.length === 44;
}

function isStronger(origem: string, known: string | undefined): boolean {
  return known === undefined || FORCA.indexOf(origem) > FORCA.indexOf(known);
}

/** Writes the keys that are new, or of which more is known now. */
async function anotar(trx: Trx, rows: readonly TabelaEsperado[], contadorId: number): Promise<void> {
  const chaves = rows.map((row) => row.chave);
  const known = new Map(
    (await queries.findOrigens(trx, { contadorId, chaves })).map(({ chave, origem }) => [chave, origem]),
  );
  await queries.insertEsperados(
    trx,
    rows.filter(({ chave, origem }) => isStronger(origem, known.get(chave))),
  );
}

function linhaDeEsperado(
  chave: Chave,
  input: { contadorId: number; agora: number; origem: Origem },
): TabelaEsperado {
  const { emitente, modelo, serie, numero } = splitChave(chave);
  return {
    contador_id: input.contadorId,
    chave,
    origem: input.origem,
    emitente,
    modelo,
    serie,
    numero: Number(numero),
    criado_em: input.agora,
  };
}

/**
 * Remembers the keys of lists and summaries (resNFe, resEvento). What tells most of the note stays. A key does not say its environment; what is missed is a document with fiscal
 * value, so one of homologação neither fulfils a key nor announces one.
 * @returns those whose document the office has already
 */
export async function noteEsperados(
  trx: Trx,
  input: { contadorId: number; agora: number; lotes: readonly Lote[] },
): Promise<ReadonlySet<string>> {
  const esperados = esperadosDe(input.lotes);
  if (esperados.length === 0) return new Set();
  const chaves = esperados.map(({ chave }) => chave);
  const presentes = new Set(
    await queries.findChavesDeDocumentos(trx, { contadorId: input.contadorId, chaves }),
  );
  const origens = new Map<Chave, Origem>();
  for (const { chave, origem } of esperados) {
    if (isStronger(origem, origens.get(chave))) origens.set(chave, origem);
  }
  const rows = [...origens]
    .filter(([chave]) => isChave44(chave) && !presentes.has(chave))
    .map(([chave, origem]) => linhaDeEsperado(chave, { ...input, origem }));
  await anotar(trx, rows, input.contadorId);
  return presentes;
}

type PecaEsperada = Extract<PecaLida, { kind: 'esperado' }>;

function esperadosDe(lotes: readonly Lote[]): PecaEsperada[] {
  const esperados: PecaEsperada[] = [];
  for (const { pecas } of lotes) for (const peca of pecas) if (peca.kind === 'esperado') esperados.push(peca);
  return esperados;
}

/**
 * What has come is expected no longer; an event whose document has not come announces it.
 * @param input.chegaram keys of new documents of production
 * @param input.anunciadas keys of new events of production
 * @param input.presentes keys among these whose document of production is there
 */
export async function cumprirEsperados(
  trx: Trx,
  input: {
    contadorId: number;
    agora: number;
    chegaram: readonly string[];
    anunciadas: readonly string[];
    presentes: ReadonlySet<string>;
  },
): Promise<void> {
  const { contadorId } = input;
  const chegaram = new Set(input.chegaram.filter(isChave44));
  await queries.deleteEsperados(trx, { contadorId, chaves: [...chegaram] });
  const semNota = [...new Set(input.anunciadas)].filter(
    (chave) => isChave44(chave) && !chegaram.has(chave) && !input.presentes.has(chave),
  );
  const rows = semNota.map((chave) => linhaDeEsperado(chave as Chave, { ...input, origem: 'evento' }));
  await anotar(trx, rows, contadorId);
}
