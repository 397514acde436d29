/** The two long steps of a deletion. Each is done in short transactions and goes on where a restart left it. */
import { ACAO, auditar } from '../auditoria/auditar.ts';
import type { Deps } from '../deps.ts';
import { byteBatches } from '../documentos/bytes/chunks.ts';
import { devolverBytes } from '../documentos/bytes/envios.ts';
import { deleteDocumentos } from '../documentos/delete/excluir.ts';
import { guardadosDe } from '../documentos/read/feed.ts';
import { LOCK, lockFor } from '../platform/db/locks.ts';
import { type Conteudo, DOCUMENTOS_POR_PACOTE, writePacote } from './pacote.ts';
import type { Cortes } from './prazos.ts';
import * as documentos from './queries-documentos.ts';
import * as queries from './queries-exclusoes.ts';
import { findGuardasEmVigor } from './queries-regras.ts';
import { comGuarda, vencidosDe } from './vencidos.ts';

type StepDeps = Pick<Deps, 'db' | 'clock' | 'storage'>;

interface Passo {
  exclusao: queries.Exclusao;
  autor: string;
  /** Told between two transactions; false: stop here, somebody else goes on. */
  aindaMinha: () => Promise<boolean>;
}

/** Documents in one transaction of the deletion. */
const LOTE = 200;
/** Documents that are looked up at once while a package is written, and bytes of theirs that are read at once. */
const CONTEUDOS = 50;
const CONTEUDOS_BYTES = 4_000_000;
const ARQUIVOS_POR_PAGINA = 100;

/** The lease of a deletion was lost, or somebody cancelled it. */
export class ExclusaoPerdida extends Error {}

/** Lists what is due and copies it into packages. What an interrupted try left is thrown away first. */
export async function prepareExclusao(deps: StepDeps, passo: Passo): Promise<void> {
  const { id, contador_id: contadorId } = passo.exclusao;
  await descartar(deps, id);
  const cortes = JSON.parse(passo.exclusao.cortes) as Cortes;
  const ids = await listar(deps, passo, cortes);
  const partes = Math.ceil(ids.length / DOCUMENTOS_POR_PACOTE);
  for (let parte = 1; parte <= partes; parte++) {
    await continueOrStop(passo);
    const part = ids.slice((parte - 1) * DOCUMENTOS_POR_PACOTE, parte * DOCUMENTOS_POR_PACOTE);
    await empacotar(deps, { id, contadorId, parte, ids: part });
  }
  await deps.db.write.transaction().execute(async (trx) => {
    const agora = deps.clock.now();
    const mudanca = {
      estado: 'preparada',
      preparada_em: agora,
      documentos: ids.length,
      tomada_por: null,
      tomada_ate: null,
    } as const;
    if (!(await queries.moveExclusao(trx, { id, de: ['preparando'], mudanca })))
      throw new ExclusaoPerdida(id);
    await auditar(trx, {
      em: agora,
      acao: ACAO.exclusaoPreparada,
      contadorId,
      autor: passo.autor,
      alvo: `exclusao/${id}`,
      detalhe: { documentos: ids.length, pacotes: partes },
    });
  });
}

async function descartar(deps: StepDeps, id: string): Promise<void> {
  for (const { blob } of await queries.findPacotes(deps.db.read, id)) await deps.storage.delete(blob);
  await deps.db.write.transaction().execute(async (trx) => {
    await queries.deletePacotes(trx, id);
    await queries.deleteExclusaoDocumentos(trx, id);
  });
}

async function listar(deps: StepDeps, passo: Passo, cortes: Cortes): Promise<number[]> {
  const { id, contador_id: contadorId } = passo.exclusao;
  const ids: number[] = [];
  const agora = deps.clock.now();
  for await (const page of vencidosDe(deps.db.read, { contadorId, cortes, agora })) {
    await continueOrStop(passo);
    const rows = page
      .filter(({ guardaId }) => guardaId === null)
      .map(({ documento }) => ({
        exclusao_id: id,
        documento_id: documento.id,
        contador_id: contadorId,
        chave: documento.chave,
        classe: documento.classe,
        modelo: documento.modelo,
        dia: documento.dia,
        sha256: documento.sha256,
        excluido_em: null,
        mantido_por: null,
      }));
    await deps.db.write.transaction().execute((trx) => queries.insertExclusaoDocumentos(trx, rows));
    ids.push(...rows.map((row) => row.documento_id));
  }
  return ids;
}

async function empacotar(
  deps: StepDeps,
  input: { id: string; contadorId: number; parte: number; ids: readonly number[] },
): Promise<void> {
  const blob = `${input.id}-exclusao-${String(input.parte).padStart(4, '0')}`;
  const stored = await writePacote(deps.storage, { blob, paginas: conteudosDe(deps, input.ids) });
  await deps.db.write.transaction().execute((trx) =>
    queries.insertPacote(trx, {
      exclusao_id: input.id,
      parte: input.parte,
      contador_id: input.contadorId,
      blob,
      sha256: stored.sha256,
      tamanho: stored.sizeBytes,
      documentos: input.ids.length,
      baixado_em: null,
    }),
  );
}

/** Versions with their bytes, as many at once as may lie in memory. */
async function* conteudosDe(deps: StepDeps, ids: readonly number[]): AsyncGenerator<Conteudo[]> {
  for (let start = 0; start < ids.length; start += CONTEUDOS) {
    const versoes = await documentos.findVersoesGuardadas(deps.db.read, ids.slice(start, start + CONTEUDOS));
    const partes = byteBatches(versoes, { maxBytes: CONTEUDOS_BYTES, bytesOf: ({ tamanho }) => tamanho });
    for (const parte of partes) {
      const guardados = await guardadosDe(
        deps.db.read,
        parte.map(({ versao_id }) => versao_id),
      );
      yield parte.map((versao) => {
        const guardado = guardados.get(versao.versao_id);
        // Nothing is deleted that could not be copied first: the next try looks again.
        if (!guardado) throw new Error(`version ${versao.versao_id} has lost its bytes`);
        return { ...versao, guardado };
      });
    }
  }
}

/** Deletes what was prepared and confirmed, unless a hold, or another version, has come since. */
export async function runExclusao(deps: StepDeps, passo: Passo): Promise<void> {
  const { id } = passo.exclusao;
  await devolverEnvios(deps, passo);
  let depoisDe = 0;
  for (;;) {
    await continueOrStop(passo);
    const page = await queries.findExclusaoPendentes(deps.db.read, { id, depoisDe, limite: LOTE });
    const last = page.at(-1);
    if (last === undefined) break;
    await deleteLote(deps, passo, page);
    depoisDe = last.documento_id;
  }
  await eraseArquivos(deps, passo);
  await concluir(deps, passo);
}

/**
 * Uploads that are kept as a recipe of documents which are about to go get their bytes back first: what becomes of an
 * upload is decided below, and until then it can be given back whole.
 */
async function devolverEnvios(deps: StepDeps, passo: Passo): Promise<void> {
  const { id, contador_id: contadorId } = passo.exclusao;
  // Whoever is just writing a recipe is done with it, and nobody begins another (`putReceita`).
  await deps.db.write.transaction().execute((trx) => lockFor(trx, LOCK.escritorio, [contadorId]));
  for (let depoisDe = ''; ; ) {
    const arquivoIds = await documentos.findComReceita(deps.db.read, {
      contadorId,
      depoisDe,
      limite: ARQUIVOS_POR_PAGINA,
    });
    for (const arquivoId of await documentos.findArquivosDaExclusao(deps.db.read, {
      exclusaoId: id,
      arquivoIds,
    })) {
      await continueOrStop(passo);
      await devolverBytes(deps, arquivoId);
    }
    const last = arquivoIds.at(-1);
    if (last === undefined || arquivoIds.length < ARQUIVOS_POR_PAGINA) return;
    depoisDe = last;
  }
}

async function deleteLote(
  deps: StepDeps,
  passo: Passo,
  page: Awaited<ReturnType<typeof queries.findExclusaoPendentes>>,
): Promise<void> {
  const { id, contador_id: contadorId } = passo.exclusao;
  const agora = deps.clock.now();
  await deps.db.write.transaction().execute(async (trx) => {
    // An import that changes the same documents waits, or this does: the counter rows of their clients change last.
    await lockFor(trx, LOCK.escritorio, [contadorId]);
    const guardas = await findGuardasEmVigor(trx, contadorId);
    const linhas = page.map((row) => ({ ...row, id: row.documento_id }));
    const servidas = new Map(
      (
        await documentos.findServidas(
          trx,
          linhas.map((row) => row.id),
        )
      ).map((row) => [row.documento_id, row.sha256]),
    );
    const guardados = new Set<number>();
    for (const { documento, guardaId } of await comGuarda(trx, linhas, guardas)) {
      if (guardaId !== null) guardados.add(documento.id);
    }
    const outras = linhas.filter((row) => !guardados.has(row.id) && servidas.get(row.id) !== row.sha256);
    const mudados = outras.map((row) => row.id);
    const ids = linhas.map((row) => row.id).filter((doc) => !guardados.has(doc) && !mudados.includes(doc));
    await queries.markMantidos(trx, { id, documentoIds: [...guardados], motivo: 'guarda_legal' });
    await queries.markMantidos(trx, { id, documentoIds: mudados, motivo: 'versao_nova' });
    await deleteDocumentos(trx, { contadorId, ids, agora });
    await queries.markExcluidos(trx, { id, documentoIds: ids, agora });
    await queries.addToExclusao(trx, { id, excluidos: ids.length, mantidos: page.length - ids.length });
  });
}

/** Uploads in which nothing is wanted any more go too; of the others the count is told. */
async function eraseArquivos(deps: StepDeps, passo: Passo): Promise<void> {
  const { id, contador_id: contadorId } = passo.exclusao;
  let depois = { criadoEm: Number.MIN_SAFE_INTEGER, id: '' };
  let mantidos = 0;
  for (;;) {
    await continueOrStop(passo);
    const page = await documentos.findArquivosGuardados(deps.db.read, {
      contadorId,
      depois,
      limite: ARQUIVOS_POR_PAGINA,
    });
    const arquivoIds = page.map((row) => row.id);
    const atingidos = new Set(
      await documentos.findArquivosAtingidos(deps.db.read, { exclusaoId: id, arquivoIds }),
    );
    for (const arquivo of page.filter((row) => atingidos.has(row.id))) {
      if (await eraseArquivo(deps, { exclusaoId: id, contadorId, arquivo })) continue;
      mantidos += 1;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < ARQUIVOS_POR_PAGINA) break;
    depois = { criadoEm: last.criado_em, id: last.id };
  }
  await deps.db.write.transaction().execute((trx) => queries.setArquivosMantidos(trx, { id, mantidos }));
}

async function eraseArquivo(
  deps: StepDeps,
  input: { exclusaoId: string; contadorId: number; arquivo: { id: string; blob: string } },
): Promise<boolean> {
  const { contadorId, arquivo } = input;
  if (await documentos.isAindaPreciso(deps.db.read, { contadorId, arquivoId: arquivo.id })) return false;
  // The file first: as long as the row names it, the next try looks for it, also after a death in between. The other way
  // round the deletion would end with the documents still on the disk.
  await deps.storage.delete(arquivo.blob);
  await deps.db.write.transaction().execute(async (trx) => {
    if (await documentos.dropBlob(trx, arquivo)) await queries.addArquivoApagado(trx, input.exclusaoId);
  });
  return true;
}

async function concluir(deps: StepDeps, passo: Passo): Promise<void> {
  const { id, contador_id: contadorId } = passo.exclusao;
  await deps.db.write.transaction().execute(async (trx) => {
    const agora = deps.clock.now();
    const mudanca = { estado: 'concluida', concluida_em: agora, tomada_por: null, tomada_ate: null } as const;
    if (!(await queries.moveExclusao(trx, { id, de: ['confirmada'], mudanca })))
      throw new ExclusaoPerdida(id);
    const now = await queries.findExclusao(trx, { contadorId, id });
    await auditar(trx, {
      em: agora,
      acao: ACAO.exclusaoConcluida,
      contadorId,
      autor: passo.autor,
      alvo: `exclusao/${id}`,
      detalhe: {
        excluidos: now?.excluidos ?? 0,
        mantidos: now?.mantidos ?? 0,
        arquivosApagados: now?.arquivos_apagados ?? 0,
        arquivosMantidos: now?.arquivos_mantidos ?? 0,
      },
    });
  });
}

/** Removes the packages of deletions that are over; their rows stay, with the hash of what was handed out. */
export async function releasePacotes(deps: StepDeps): Promise<void> {
  for (const { exclusao_id: id, parte, blob } of await queries.findPacotesASoltar(deps.db.read)) {
    await deps.storage.delete(blob);
    await queries.releasePacote(deps.db.write, { id, parte });
  }
}

async function continueOrStop(passo: Passo): Promise<void> {
  if (!(await passo.aindaMinha())) throw new ExclusaoPerdida(passo.exclusao.id);
}
