/**
 * A deletion in two steps. *Asked for* (`preparando`): what is due is listed and copied into ZIPs. *Prepared*
 * (`preparada`): somebody downloads the ZIPs and confirms, or cancels, or lets it lapse. *Confirmed* (`confirmada`):
 * each document is looked at once more – a hold that came meanwhile wins – and deleted. Both long steps are done by
 * `executor.ts` and survive a restart. What could not be done after many tries (`falhou`) waits for somebody to ask for
 * it again.
 */

import { randomUUID } from 'node:crypto';
import { ACAO, auditar } from '../auditoria/auditar.ts';
import type { Db } from '../banco/tabelas.ts';
import type { TabelaExclusaoPacote } from '../banco/tabelas-retencao.ts';
import type { Deps } from '../deps.ts';
import { LOCK, lockFor } from '../platform/db/locks.ts';
import type { BlobReading } from '../platform/storage/blob-store.ts';
import {
  exclusaoEmAndamento,
  exclusaoEmOutroEstado,
  exclusaoNaoEncontrada,
  nadaAExcluir,
  pacoteNaoBaixado,
} from './errors.ts';
import { cortesDe } from './prazos.ts';
import * as queries from './queries-exclusoes.ts';
import { regrasDe } from './regras.ts';
import { hojeEm, vencidosDe } from './vencidos.ts';

/** A prepared deletion that nobody confirms lapses: what was listed then is not what is due now. */
const CONFIRMAR_EM_MS = 30 * 24 * 3_600_000;
const ABERTOS = ['preparando', 'preparada', 'confirmada', 'falhou'];

interface ExclusaoDetalhada extends queries.Exclusao {
  pacotes: TabelaExclusaoPacote[];
}

type Input = { contadorId: number; autor: string; id: string };

/**
 * Asks for a deletion of everything that is due now.
 * @throws exclusao_em_andamento, nada_a_excluir
 */
export async function askForExclusao(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: { contadorId: number; autor: string },
): Promise<{ id: string }> {
  const { contadorId, autor } = input;
  const agora = deps.clock.now();
  const cortes = cortesDe(hojeEm(agora), await regrasDe(deps.db.read, contadorId));
  if (!(await temVencidos(deps, { contadorId, cortes, agora }))) throw nadaAExcluir();
  const id = randomUUID();
  await deps.db.write.transaction().execute(async (trx) => {
    // That there is none is no row that could be locked: two that ask at once would both see it.
    await lockFor(trx, LOCK.escritorio, [contadorId]);
    const open = (await queries.findExclusoes(trx, contadorId)).find(({ estado }) =>
      ABERTOS.includes(estado),
    );
    if (open) throw exclusaoEmAndamento(open.id);
    await queries.insertExclusao(trx, {
      id,
      contador_id: contadorId,
      estado: 'preparando',
      cortes: JSON.stringify(cortes),
      criada_em: agora,
      criada_por: autor,
      expira_em: agora + CONFIRMAR_EM_MS,
    });
    await auditar(trx, {
      em: agora,
      acao: ACAO.exclusaoPedida,
      contadorId,
      autor,
      alvo: `exclusao/${id}`,
      detalhe: cortes,
    });
  });
  return { id };
}

async function temVencidos(
  deps: Pick<Deps, 'db'>,
  input: Parameters<typeof vencidosDe>[1],
): Promise<boolean> {
  for await (const page of vencidosDe(deps.db.read, input)) {
    if (page.some(({ guardaId }) => guardaId === null)) return true;
  }
  return false;
}

/** One deletion with its packages. @throws exclusao_nao_encontrada */
export async function exclusaoDe(
  db: Db,
  input: { contadorId: number; id: string },
): Promise<ExclusaoDetalhada> {
  const row = await queries.findExclusao(db, input);
  if (!row) throw exclusaoNaoEncontrada();
  return { ...row, pacotes: await queries.findPacotes(db, row.id) };
}

/** Deletions of an office, newest first. */
export async function listExclusoes(db: Db, contadorId: number): Promise<queries.Exclusao[]> {
  return queries.findExclusoes(db, contadorId);
}

/**
 * Confirms a prepared deletion.
 * @throws exclusao_nao_encontrada, exclusao_em_outro_estado, pacote_nao_baixado
 */
export async function confirmExclusao(deps: Pick<Deps, 'db' | 'clock'>, input: Input): Promise<void> {
  const exclusao = await exclusaoDe(deps.db.read, input);
  if (exclusao.estado !== 'preparada') throw exclusaoEmOutroEstado(exclusao.estado, 'preparada');
  const faltam = exclusao.pacotes.filter(({ baixado_em }) => baixado_em === null);
  if (faltam.length > 0) throw pacoteNaoBaixado(faltam.map(({ parte }) => parte));
  await move(deps, {
    ...input,
    de: ['preparada'],
    para: 'confirmada',
    acao: ACAO.exclusaoConfirmada,
    mudanca: { confirmada_em: deps.clock.now(), confirmada_por: input.autor },
    detalhe: { documentos: exclusao.documentos },
  });
}

/**
 * Gives a deletion up before anything was deleted. One that failed half way cannot be given up: its uploads were not looked
 * at yet, so it has to go on.
 * @throws exclusao_nao_encontrada, exclusao_em_outro_estado
 */
export async function cancelExclusao(deps: Pick<Deps, 'db' | 'clock'>, input: Input): Promise<void> {
  const { excluidos } = await exclusaoDe(deps.db.read, input);
  await move(deps, {
    ...input,
    de: excluidos === 0 ? ['preparando', 'preparada', 'falhou'] : ['preparando', 'preparada'],
    para: 'cancelada',
    acao: ACAO.exclusaoCancelada,
    mudanca: {},
    detalhe: {},
  });
}

/**
 * Has the step that failed tried again.
 * @throws exclusao_nao_encontrada, exclusao_em_outro_estado
 */
export async function resumeExclusao(deps: Pick<Deps, 'db' | 'clock'>, input: Input): Promise<void> {
  const { confirmada_em } = await exclusaoDe(deps.db.read, input);
  const para = confirmada_em === null ? 'preparando' : 'confirmada';
  await move(deps, {
    ...input,
    de: ['falhou'],
    para,
    acao: ACAO.exclusaoRetomada,
    mudanca: { erro: null },
    detalhe: { passo: para },
  });
}

async function move(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: Input & {
    de: Parameters<typeof queries.moveExclusao>[1]['de'];
    para: queries.Exclusao['estado'];
    acao: (typeof ACAO)[keyof typeof ACAO];
    mudanca: Parameters<typeof queries.moveExclusao>[1]['mudanca'];
    detalhe: Record<string, string | number>;
  },
): Promise<void> {
  const { contadorId, autor, id, de, para, acao, detalhe } = input;
  const alvo = `exclusao/${id}`;
  await deps.db.write.transaction().execute(async (trx) => {
    const moved = await queries.moveExclusao(trx, { id, de, mudanca: { ...input.mudanca, estado: para } });
    if (!moved) {
      const now = await queries.findExclusao(trx, { contadorId, id });
      throw exclusaoEmOutroEstado(now?.estado ?? 'ausente', de.join(' ou '));
    }
    await auditar(trx, { em: deps.clock.now(), acao, contadorId, autor, alvo, detalhe });
  });
}

interface PacoteBaixado extends BlobReading {
  nome: string;
}

/**
 * Hands one package over, piece by piece, and notes that it was downloaded: from then on the documents may be deleted, and
 * this copy of them with the deletion, so it is noted only when they are where they go.
 * @param entregar brings them there; by default nothing more is to be done. What it throws leaves the package unnoted
 * @throws exclusao_nao_encontrada (also for a part that is not there)
 */
export async function downloadPacote(
  deps: Pick<Deps, 'db' | 'clock' | 'storage'>,
  input: Input & { parte: number },
  entregar: (pacote: PacoteBaixado) => Promise<void> = async ({ stream }) => void stream.destroy(),
): Promise<void> {
  const { contadorId, autor, id, parte } = input;
  const { pacotes } = await exclusaoDe(deps.db.read, input);
  const pacote = pacotes.find((row) => row.parte === parte);
  if (!pacote || pacote.blob === '') throw exclusaoNaoEncontrada();
  const reading = await deps.storage.read(pacote.blob);
  try {
    await entregar({ nome: `malote-exclusao-${id}-${String(parte).padStart(3, '0')}.zip`, ...reading });
  } finally {
    reading.stream.destroy();
  }
  const agora = deps.clock.now();
  await deps.db.write.transaction().execute(async (trx) => {
    await queries.markBaixado(trx, { id, parte, agora });
    await auditar(trx, {
      em: agora,
      acao: ACAO.pacoteBaixado,
      contadorId,
      autor,
      alvo: `exclusao/${id}`,
      detalhe: { parte, sha256: pacote.sha256 },
    });
  });
}
