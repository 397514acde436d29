/**
 * Pages of the console's listing. A page costs what it shows: where an index has the filter it is one statement;
 * where it has not, windows of the listing are looked through within a budget of time, and the page says where to
 * go on. So a page may be shorter than asked for while `proximo` is set.
 */
import type { Db } from '../../banco/tabelas.ts';
import { diaDe, inicioDoDia } from '../../fiscal/dia.ts';
import { type Busca, batePorTexto, readBusca } from './busca.ts';
import { contagensDosDias, countDocumentos, countLinhas } from './contagens.ts';
import type { Cursor } from './cursor.ts';
import { alcanceDo, type FiltroDeDocumentos, MODELOS_DA_ESPECIE, regrasDe } from './filtro.ts';
import {
  type Candidatos,
  countCandidatos,
  ehPorChegada,
  type LimitesDeChegada,
  type Plano,
} from './queries-janela.ts';
import type { LinhaDaLista } from './queries-lista.ts';
import * as queries from './queries-lista.ts';

/** Fewer candidates than this are sorted; more are dense enough to be met while walking. */
const CANDIDATOS_MAX = 10_000;
/** A page is answered after this long with what was found, and says where to go on. */
export const ORCAMENTO_MS = 120;
const PRIMEIRA_JANELA = 500;
export const MAIOR_JANELA = 8_000;
/** Documents are looked at one by one, with their items. */
export const JANELA_COM_FINALIDADE = 500;
/** Documents of which the bytes are read. */
const JANELA_COM_XML = 100;
/** Behind all clients of a document. */
export const DEPOIS_DE_TODOS = Number.MAX_SAFE_INTEGER;
/** Clocks of several processes and long transactions: arrival is in order only up to this. */
const FOLGA_MS = 3_600_000;

export interface PaginaDaLista {
  linhas: LinhaDaLista[];
  /** Where to go on; null at the end. */
  proximo: Cursor | null;
}

/** Which of these rows pass. */
export type Passa = (linhas: readonly LinhaDaLista[]) => Promise<boolean[]>;

export interface PedidoDePagina {
  filtro: FiltroDeDocumentos;
  depois: Cursor | null;
  tamanho: number;
  /** Milliseconds that looking may take; without it the page is looked for to the end. */
  orcamentoMs?: number;
  /** What only code can tell of a row, such as its purpose. */
  passa?: Passa;
  /** One row for each document, of the first of its clients that passes; otherwise one for each client that has it. */
  umaPorDocumento?: boolean;
}

export const VAZIA: PaginaDaLista = { linhas: [], proximo: null };

/** One page of documents, newest first unless the filter says otherwise. */
export async function paginaDaLista(db: Db, pedido: PedidoDePagina): Promise<PaginaDaLista> {
  const { filtro, tamanho } = pedido;
  const uma = pedido.umaPorDocumento === true;
  const planejado = await planoDe(db, filtro);
  if (!planejado) return VAZIA;
  const { plano } = planejado;
  const passa = ambos(pedido.passa, planejado.passa);
  const scans = precisaOlhar(filtro, plano) || passa !== undefined;
  const deadline = performance.now() + (pedido.orcamentoMs ?? ORCAMENTO_MS);
  const linhas: LinhaDaLista[] = [];
  let depois = pedido.depois;
  let janela = scans ? Math.max(PRIMEIRA_JANELA, tamanho + 1) : tamanho + 1;
  for (;;) {
    if (passa) janela = Math.max(janelaComPassa(filtro), tamanho + 1);
    const passo = { depois, janela };
    const limite = passa ? janela * 4 : tamanho + 1 - linhas.length;
    const umaPorDocumento = uma && !dependeDoCliente(filtro);
    const achadas = await queries.findDaJanela(db, { filtro, passo, plano, limite, umaPorDocumento });
    const passam = passa ? await passa(achadas) : null;
    const boas = passam ? achadas.filter((_linha, index) => passam[index]) : achadas;
    linhas.push(...(uma ? semRepetir(boas) : boas));
    if (linhas.length > tamanho) return cheia(linhas, { tamanho, uma });
    const fim = await queries.findFimDaJanela(db, { filtro, passo, plano });
    if (!fim) return { linhas, proximo: null };
    depois = { k1: fim.k1, k2: fim.k2, clienteId: DEPOIS_DE_TODOS };
    if (performance.now() > deadline) return { linhas, proximo: depois };
    janela = Math.min(janela * 4, MAIOR_JANELA);
  }
}

/** Rows that pass both. */
export function ambos(a: Passa | undefined, b: Passa | undefined): Passa | undefined {
  if (!a || !b) return a ?? b;
  return async (linhas) => {
    const [as, bs] = [await a(linhas), await b(linhas)];
    return linhas.map((_linha, index) => as[index] === true && bs[index] === true);
  };
}

/** A beginning so short that hundreds of companies have it. Walking finds rows with it at once, and the row tells. */
function contem(texto: string): Passa {
  const bate = batePorTexto(texto);
  return async (linhas) => linhas.map(bate);
}

function cheia(linhas: LinhaDaLista[], { tamanho, uma }: { tamanho: number; uma: boolean }): PaginaDaLista {
  const shown = linhas.slice(0, tamanho);
  const last = shown.at(-1);
  return {
    linhas: shown,
    proximo: last ? { k1: last.k1, k2: last.k2, clienteId: uma ? DEPOIS_DE_TODOS : last.cliente_id } : null,
  };
}

/** Whether a row passes by what its client says of the document: then all of its clients are looked at. */
export const dependeDoCliente = ({ finalidade }: FiltroDeDocumentos) => finalidade !== null;

/** Rows of a document stand beside each other. */
const semRepetir = (linhas: readonly LinhaDaLista[]) =>
  linhas.filter((linha, at) => linha.documento_id !== linhas[at - 1]?.documento_id);

const janelaComPassa = ({ itens }: FiltroDeDocumentos) =>
  itens?.produto ? JANELA_COM_XML : JANELA_COM_FINALIDADE;

/** Whether some filter is in no index, so that rows of a window may fall away. */
function precisaOlhar(filtro: FiltroDeDocumentos, plano: Plano): boolean {
  const { regras } = plano;
  return (
    filtro.papel !== null ||
    filtro.serie !== null ||
    filtro.uf !== null ||
    filtro.origem !== null ||
    filtro.manifestacao !== null ||
    filtro.prova !== null ||
    filtro.valor.de !== null ||
    filtro.valor.ate !== null ||
    filtro.importacao.de !== null ||
    filtro.importacao.ate !== null ||
    plano.densos !== null ||
    (filtro.clienteId === null && regras.tipo !== null) ||
    filtro.entre !== null ||
    (ehPorChegada(filtro) && (regras.tipo ?? regras.status ?? (regras.cartaCorrecao || null)) !== null)
  );
}

/** How the listing is to be walked; null when nothing can match. */
export async function planoDe(
  db: Db,
  filtro: FiltroDeDocumentos,
): Promise<{ plano: Plano; passa?: Passa } | null> {
  const regras = regrasDe(filtro);
  if (!regras) return null;
  const nomeado = await candidatosDe(db, filtro);
  if (nomeado === 'nenhum') return null;
  const limites = ehPorChegada(filtro) ? await limitesDeChegada(db, filtro) : SEM_LIMITES;
  const aberto = { regras, candidatos: null, densos: null, limites };
  if (nomeado === null) return { plano: aberto };
  if (nomeado === 'ampla') return { plano: aberto, passa: contem(filtro.busca ?? '') };
  const { contadorId } = filtro;
  const quantos = await countCandidatos(db, {
    contadorId,
    candidatos: nomeado,
    limite: CANDIDATOS_MAX + 1,
  });
  if (quantos === 0) return null;
  return quantos > CANDIDATOS_MAX
    ? { plano: { ...aberto, densos: nomeado } }
    : { plano: { ...aberto, candidatos: nomeado } };
}

const SEM_LIMITES: LimitesDeChegada = { primeiro: null, ultimo: null };

/** What an index names: by key first, then what was typed, then the number. The other filters narrow it further. */
async function candidatosDe(
  db: Db,
  filtro: FiltroDeDocumentos,
): Promise<Candidatos | null | 'nenhum' | 'ampla'> {
  if (filtro.ids) return { documentoIds: filtro.ids };
  if (filtro.chave) return { chaves: filtro.chave };
  if (filtro.busca) {
    const busca: Busca | null = await readBusca(db, { contadorId: filtro.contadorId, texto: filtro.busca });
    if (!busca) return 'nenhum';
    return busca.ampla ? 'ampla' : busca.candidatos;
  }
  if (filtro.numero !== null) {
    return { numeros: [{ de: filtro.numero, ate: filtro.numero }], inutilizado: filtro.numero };
  }
  return null;
}

/** Bounds in the order of arrival, found by halving: arrival rises with the number, but for a margin. */
async function limitesDeChegada(db: Db, filtro: FiltroDeDocumentos): Promise<LimitesDeChegada> {
  const { de, ate } = filtro.importacao;
  if (de === null && ate === null) return SEM_LIMITES;
  const { clienteId } = filtro;
  const ultimo = await queries.findUltimoLugar(db, clienteId);
  return {
    primeiro: de === null ? null : await primeiroDesde(db, { clienteId, ultimo, instante: de - FOLGA_MS }),
    ultimo: ate === null ? null : await primeiroDesde(db, { clienteId, ultimo, instante: ate + FOLGA_MS }),
  };
}

async function primeiroDesde(
  db: Db,
  input: { clienteId: number | null; ultimo: number; instante: number },
): Promise<number> {
  let [low, high] = [1, input.ultimo + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = await queries.findChegada(db, { clienteId: input.clienteId, lugar: middle });
    if (row === null || row.importado_em >= input.instante) high = middle;
    else low = row.lugar + 1;
  }
  return low;
}

/** Exact number of documents, each once, from the daily counts; null where they do not know the filter. */
export const totalDaLista = (db: Db, filtro: FiltroDeDocumentos) => contar(db, filtro, countDocumentos);

/** The same of rows, of which each client of a document has one. */
export const linhasDaLista = (db: Db, filtro: FiltroDeDocumentos) => contar(db, filtro, countLinhas);

async function contar(
  db: Db,
  filtro: FiltroDeDocumentos,
  count: typeof countDocumentos,
): Promise<number | null> {
  const regras = regrasDe(filtro);
  if (!regras) return 0;
  const dias = diasInteiros(filtro.emissao);
  if (!dias || !soContados(filtro)) return null;
  const { contadorId } = filtro;
  const contagens = await contagensDosDias(db, { contadorId, alcance: alcanceDo(filtro), ...dias });
  const modelos: readonly string[] = MODELOS_DA_ESPECIE[filtro.especie];
  return count(
    contagens.filter((row) => modelos.includes(row.modelo)),
    regras,
  );
}

/** What the daily counts do not know of a filter. */
const NAO_CONTADO = {
  ...{ papel: null, serie: null, numero: null, chave: null, busca: null, uf: null, origem: null },
  ...{ finalidade: null, manifestacao: null, prova: null, ids: null },
} satisfies Partial<FiltroDeDocumentos>;
const NOMES_DO_NAO_CONTADO = Object.keys(NAO_CONTADO) as (keyof typeof NAO_CONTADO)[];
const ABERTO = { de: null, ate: null };

function soContados(filtro: FiltroDeDocumentos): boolean {
  const { importacao, valor, itens } = filtro;
  return (
    itens === undefined &&
    NOMES_DO_NAO_CONTADO.every((nome) => filtro[nome] === null) &&
    [importacao.de, importacao.ate, valor.de, valor.ate].every((value) => value === null)
  );
}

/** As much of a filter as the daily counts know: where it has no index, all of these documents are looked at. */
export function parteContada({ itens: _, ...filtro }: FiltroDeDocumentos): FiltroDeDocumentos {
  return { ...filtro, ...NAO_CONTADO, importacao: ABERTO, valor: ABERTO };
}

/** The days of a period that ends where days do; null when it cuts one. */
function diasInteiros({
  de,
  ate,
}: {
  de: number | null;
  ate: number | null;
}): { primeiroDia: string | null; ultimoDia: string | null } | null {
  if (de !== null && inicioDoDia(diaDe(de)) !== de) return null;
  if (ate !== null && inicioDoDia(diaDe(ate)) !== ate) return null;
  return { primeiroDia: de === null ? null : diaDe(de), ultimoDia: ate === null ? null : diaDe(ate - 1) };
}
