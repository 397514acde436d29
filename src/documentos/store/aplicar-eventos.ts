/**
 * Joins documents and their events, whichever came first: the status follows from the protocol and all registered
 * events, and an event reaches every client that takes part in its document.
 */
import type { TabelaParticipante } from '../../banco/tabelas.ts';
import { parseChave50, splitChave } from '../../fiscal/chave.ts';
import { ATOR_INTERESSADO } from '../../fiscal/eventos/tabela.ts';
import type { CpfCnpj } from '../../fiscal/tipos.ts';
import { together } from '../../platform/db/together.ts';
import { PAPEL_EM_CODIGO } from '../lean/codigos.ts';
import { writeProva } from '../lean/prova-guardada.ts';
import {
  addParticipantes,
  type DaMesmaChave,
  deleteParte,
  findParticipantes,
  findPorChaves,
} from '../queries.ts';
import type { Trx } from '../tipos.ts';
import { idDe } from './candidatos.ts';
import { applyContagens, type Delta } from './contagens.ts';
import { comPapelMaisForte } from './entregar.ts';
import type { Novo } from './inserir.ts';
import { findPapeisListados, findParticipacoes, upsertParticipacoes } from './queries-entradas.ts';
import {
  type NovoStatus,
  touchDocumentos,
  updateAfastado,
  updateStatus,
  updateStatusDasParticipacoes,
} from './queries-eventos.ts';
import {
  ehDeQuemNaoPode,
  ehFraca,
  forcaDoCancelamento,
  provaDoEvento,
  statusMostrado,
} from './status-mostrado.ts';

interface Grupo {
  documento: DaMesmaChave & { transportadores?: readonly CpfCnpj[] };
  eventos: readonly DaMesmaChave[];
  /** Those of them that may lack parties of the document: all of a new one, else those that have just come. */
  aEstender: readonly DaMesmaChave[];
}

/**
 * @param input.chaves keys of everything that is new or changed in this transaction
 * @param input.trocados documents whose served version has changed: their status is derived even without events
 * @param input.antes what there was of these keys, and perhaps of others, before this transaction
 * @param input.novos what is new, with its row
 * @returns ids of the documents whose status was derived anew, and of their events, whose parties may have grown; crescidos:
 * of the documents, those that have parties now that they had not; comNota: of the keys that have events, those whose document of production is there; fracos: events that are proven less than the
 * document that they speak of; afastados: of those that are new, the ones that were set aside with what a person had set aside
 */
export async function applyEventos(
  trx: Trx,
  input: {
    contadorId: number;
    chaves: readonly string[];
    trocados: ReadonlySet<number>;
    antes: readonly DaMesmaChave[];
    novos: readonly Novo[];
  },
): Promise<{
  documentos: number[];
  eventos: number[];
  crescidos: number[];
  comNota: ReadonlySet<string>;
  fracos: ReadonlyMap<number, Fraqueza>;
  afastados: ReadonlySet<number>;
}> {
  const { contadorId, chaves, trocados } = input;
  // Rows that were replaced are no longer as they were.
  const todos = trocados.size > 0 ? await findPorChaves(trx, { contadorId, chaves }) : comEventos(input);
  const documentos = todos.filter(({ classe }) => classe === 'documento');
  const eventos = todos.filter(({ classe }) => classe === 'evento');
  const mudados = new Set(trocados);
  for (const { candidato } of input.novos) mudados.add(idDe(candidato));
  const novos = new Set(input.novos.map(({ candidato }) => idDe(candidato)));
  const comTodos = await comTransportadores(trx, agrupar({ documentos, eventos, trocados, mudados }));
  const afastados = new Set(comTodos.flatMap((grupo) => jaAfastadosEm(grupo, novos)));
  for (const id of afastados) await updateAfastado(trx, { id, afastado: 1 });
  const agrupados = afastados.size === 0 ? comTodos : comTodos.map((grupo) => semEfeito(grupo, afastados));
  const crescidos = await autorizarNomeados(trx, agrupados);
  // Whom an event names is told of all events of the document, those that came before too.
  const grupos = agrupados.map((grupo) =>
    crescidos.has(grupo.documento.id) ? { ...grupo, aEstender: grupo.eventos } : grupo,
  );
  await together(trx, [
    () => estenderParticipantes(trx, grupos, novos),
    () => derivarStatus(trx, grupos, novos),
    () => touchDocumentos(trx, mostramOutro(grupos, { mudados, novos: input.novos })),
  ]);
  return {
    documentos: grupos.map(({ documento }) => documento.id),
    eventos: grupos.flatMap(({ aEstender }) => aEstender.map((evento) => evento.id)),
    crescidos: [...crescidos],
    comNota: new Set(documentos.filter(ehDeProducao).map(({ chave }) => chave)),
    fracos: new Map(grupos.flatMap(fracosDe)),
    afastados,
  };
}

/** The records of those keys that have an event: most have none, and nothing is to be done for them. */
function comEventos(input: {
  chaves: readonly string[];
  antes: readonly DaMesmaChave[];
  novos: readonly Novo[];
}): DaMesmaChave[] {
  const { antes, novos } = input;
  const comEvento = new Set<string>();
  for (const { classe, chave } of antes) if (classe === 'evento') comEvento.add(chave);
  for (const { linha } of novos) if (linha.classe === 'evento') comEvento.add(linha.chave);
  if (comEvento.size === 0) return [];
  const mudadas = new Set(input.chaves);
  const rows = antes.filter(({ chave }) => comEvento.has(chave) && mudadas.has(chave));
  for (const novo of novos) if (comEvento.has(novo.linha.chave)) rows.push(comoGuardado(novo));
  return rows;
}

/** A new row as it would be read now. */
function comoGuardado({ candidato, linha }: Novo): DaMesmaChave {
  return {
    id: idDe(candidato),
    ambiente: linha.ambiente,
    classe: linha.classe,
    identidade: linha.identidade,
    chave: linha.chave,
    emitido_em: linha.emitido_em,
    destinatario: linha.destinatario ?? null,
    status: linha.status,
    status_protocolo: linha.status_protocolo,
    carta_correcao: linha.carta_correcao ?? 0,
    manifestacao: linha.manifestacao ?? null,
    evento_codigo: linha.evento_codigo ?? null,
    evento_sequencia: linha.evento_sequencia ?? null,
    evento_efeito: linha.evento_efeito ?? null,
    evento_desfaz: linha.evento_desfaz ?? null,
    nprot: linha.nprot ?? null,
    layout_nacional: linha.layout_nacional ?? 0,
    prova: linha.prova ?? null,
    status_prova: linha.status_prova ?? null,
    status_alegado: linha.status_alegado ?? null,
    status_gemea: null,
    afastado: 0,
    protocolo_da_nota: linha.protocolo_da_nota ?? null,
    modelo: linha.modelo,
    emitente: linha.emitente ?? null,
    autor: linha.autor ?? null,
    tomador: linha.tomador ?? null,
  };
}

function ehDeProducao({ ambiente }: DaMesmaChave): boolean {
  return ambiente === 1;
}

/** Documents that have events, or another version; the others need nothing. */
function agrupar(input: {
  documentos: readonly DaMesmaChave[];
  eventos: readonly DaMesmaChave[];
  trocados: ReadonlySet<number>;
  /** These, and what is new. */
  mudados: ReadonlySet<number>;
}): Grupo[] {
  const { trocados, mudados } = input;
  const scopeOf = (row: DaMesmaChave) => `${row.ambiente}/${row.chave}`;
  const eventos = Map.groupBy(input.eventos, scopeOf);
  return input.documentos
    .map((documento) => {
      const dele = eventos.get(scopeOf(documento)) ?? [];
      const aEstender = mudados.has(documento.id) ? dele : dele.filter(({ id }) => mudados.has(id));
      return { documento, eventos: dele, aEstender };
    })
    .filter((grupo) => grupo.eventos.length > 0 || trocados.has(grupo.documento.id));
}

/** Only of documents with an event that a carrier may write they are looked up. */
async function comTransportadores(trx: Trx, grupos: readonly Grupo[]): Promise<readonly Grupo[]> {
  const ids = grupos
    .filter(({ eventos }) => eventos.some(({ evento_codigo }) => evento_codigo === ATOR_INTERESSADO))
    .map(({ documento }) => documento.id);
  if (ids.length === 0) return grupos;
  const dosDocumentos = await transportadoresDe(trx, ids);
  return grupos.map((grupo) => {
    const transportadores = dosDocumentos.get(grupo.documento.id);
    return transportadores ? { ...grupo, documento: { ...grupo.documento, transportadores } } : grupo;
  });
}

/** @returns an entry for each of the documents, empty where none carries */
export async function transportadoresDe(
  trx: Trx,
  documentoIds: readonly number[],
): Promise<ReadonlyMap<number, CpfCnpj[]>> {
  const found = new Map<number, CpfCnpj[]>(documentoIds.map((id) => [id, []]));
  for (const { documento_id, papel, cpf_cnpj } of await findParticipantes(trx, documentoIds))
    if (papel === TRANSPORTADOR) found.get(documento_id)?.push(cpf_cnpj as CpfCnpj);
  return found;
}

const TRANSPORTADOR = PAPEL_EM_CODIGO.escrever('transportador');

/** Events that were listed before: with their document there, or there for more clients, their entries show that. */
function mostramOutro(
  grupos: readonly Grupo[],
  { mudados, novos }: { mudados: ReadonlySet<number>; novos: readonly Novo[] },
): number[] {
  const ids = grupos
    .filter(({ documento }) => mudados.has(documento.id))
    .flatMap(({ eventos }) => eventos.map(({ id }) => id));
  if (ids.length === 0) return [];
  const novosIds = new Set(novos.map(({ candidato }) => idDe(candidato)));
  return ids.filter((id) => !novosIds.has(id));
}

/**
 * New cancellations that are proven no better than one that a person has set aside: who wrote that one can write another, and
 * nothing but something stronger settles it.
 */
function jaAfastadosEm({ documento, eventos }: Grupo, novos: ReadonlySet<number>): number[] {
  const cancelamentos = eventos.filter(({ evento_efeito }) => evento_efeito === 'cancela');
  const forca = (evento: DaMesmaChave) => forcaDoCancelamento(evento, documento);
  const teto = Math.max(-1, ...cancelamentos.filter(({ afastado }) => afastado === 1).map(forca));
  return cancelamentos.filter((evento) => novos.has(evento.id) && forca(evento) <= teto).map(({ id }) => id);
}

function semEfeito(grupo: Grupo, afastados: ReadonlySet<number>): Grupo {
  const eventos = grupo.eventos.map(
    (evento): DaMesmaChave => (afastados.has(evento.id) ? { ...evento, afastado: 1 } : evento),
  );
  return { ...grupo, eventos };
}

/** Why an event is worth less than what it speaks of: it is proven less, or somebody else had to write it. */
export type Fraqueza = 'menos_provado' | 'de_quem_nao_pode';

function fracosDe({ documento, eventos }: Grupo): [number, Fraqueza][] {
  return eventos.flatMap((evento): [number, Fraqueza][] => {
    if (ehDeQuemNaoPode(evento, documento)) return [[evento.id, 'de_quem_nao_pode']];
    return ehFraca(forcaDoCancelamento(evento, documento), documento) ? [[evento.id, 'menos_provado']] : [];
  });
}

/**
 * Whom events of 110150 name takes part in the document itself, if they are proven as well as it is: anybody can write one that
 * lets himself have the note of somebody else. @returns the documents that have such a party now
 */
async function autorizarNomeados(trx: Trx, todos: readonly Grupo[]): Promise<ReadonlySet<number>> {
  const documentoDe = new Map<number, Grupo['documento']>();
  for (const { documento, eventos } of todos)
    for (const evento of eventos)
      if (evento.evento_codigo === ATOR_INTERESSADO && autoriza(evento, documento))
        documentoDe.set(evento.id, documento);
  if (documentoDe.size === 0) return new Set();
  const documentos = new Set([...documentoDe.values()].map(({ id }) => id));
  const partes = await findParticipantes(trx, [...documentoDe.keys(), ...documentos]);
  const jaTem = new Set(partes.map(({ documento_id, cpf_cnpj }) => `${documento_id}/${cpf_cnpj}`));
  const rows = partes.flatMap((parte): TabelaParticipante[] => {
    const documento = documentoDe.get(parte.documento_id);
    if (!documento || parte.papel !== AUTORIZADO || jaTem.has(`${documento.id}/${parte.cpf_cnpj}`)) return [];
    return [{ ...parte, documento_id: documento.id }];
  });
  await addParticipantes(trx, rows);
  return new Set(rows.map(({ documento_id }) => documento_id));
}

function autoriza(evento: DaMesmaChave, documento: Grupo['documento']): boolean {
  const prova = provaDoEvento(evento, documento) ?? DECLARADA;
  return evento.afastado !== 1 && prova > DECLARADA && !ehFraca(prova, documento);
}

const DECLARADA = writeProva('declarada');
const AUTORIZADO = PAPEL_EM_CODIGO.escrever('autorizado');

/** Rows for each party and each event that has not had them: not for each event of the document whenever one comes. */
async function estenderParticipantes(
  trx: Trx,
  todos: readonly Grupo[],
  novos: ReadonlySet<number>,
): Promise<void> {
  const grupos = todos.filter(({ aEstender }) => aEstender.length > 0);
  if (grupos.length === 0) return;
  const dosDocumentos = await findParticipantes(
    trx,
    grupos.map((grupo) => grupo.documento.id),
  );
  const porDocumento = Map.groupBy(dosDocumentos, (row) => row.documento_id);
  const rows: TabelaParticipante[] = grupos.flatMap((grupo) =>
    grupo.aEstender.flatMap((evento) =>
      (porDocumento.get(grupo.documento.id) ?? []).map((parte) => ({ ...parte, documento_id: evento.id })),
    ),
  );
  if (rows.length === 0) return;
  for (const grupo of grupos) await corrigirEmissor(trx, grupo, porDocumento.get(grupo.documento.id) ?? []);
  await addParticipantes(trx, rows);
  const estendidos = new Set(rows.map((row) => row.documento_id));
  await fortalecerPapeis(
    trx,
    [...estendidos].filter((id) => !novos.has(id)),
  );
}

/**
 * The key of an event names who issued its document, which nearly always is the prestador. Where the note says that the
 * tomador or the intermediário issued it, he is that in its events too.
 * @fonte docs/regras.md, parts
 */
async function corrigirEmissor(
  trx: Trx,
  { documento, aEstender }: Grupo,
  partes: readonly TabelaParticipante[],
): Promise<void> {
  const chave = parseChave50(documento.chave);
  if (chave === null) return;
  const { emitente } = splitChave(chave);
  const suas = partes.filter(({ cpf_cnpj }) => cpf_cnpj === emitente);
  if (emitente === null || suas.length === 0 || suas.some(({ papel }) => papel === PRESTADOR)) return;
  await deleteParte(trx, {
    documentoIds: aEstender.map(({ id }) => id),
    papel: PRESTADOR,
    cpfCnpj: emitente,
  });
}

const PRESTADOR = PAPEL_EM_CODIGO.escrever('prestador');

/**
 * With its document there, a client may play a stronger part in an event than that of its author or recipient. These events
 * were there before: of those that have just come nothing is listed yet.
 */
async function fortalecerPapeis(trx: Trx, eventoIds: readonly number[]): Promise<void> {
  const listadas = await findParticipacoes(trx, eventoIds);
  if (listadas.length === 0) return;
  const listados = [...new Set(listadas.map((linha) => linha.documento_id))];
  const fortes = new Map(
    comPapelMaisForte(await findPapeisListados(trx, listados)).map((row) => [
      `${row.cliente_id}/${row.documento_id}`,
      row,
    ]),
  );
  const mudadas = listadas.flatMap((linha) => {
    const forte = fortes.get(`${linha.cliente_id}/${linha.documento_id}`);
    return forte && forte.papel !== linha.papel ? [{ ...linha, papel: forte.papel, tipo: forte.tipo }] : [];
  });
  await upsertParticipacoes(trx, mudadas);
}

async function derivarStatus(
  trx: Trx,
  grupos: readonly Grupo[],
  recentes: ReadonlySet<number>,
): Promise<void> {
  const novos: NovoStatus[] = [];
  for (const { documento, eventos } of grupos) {
    const novo = statusMostrado(documento, eventos);
    const same =
      novo.status === documento.status &&
      novo.cartaCorrecao === documento.carta_correcao &&
      novo.manifestacao === documento.manifestacao &&
      novo.prova === documento.status_prova;
    if (!same) novos.push({ documentoId: documento.id, ...novo });
    for (const evento of eventos) {
      const prova = provaDoEvento(evento, documento);
      if (prova !== evento.status_prova) novos.push({ ...comoEsta(evento), prova });
    }
  }
  if (novos.length > 0) await changeStatus(trx, novos, recentes);
}

function comoEsta(evento: DaMesmaChave): NovoStatus {
  const {
    id: documentoId,
    status,
    carta_correcao: cartaCorrecao,
    manifestacao,
    status_prova: prova,
  } = evento;
  return { documentoId, status, cartaCorrecao, manifestacao, prova };
}

/**
 * The documents, their listing rows and the daily counts change together.
 * @param recentes documents that this transaction has brought: nothing is listed of them yet
 */
export async function changeStatus(
  trx: Trx,
  novos: readonly NovoStatus[],
  recentes: ReadonlySet<number> = new Set(),
): Promise<void> {
  const antigos = novos.filter(({ documentoId }) => !recentes.has(documentoId));
  const porDocumento = new Map(antigos.map((novo) => [novo.documentoId, novo]));
  const listadas = await findParticipacoes(trx, [...porDocumento.keys()]);
  const deltas: Delta[] = [];
  for (const linha of listadas) {
    const novo = porDocumento.get(linha.documento_id);
    if (!novo) continue;
    deltas.push(
      { linha, quantidade: -1 },
      { linha: { ...linha, status: novo.status, carta_correcao: novo.cartaCorrecao }, quantidade: 1 },
    );
  }
  await together(trx, [
    () => updateStatus(trx, novos),
    () => updateStatusDasParticipacoes(trx, antigos),
    () => applyContagens(trx, deltas),
  ]);
}
