/**
 * An NFS-e that the office has twice, as its city writes it and as the national system does, is one note: a cancellation of one
 * is told on both. On the other form it is marked as declared, for what makes them one is what both say of themselves: city,
 * prestador, number and recipient, issued within days of each other. The value is not compared: one form tells the gross value
 * where another tells the net. Who leaves the city's system for the national one numbers anew: the number alone proves nothing.
 */
import { splitChave } from '../../fiscal/chave.ts';
import { outrasChavesDaNfse } from '../../fiscal/nfse/mesma-nota.ts';
import { type Chave, STATUS_DOCUMENTO } from '../../fiscal/tipos.ts';
import { type DaMesmaChave, findPorChaves } from '../queries.ts';
import type { Trx } from '../tipos.ts';
import { changeStatus } from './aplicar-eventos.ts';
import type { NovoStatus } from './queries-eventos.ts';
import * as queries from './queries-gemeas.ts';
import { statusMostrado } from './status-mostrado.ts';

/** The city's day of issue and that of the declaration are seldom the same day, and never far apart. */
const MESMA_EMISSAO_MS = 3 * 86_400_000;
const NACIONAL = 50;

/** Documents that take part in a pair of which one was cancelled by itself: the key of the other form. */
export type Gemeas = ReadonlyMap<number, { chave: string; canceladaNaOutra: boolean }>;

interface DasGemeas {
  /** Whose shown status has changed. */
  mudadas: ReadonlySet<number>;
  canceladas: Gemeas;
}

const NENHUMA: DasGemeas = { mudadas: new Set(), canceladas: new Map() };

/**
 * Tells each form of these notes what became of the other.
 * @param input.chaves of notes that are new or changed, and of events; others than those of NFS-e are passed over
 */
export async function applyGemeas(
  trx: Trx,
  input: { contadorId: number; chaves: readonly string[] },
): Promise<DasGemeas> {
  const { contadorId } = input;
  const chaves = input.chaves.filter((chave) => chave.length === NACIONAL || chave.startsWith('NFSE-'));
  if (chaves.length === 0) return NENHUMA;
  const suas = (await findPorChaves(trx, { contadorId, chaves })).filter(ehDocumento);
  const outras = await gemeasDe(trx, { contadorId, notas: suas });
  if (!suas.some((nota) => outras.some((outra) => saoUma(nota, outra)))) return NENHUMA;
  // The others may have further ones: what is proven of them is decided by all.
  const todas = new Map(
    [...suas, ...outras, ...(await gemeasDe(trx, { contadorId, notas: outras }))].map((nota) => [
      nota.id,
      nota,
    ]),
  );
  const pares = paresEntre([...todas.values()]);
  return pares.size === 0 ? NENHUMA : tellEachOther(trx, { contadorId, pares });
}

function ehDocumento({ classe }: DaMesmaChave): boolean {
  return classe === 'documento';
}

async function gemeasDe(
  trx: Trx,
  { contadorId, notas }: { contadorId: number; notas: readonly DaMesmaChave[] },
): Promise<DaMesmaChave[]> {
  const faixas = notas.flatMap(({ chave }) => outrasChavesDaNfse(chave as Chave));
  return faixas.length === 0 ? [] : queries.findNotasNasFaixas(trx, { contadorId, faixas });
}

/** Each note with its other forms. */
function paresEntre(notas: readonly DaMesmaChave[]): Map<DaMesmaChave, DaMesmaChave[]> {
  const pares = new Map<DaMesmaChave, DaMesmaChave[]>();
  for (const mesmas of Map.groupBy(notas, nomeDaNota).values()) {
    for (const nota of mesmas) {
      const outras = mesmas.filter((outra) => saoUma(nota, outra));
      if (outras.length > 0) pares.set(nota, outras);
    }
  }
  return pares;
}

/** City, prestador and number, which both keys have. */
function nomeDaNota({ chave, ambiente }: DaMesmaChave): string {
  const { emitente, numero } = splitChave(chave as Chave);
  const municipio = chave.length === NACIONAL ? chave.slice(0, 7) : chave.slice(5, 12);
  return `${ambiente}/${municipio}/${emitente}/${numero}`;
}

function saoUma(a: DaMesmaChave, b: DaMesmaChave): boolean {
  if ((a.chave.length === NACIONAL) === (b.chave.length === NACIONAL)) return false;
  if (nomeDaNota(a) !== nomeDaNota(b) || a.destinatario !== b.destinatario) return false;
  return Math.abs(a.emitido_em - b.emitido_em) <= MESMA_EMISSAO_MS;
}

async function tellEachOther(
  trx: Trx,
  input: { contadorId: number; pares: ReadonlyMap<DaMesmaChave, readonly DaMesmaChave[]> },
): Promise<DasGemeas> {
  const { contadorId, pares } = input;
  const chaves = [...new Set([...pares.keys()].map(({ chave }) => chave))];
  const eventos = Map.groupBy(
    (await findPorChaves(trx, { contadorId, chaves })).filter(({ classe }) => classe === 'evento'),
    ({ chave, ambiente }) => `${ambiente}/${chave}`,
  );
  const eventosDe = ({ chave, ambiente }: DaMesmaChave) => eventos.get(`${ambiente}/${chave}`) ?? [];
  const porSi = (nota: DaMesmaChave): string =>
    statusMostrado({ ...nota, status_gemea: null }, eventosDe(nota)).status;
  const canceladas = new Map<number, { chave: string; canceladaNaOutra: boolean }>();
  const novos: NovoStatus[] = [];
  for (const [nota, outras] of pares) {
    const cancelada = outras.find((outra) => porSi(outra) === STATUS_DOCUMENTO.cancelada);
    const aqui = porSi(nota) === STATUS_DOCUMENTO.cancelada;
    if (cancelada) canceladas.set(nota.id, { chave: cancelada.chave, canceladaNaOutra: !aqui });
    else if (aqui && outras[0]) canceladas.set(nota.id, { chave: outras[0].chave, canceladaNaOutra: false });
    const gemea = cancelada ? STATUS_DOCUMENTO.cancelada : null;
    const mostrado = statusMostrado({ ...nota, status_gemea: gemea }, eventosDe(nota));
    if (gemea !== nota.status_gemea) await queries.updateGemea(trx, { id: nota.id, status: gemea });
    if (mostrado.status !== nota.status || mostrado.prova !== nota.status_prova)
      novos.push({ documentoId: nota.id, ...mostrado });
  }
  if (novos.length > 0) await changeStatus(trx, novos);
  return { mudadas: new Set(novos.map(({ documentoId }) => documentoId)), canceladas };
}
