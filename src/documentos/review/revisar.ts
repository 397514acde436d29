/**
 * What people and newly installed authorities change of what is kept: an unproven cancellation is set aside, another of equal
 * versions is chosen, verdicts are renewed. Nothing is deleted; who reads by NSU is told by a new entry. Call inside a
 * transaction that holds the office's lock and commits right afterwards.
 */

import { STATUS_EM_CODIGO } from '../lean/codigos.ts';
import type { Motivo } from '../lean/motivos.ts';
import { writeProtocolo } from '../lean/protocolo-guardado.ts';
import { writeFalhas, writeProva } from '../lean/prova-guardada.ts';
import * as queries from '../queries.ts';
import { applyEventos } from '../store/aplicar-eventos.ts';
import { maisForte, podeSerEscolhida, statusAlegado, type Versao } from '../store/decidir.ts';
import { entregar } from '../store/entregar.ts';
import { applyGemeas } from '../store/gemeas.ts';
import { serveVersao, updateAfastado } from '../store/queries-eventos.ts';
import { outraEntrada, servirLida, type VersaoLida } from '../store/servir.ts';
import { ehFraca, forcaDoCancelamento } from '../store/status-mostrado.ts';
import { versaoDaLinha } from '../store/versoes.ts';
import type { PecaLida, Trx } from '../tipos.ts';
import * as revisao from './queries-revisar.ts';

interface Alvo {
  contadorId: number;
  documentoId: number;
  agora: number;
}

/**
 * Sets aside what says that a document was cancelled, or takes that back. Of an event or an inutilização: that one; of a
 * document: what its other versions say.
 * @returns `provado` where it is proven as well as the document itself, so that nobody may set it aside; `nada` where there is
 * nothing to set aside
 */
export async function desconsiderar(
  trx: Trx,
  input: Alvo & { afastar: boolean },
): Promise<'feito' | 'provado' | 'nada'> {
  const linha = await revisao.findLinha(trx, input);
  if (!linha) return 'nada';
  const feito =
    linha.classe === 'documento'
      ? await afastarRespostas(trx, { linha, afastar: input.afastar })
      : await afastarEvento(trx, { ...input, linha });
  if (feito === 'feito') {
    const motivo = input.afastar ? 'afastado' : 'retomado';
    await showAgain(trx, { ...input, linha, motivo, sempre: 'a nota' });
  }
  return feito;
}

async function afastarEvento(
  trx: Trx,
  { contadorId, linha, afastar }: { contadorId: number; linha: queries.DaMesmaChave; afastar: boolean },
): Promise<'feito' | 'provado' | 'nada'> {
  if ((linha.afastado === 1) === afastar) return 'nada';
  const nota = (await queries.findPorChaves(trx, { contadorId, chaves: [linha.chave] })).find(
    ({ classe, ambiente }) => classe === 'documento' && ambiente === linha.ambiente,
  );
  if (afastar && !podeSerAfastado(linha, nota)) return 'provado';
  await updateAfastado(trx, { id: linha.id, afastado: afastar ? 1 : 0 });
  return 'feito';
}

/** Whether a person may set an event aside: it is only declared, or proven less than its document. */
export function podeSerAfastado(
  evento: Pick<queries.DaMesmaChave, 'prova' | 'protocolo_da_nota' | 'emitido_em'>,
  nota: Pick<queries.DaMesmaChave, 'chave' | 'emitido_em' | 'prova' | 'nprot'> | undefined,
): boolean {
  const forca = forcaDoCancelamento(evento, nota);
  return forca === writeProva('declarada') || (nota !== undefined && ehFraca(forca, nota));
}

async function afastarRespostas(
  trx: Trx,
  { linha, afastar }: { linha: queries.DaMesmaChave; afastar: boolean },
): Promise<'feito' | 'nada'> {
  const versoes = await versoesDe(trx, linha);
  const antes = statusAlegado(versoes.map(({ versao }) => versao));
  const outras = versoes.filter(({ versao }) => !versao.servida && versao.afastada !== afastar);
  for (const { versao } of outras) versao.afastada = afastar;
  const depois = statusAlegado(versoes.map(({ versao }) => versao));
  if (antes === depois) return 'nada';
  await revisao.updateAfastadas(trx, { ids: outras.map(({ id }) => id), afastada: afastar ? 1 : 0 });
  await queries.updateAlegado(trx, { id: linha.id, alegado: depois });
  return 'feito';
}

interface Guardada {
  id: number;
  versao: Versao;
}

/** Versions whose bytes are there, in their order of arrival. */
async function versoesDe(trx: Trx, linha: queries.DaMesmaChave): Promise<Guardada[]> {
  return (await queries.findVersoes(trx, [linha.id]))
    .filter(({ sha256 }) => sha256 !== '')
    .map((row) => ({ id: row.id, versao: versaoDaLinha(row, linha) }));
}

/**
 * Serves another version that a person chose among equals.
 * @param input.lida that version, as it is read
 * @returns `mais_fraca` where it is proven less than the one that is served
 */
export async function chooseVersao(
  trx: Trx,
  input: Alvo & { versaoId: number; lida: VersaoLida },
): Promise<'feito' | 'mais_fraca' | 'nada'> {
  const linha = await revisao.findLinha(trx, input);
  const versoes = linha ? await versoesDe(trx, linha) : [];
  const escolhida = versoes.find(({ id }) => id === input.versaoId);
  const servida = versoes.find(({ versao }) => versao.servida);
  if (!linha || !escolhida || !servida || escolhida === servida) return 'nada';
  if (!podeSerEscolhida(escolhida.versao, servida.versao)) return 'mais_fraca';
  await revisao.updateEscolhida(trx, { documentoId: linha.id, versaoId: escolhida.id });
  await servirOutra(trx, { ...input, linha, versoes, nova: escolhida, lida: input.lida });
  await showAgain(trx, { ...input, linha, motivo: 'escolhida', sempre: 'este' });
  return 'feito';
}

async function servirOutra(
  trx: Trx,
  input: Alvo & {
    linha: queries.DaMesmaChave;
    versoes: readonly Guardada[];
    nova: Guardada;
    lida: VersaoLida;
  },
): Promise<void> {
  const { linha, versoes, nova, lida, contadorId, agora } = input;
  for (const { versao } of versoes) versao.servida = versao === nova.versao;
  await queries.retireVersoes(trx, [linha.id]);
  await serveVersao(trx, nova.id);
  const alegado = linha.classe === 'documento' ? statusAlegado(versoes.map(({ versao }) => versao)) : null;
  await servirLida(trx, { id: linha.id, contadorId, agora, alegado, lida });
}

/** What a version was found to be when it was read anew. */
export async function writeVeredicto(
  trx: Trx,
  { id, peca }: { id: number; peca: Extract<PecaLida, { kind: 'registro' }> },
): Promise<void> {
  const { registro, assinatura, prova } = peca;
  await revisao.updateVeredicto(trx, {
    id,
    digest: registro.digest,
    protocolo: registro.protocolo ? writeProtocolo(registro.protocolo, registro.digest) : null,
    assinatura: assinatura.resultado,
    assinatura_motivo: assinatura.motivo,
    prova: writeProva(prova.prova),
    falhas: writeFalhas(prova.falhas),
    status: STATUS_EM_CODIGO.escrever(
      registro.classe === 'documento' ? registro.statusProtocolo : 'Autorizada',
    ),
  });
}

/**
 * Draws the conclusion from verdicts that were renewed: which version is served, and what that proves.
 * @param input.lidas the versions of the document that were read anew, by id
 * @returns whether readers are shown something else than before
 */
export async function reavaliar(
  trx: Trx,
  input: Alvo & { lidas: ReadonlyMap<number, VersaoLida> },
): Promise<boolean> {
  const linha = await revisao.findLinha(trx, input);
  const versoes = linha ? await versoesDe(trx, linha) : [];
  // Which of two equal events is of who may write it was found out before, and is not told by their versions.
  if (linha?.classe === 'evento') for (const { versao } of versoes) versao.escolhida ||= versao.servida;
  const melhor = maisForte(versoes.map(({ versao }) => versao));
  const nova = versoes.find(({ versao }) => versao === melhor);
  if (!linha || !nova) return false;
  const lida = input.lidas.get(nova.id);
  const troca = !nova.versao.servida && lida !== undefined;
  if (troca) await servirOutra(trx, { ...input, linha, versoes, nova, lida });
  else {
    const servida = versoes.find(({ versao }) => versao.servida);
    if (!servida) return false;
    await revisao.updateProva(trx, { id: linha.id, prova: writeProva(servida.versao.prova) });
    if (linha.classe === 'documento') {
      const alegado = statusAlegado(versoes.map(({ versao }) => versao));
      if (alegado !== linha.status_alegado) await queries.updateAlegado(trx, { id: linha.id, alegado });
    }
  }
  return showAgain(trx, { ...input, linha, motivo: 'provas', sempre: troca ? 'este' : null });
}

/**
 * Derives the status of a key's document anew, and announces it where it shows another one.
 * @param input.linha the record that was changed
 * @param input.sempre what is announced in any case: this record, of which another version is served, or the document that
 * it is about
 */
async function showAgain(
  trx: Trx,
  input: Alvo & { linha: queries.DaMesmaChave; motivo: Motivo; sempre: 'este' | 'a nota' | null },
): Promise<boolean> {
  const { contadorId, agora, linha, motivo, sempre } = input;
  const { chave } = linha;
  const daChave = async () =>
    (await queries.findPorChaves(trx, { contadorId, chaves: [chave] })).filter(
      ({ ambiente }) => ambiente === linha.ambiente,
    );
  const notas = (await daChave()).filter(({ classe }) => classe === 'documento');
  const trocados = new Set(notas.map(({ id }) => id));
  const aplicados = { contadorId, chaves: [chave], trocados, antes: [], novos: [] };
  const { crescidos } = await applyEventos(trx, aplicados);
  const { mudadas } = await applyGemeas(trx, { contadorId, chaves: [chave] });
  const antes = new Map(notas.map((nota) => [nota.id, nota.status]));
  const mudados = new Map<number, Motivo>([...mudadas].map((id) => [id, 'gemea']));
  for (const id of crescidos) mudados.set(id, motivo);
  if (sempre === 'este') mudados.set(linha.id, motivo);
  if (sempre === 'a nota') for (const { id } of notas) mudados.set(id, motivo);
  for (const { id, status } of await daChave())
    if (antes.has(id) && antes.get(id) !== status) mudados.set(id, motivo);
  await entregar(trx, { novas: await outraEntrada(trx, mudados), agora });
  return mudados.size > 0;
}
