/**
 * The vault's one way in. A batch of read pieces becomes rows in one transaction: documents and their versions
 * first, then the effect of events, then the entries with their NSU, last. If the process dies before the commit,
 * nothing of it has happened. What runs for each document here and in the files that it calls is a function of the module,
 * never one made for the batch (docs/arquitetura/motor.md).
 */
import { LOCK, lockFor } from '../../platform/db/locks.ts';
import { reserveIds } from '../../platform/db/reserved-ids.ts';
import { together } from '../../platform/db/together.ts';
import { keepConteudos } from '../bytes/blocos.ts';
import type { Motivo } from '../lean/motivos.ts';
import * as queries from '../queries.ts';
import type { Lote, PecaGravada, PecaLida, RegistroAGuardar, RegistroSemItens, Trx } from '../tipos.ts';
import { applyEventos, type Fraqueza } from './aplicar-eventos.ts';
import {
  type Candidato,
  chaveDe,
  conhecer,
  type Decidida,
  decideAll,
  idDe,
  NADA_DECIDIDO,
} from './candidatos.ts';
import { clientesEntre, papeisDosNovos } from './clientes-dos-novos.ts';
import { noteEmpresas } from './empresas.ts';
import { comPapelMaisForte, entregar } from './entregar.ts';
import { cumprirEsperados, noteEsperados } from './esperados.ts';
import { applyGemeas, type Gemeas } from './gemeas.ts';
import {
  conteudosDe,
  DestinosDasPecas,
  guardarBytes,
  inserirDocumentos,
  inserirParticipantes,
  inserirVersoes,
  keepTextos,
  type Novo,
  novosDe,
  partesDosNovos,
  substituidosDe,
} from './inserir.ts';
import type { NotasDasChaves } from './notas-dos-eventos.ts';
import * as entradas from './queries-entradas.ts';
import { type Contexto, gravada } from './resultado.ts';
import { outraEntrada, servirLida } from './servir.ts';
import { servirDeQuemPode } from './servir-eventos.ts';

/**
 * Stores the pieces of one or more files. Call inside a transaction that commits right afterwards.
 * @returns for each lote, what became of each piece, in their order
 */
export async function storeLotes(
  trx: Trx,
  input: { lotes: readonly Lote[]; agora: number; homologacao: boolean },
): Promise<PecaGravada[][]> {
  const results = new Map<Lote, PecaGravada[]>();
  // Two workers may bring the same document at once: the second sees what the first has stored.
  await lockFor(
    trx,
    LOCK.escritorio,
    input.lotes.map((lote) => lote.contadorId),
  );
  for (const [contadorId, lotes] of Map.groupBy(input.lotes, (lote) => lote.contadorId)) {
    const { agora, homologacao } = input;
    await storeDoContador(trx, { contadorId, lotes, agora, homologacao }, results);
  }
  return input.lotes.map((lote) => results.get(lote) ?? []);
}

async function storeDoContador(
  trx: Trx,
  scope: { contadorId: number; lotes: readonly Lote[]; agora: number; homologacao: boolean },
  results: Map<Lote, PecaGravada[]>,
): Promise<void> {
  const { contadorId, agora, lotes } = scope;
  const registros = registrosDe(lotes);
  const [conhecido, clientes, reservados] = await together(trx, [
    () => conhecer(trx, { contadorId, registros }),
    () => clientesEntre(trx, { contadorId, registros }),
    () => reserveIds(trx, ['documento', 'versao'], registros.length),
  ]);
  const decididas = decideAll(lotes, conhecido);
  const { candidatos, daChave, notas } = conhecido;

  const novos = novosDe(candidatos, scope);
  const [, , guardados, textos] = await together(trx, [
    () => inserirDocumentos(trx, { novos, ids: reservados.documento }),
    () => inserirParticipantes(trx, { contadorId, novos }),
    () => guardarBytes(trx, { contadorId, conteudos: conteudosDe(candidatos), clientes }),
    () => keepTextos(trx, { contadorId, candidatos }),
    () => noteEmpresas(trx, { contadorId, partes: partesDosNovos(novos) }),
    () => queries.retireVersoes(trx, substituidosDe(candidatos)),
  ]);
  const destinos = new DestinosDasPecas();
  const [, , efeitos] = await together(trx, [
    () => inserirVersoes(trx, { agora, candidatos, textos, ids: reservados.versao, destinos }),
    () => keepConteudos(trx, { ...guardados, destinos }),
    () => aplicar(trx, { ...scope, candidatos, novos, daChave, notas }),
  ]);
  const visiveis = await deliverAll(trx, { ...scope, candidatos, novos, clientes, efeitos });

  const { esperados, fracos, afastados, gemeas } = efeitos;
  const contexto: Contexto = {
    ...{ homologacao: scope.homologacao, visiveis, esperados },
    ...{ fracos, afastados, gemeas },
  };
  for (const [index, lote] of lotes.entries())
    results.set(lote, gravadas(lote.pecas, decididas[index] ?? [], contexto));
}

function registrosDe(lotes: readonly Lote[]): RegistroAGuardar[] {
  const registros: RegistroAGuardar[] = [];
  for (const { pecas } of lotes)
    for (const peca of pecas) if (peca.kind === 'registro') registros.push(peca.registro);
  return registros;
}

function gravadas(
  pecas: readonly PecaLida[],
  decididas: readonly Decidida[],
  contexto: Contexto,
): PecaGravada[] {
  const todas: PecaGravada[] = [];
  for (const [at, peca] of pecas.entries()) {
    const { decisao, candidato } = decididas[at] ?? NADA_DECIDIDO;
    const documentoId = candidato ? idDe(candidato) : null;
    const primeira = candidato?.novo === true && candidato.gravar[0]?.peca === peca;
    todas.push(gravada({ peca, decisao, documentoId, primeira }, contexto));
  }
  return todas;
}

/**
 * What new documents and versions change of others: events and documents take note of each other, and what was expected
 * has come.
 * @returns ids: all documents that somebody may see now who has not seen them; tocados: those whose rows are not as they
 * were inserted
 */
async function aplicar(
  trx: Trx,
  input: {
    contadorId: number;
    lotes: readonly Lote[];
    agora: number;
    candidatos: Map<string, Candidato>;
    novos: readonly Novo[];
    daChave: readonly queries.DaMesmaChave[];
    notas: NotasDasChaves;
  },
): Promise<Efeitos> {
  const { contadorId, lotes, agora, candidatos, novos, daChave, notas } = input;
  const porque = await swapServidas(trx, { contadorId, agora, candidatos });
  const alheios = notas.alheios(daChave).filter(({ id }) => !porque.has(id));
  if (alheios.length > 0)
    for (const id of await servirDeQuemPode(trx, { contadorId, agora, notas, eventos: alheios }))
      porque.set(id, 'versao');
  const trocados = new Set(porque.keys());
  const esperados = await noteEsperados(trx, { contadorId, agora, lotes });
  const mudados = [...candidatos.values()].filter(mudou);
  const chaves = [...new Set(registrosAGravar(mudados).map(chaveDe))];
  const { documentos, eventos, crescidos, comNota, fracos, afastados } = await applyEventos(trx, {
    contadorId,
    chaves,
    trocados,
    antes: daChave,
    novos,
  });
  const { mudadas, canceladas: gemeas } = await applyGemeas(trx, { contadorId, chaves });
  await cumprirEsperados(trx, {
    contadorId,
    agora,
    chegaram: chavesDeProducao(mudados, 'documento'),
    anunciadas: chavesDeProducao(mudados, 'evento'),
    presentes: comNota,
  });
  return {
    ids: [...new Set([...mudados.map(idDe), ...crescidos, ...eventos])],
    tocados: new Set([...trocados, ...documentos, ...eventos, ...mudadas]),
    porque: comAsGemeas(porque, mudadas),
    gemeas,
    fracos,
    afastados,
    esperados,
  };
}

/** Forms of a note whose other form says something else of it now are listed once more, as what changed by itself is. */
function comAsGemeas(
  porque: ReadonlyMap<number, Motivo>,
  mudadas: ReadonlySet<number>,
): ReadonlyMap<number, Motivo> {
  const todos = new Map<number, Motivo>([...mudadas].map((id) => [id, 'gemea']));
  for (const [id, motivo] of porque) todos.set(id, motivo);
  return todos;
}

interface Efeitos {
  ids: number[];
  tocados: ReadonlySet<number>;
  /** Of documents that were there and show something else now. */
  porque: ReadonlyMap<number, Motivo>;
  /** Forms of a note that was cancelled in one of them. */
  gemeas: Gemeas;
  /** Events that are proven less than what they speak of. */
  fracos: ReadonlyMap<number, Fraqueza>;
  /** New events that were set aside with what a person had set aside. */
  afastados: ReadonlySet<number>;
  esperados: ReadonlySet<string>;
}

function mudou({ mudado }: Candidato): boolean {
  return mudado;
}

function registrosAGravar(candidatos: readonly Candidato[]): RegistroSemItens[] {
  const registros: RegistroSemItens[] = [];
  for (const { gravar } of candidatos) for (const { peca } of gravar) registros.push(peca.registro);
  return registros;
}

function chavesDeProducao(candidatos: readonly Candidato[], classe: RegistroSemItens['classe']): string[] {
  const chaves: string[] = [];
  for (const registro of registrosAGravar(candidatos))
    if (registro.ambiente === 1 && registro.classe === classe) chaves.push(registro.chave);
  return chaves;
}

/**
 * Rows of documents whose served version has changed take that version's fields and parties. What is new was inserted as it is
 * served.
 * @returns the documents that were there and show something else now, and why
 */
async function swapServidas(
  trx: Trx,
  input: { contadorId: number; agora: number; candidatos: Map<string, Candidato> },
): Promise<Map<number, Motivo>> {
  const porque = new Map<number, Motivo>();
  for (const candidato of input.candidatos.values()) {
    const { alegado, novo, mudado, trocado } = candidato;
    if (novo || !mudado) continue;
    const id = idDe(candidato);
    porque.set(id, trocado ? 'versao' : 'status');
    if (!trocado) {
      await queries.updateAlegado(trx, { id, alegado });
      continue;
    }
    await servirLida(trx, { id, contadorId: input.contadorId, agora: input.agora, alegado, lida: trocado });
  }
  return porque;
}

/**
 * Gives what came to all who may see it. Of a document whose rows are as they were inserted these are known; of the others
 * the rows tell.
 * @returns the documents of the batch that somebody sees
 */
async function deliverAll(
  trx: Trx,
  input: {
    candidatos: Map<string, Candidato>;
    novos: readonly Novo[];
    clientes: ReadonlyMap<string, number>;
    efeitos: Efeitos;
    agora: number;
    homologacao: boolean;
  },
): Promise<ReadonlySet<number>> {
  const { clientes, efeitos, agora, homologacao } = input;
  const intactos: Novo[] = [];
  const ids = new Set<number>();
  const recentes = new Set<number>();
  for (const novo of input.novos) {
    const id = idDe(novo.candidato);
    recentes.add(id);
    if (efeitos.tocados.has(id)) continue;
    intactos.push(novo);
    ids.add(id);
  }

  const outros = semEstes([...input.candidatos.values()].map(idDe), ids);
  const [emFalta, listados, denovo] = await together(trx, [
    () => entradas.findParticipacoesEmFalta(trx, semEstes(efeitos.ids, ids)),
    () => entradas.findListados(trx, outros),
    () => outraEntrada(trx, efeitos.porque),
  ]);
  const papeis = [...papeisDosNovos(intactos, clientes), ...emFalta];
  const novas = comPapelMaisForte(homologacao ? papeis : papeis.filter(ehDeProducao));
  await entregar(trx, { novas: [...novas, ...denovo], agora, recentes });

  const visiveis = new Set(listados);
  for (const { documento_id } of novas) visiveis.add(documento_id);
  return visiveis;
}

function ehDeProducao({ ambiente }: entradas.PapelDeCliente): boolean {
  return ambiente === 1;
}

function semEstes(todos: readonly number[], estes: ReadonlySet<number>): number[] {
  const outros: number[] = [];
  for (const id of todos) if (!estes.has(id)) outros.push(id);
  return outros;
}
