/**
 * Repairs what the consistency check found (`malote verificar --reparar`), as far as it follows from what is sound:
 * counts from listing rows, listing rows from entries and documents, statuses from events, bytes from the upload
 * they came in. Numbers are never touched: a hole in a feed, or an entry without its document, is only named.
 * Each step is a transaction of its own and looks again before it acts; imports may go on meanwhile.
 */
import type { Tabelas } from '../../banco/tabelas.ts';
import { joinProtocolo } from '../../fiscal/envelopes/avulso.ts';
import type { Codificacao } from '../../fiscal/tipos.ts';
import type { Database } from '../../platform/db/connect.ts';
import { LOCK, lockFor } from '../../platform/db/locks.ts';
import { compressConteudos, enxugarBlocos, keepConteudos } from '../bytes/blocos.ts';
import { keepCertificados, releaseCertificados } from '../bytes/certificados.ts';
import { prepareConteudo, sha256De, tryDescomprimir, tryLer } from '../bytes/conteudo.ts';
import { ehQuaseOMesmo } from '../bytes/hash-guardado.ts';
import { findBloco } from '../bytes/queries-blocos.ts';
import { recountUsos, writeUsos } from '../bytes/queries-certificados.ts';
import { comPapelMaisForte, entregar } from '../store/entregar.ts';
import {
  addContagens,
  findPapeisListados,
  findParticipacoesEmFalta,
  updateRepetidas,
  upsertParticipacoes,
} from '../store/queries-entradas.ts';
import { updateStatus } from '../store/queries-eventos.ts';
import { outraEntrada } from '../store/servir.ts';
import type { ConteudoPreparado, Trx } from '../tipos.ts';
import type { Achado, Referencia, Reparo } from './achados.ts';
import { contarDeNovo } from './contar-de-novo.ts';
import { blocoGuardadoTambem, conteudoGuardadoTambem } from './guardado-tambem.ts';
import * as queries from './queries-reparar.ts';
import { statusQueFalta } from './verificar-documentos.ts';

export interface DepsDoReparo {
  db: Database<Tabelas>['write'];
  agora: () => number;
  homologacao: boolean;
  /**
   * Finds bytes again in the upload that they came in, by their SHA-256, all of an upload in one go.
   * @returns what is found; nothing when that upload is gone or damaged itself
   */
  findInEnvio(envio: Envio & { documentos: ReadonlySet<string> }): AsyncIterable<Uint8Array>;
  /** The protocols of a key that came in an upload without their document; none when that upload is gone. */
  acharProtocolos(envio: Envio & { chave: string }): Promise<readonly Uint8Array[]>;
}

/** An upload: under which name its bytes are stored, null when they follow from its recipe. */
export interface Envio {
  arquivoId: string;
  blob: string | null;
}

type Passo = (deps: DepsDoReparo, ref: Referencia) => Promise<string | null>;

/** Findings of bytes that are looked for in their upload. */
const DE_BYTES: readonly string[] = ['conteudo_danificado', 'conteudo_ausente'];

/** In this order: what comes later counts on what comes before. */
const PASSOS: readonly (readonly [codigos: readonly string[], passo: Passo])[] = [
  [['versao_servida'], serveOne],
  [['status_errado', 'listagem_divergente'], deriveAgain],
  [['entrada_sem_listagem', 'listagem_com_nsu_antigo', 'listagem_sem_entrada', 'papel_errado'], listAgain],
  [['documento_nao_entregue'], deliver],
  [['repetida_errada'], repeatAgain],
  [['contagem_errada'], countAgain],
  [[...DE_BYTES, 'soma_errada'], restoreBytes],
  [['conteudo_solto'], dropBytes],
  [['conteudo_de_excluido'], buryBytes],
  [['bloco_solto'], dropBloco],
  [['certificado_contado_errado'], countCertificado],
  [['esperado_ja_presente'], dropEsperado],
];

/** Repairs what can be; each row once. What it does not tell of is left as it was. */
export async function* repairCofre(deps: DepsDoReparo, achados: readonly Achado[]): AsyncGenerator<Reparo> {
  for (const [codigos, passo] of PASSOS) {
    const seen = new Set<string>();
    if (passo === restoreBytes) {
      for await (const { ref, reparo } of restoreFromUploads(deps, achados)) {
        seen.add(JSON.stringify(ref));
        yield reparo;
      }
    }
    for (const { codigo, alvo, ref } of achados) {
      if (!ref || !codigos.includes(codigo)) continue;
      const key = JSON.stringify(passo === countAgain ? { clienteId: ref.clienteId } : ref);
      if (seen.has(key)) continue;
      seen.add(key);
      const mensagem = await passo(deps, ref);
      if (mensagem !== null) yield { codigo, alvo, mensagem };
    }
  }
}

/** One batch of an office at a time, as the import has it. */
function inOffice<T>(deps: DepsDoReparo, ref: Referencia, act: (trx: Trx) => Promise<T>): Promise<T> {
  return deps.db.transaction().execute(async (trx) => {
    const { documentoId, clienteId } = ref;
    const contadores =
      documentoId !== undefined
        ? await queries.findContadores(trx, [documentoId])
        : [clienteId === undefined ? undefined : await queries.findContadorDoCliente(trx, clienteId)];
    await lockFor(
      trx,
      LOCK.escritorio,
      contadores.filter((id) => id !== undefined),
    );
    return act(trx);
  });
}

/** The first authorised one, else the first; an intact signature before one that does not verify. */
function serveOne(deps: DepsDoReparo, ref: Referencia): Promise<string | null> {
  const { documentoId = 0 } = ref;
  return inOffice(deps, ref, async (trx) => {
    const versoes = await queries.findVersoes(trx, documentoId);
    if (versoes.filter(({ servida }) => servida === 1).length === 1) return null;
    const rank = (versao: (typeof versoes)[number]) =>
      (versao.protocolado ? 0 : 2) + (versao.assinatura === 'integra' ? 0 : 1);
    const [best] = versoes.toSorted((a, b) => rank(a) - rank(b) || a.id - b.id);
    if (!best) return null;
    await queries.serveVersao(trx, { documentoId, versaoId: best.id });
    await announce(deps, trx, documentoId);
    return `A versão ${best.id} voltou a ser a única servida.`;
  });
}

function deriveAgain(deps: DepsDoReparo, ref: Referencia): Promise<string | null> {
  const { documentoId = 0 } = ref;
  return inOffice(deps, ref, async (trx) => {
    const certo = await statusQueFalta(trx, documentoId);
    if (certo) await updateStatus(trx, [{ documentoId, ...certo.status }]);
    const clientes = await queries.copyToParticipacoes(trx, documentoId);
    for (const clienteId of clientes) await rebuildContagens(trx, clienteId);
    // Of an event the document is shown, whatever its own row says.
    if (certo?.foiMostrado && certo.classe !== 'evento') await announce(deps, trx, documentoId);
    return 'Status e listagem foram refeitos a partir do protocolo e dos eventos.';
  });
}

/** Readers were shown something else. */
async function announce(deps: DepsDoReparo, trx: Trx, documentoId: number): Promise<void> {
  const novas = await outraEntrada(trx, new Map([[documentoId, 'reparo']]));
  await entregar(trx, { novas, agora: deps.agora() });
}

function listAgain(deps: DepsDoReparo, ref: Referencia): Promise<string | null> {
  const { clienteId = 0, documentoId = 0 } = ref;
  return inOffice(deps, ref, async (trx) => {
    const nsu = await queries.findNsuMaisNovo(trx, { clienteId, documentoId });
    if (nsu === null) return null;
    const papeis = [
      ...(await findParticipacoesEmFalta(trx, [documentoId])),
      ...(await findPapeisListados(trx, [documentoId])),
    ].filter((row) => row.cliente_id === clienteId);
    const rows = comPapelMaisForte(papeis).map(({ anterior: _anterior, motivo: _motivo, ...row }) => ({
      ...row,
      nsu,
    }));
    if (rows.length > 0) await upsertParticipacoes(trx, rows);
    else await queries.updateNsuListado(trx, { clienteId, documentoId, nsu });
    await updateRepetidas(trx, [documentoId]);
    await rebuildContagens(trx, clienteId);
    return `A linha da listagem foi refeita a partir das partes do documento, com o NSU ${nsu}.`;
  });
}

function repeatAgain(deps: DepsDoReparo, ref: Referencia): Promise<string | null> {
  const { documentoId = 0 } = ref;
  return inOffice(deps, ref, async (trx) => {
    await updateRepetidas(trx, [documentoId]);
    return 'As linhas dos seus clientes voltaram a dizer qual delas conta o documento.';
  });
}

/** Whoever has an entry of it already gets no second one. */
function deliver(deps: DepsDoReparo, ref: Referencia): Promise<string | null> {
  const { documentoId = 0 } = ref;
  return inOffice(deps, ref, async (trx) => {
    const missing = await findParticipacoesEmFalta(trx, [documentoId]);
    const waiting = [];
    for (const nova of comPapelMaisForte(missing.filter((row) => row.ambiente === 1 || deps.homologacao))) {
      const clienteId = nova.cliente_id;
      if ((await queries.findNsuMaisNovo(trx, { clienteId, documentoId })) === null) waiting.push(nova);
    }
    const made = await entregar(trx, { novas: waiting, agora: deps.agora() });
    // What was listed before of the same key may show this document now.
    for (const { cliente_id: clienteId } of waiting) await queries.touchCliente(trx, clienteId);
    return made === 0 ? null : 'O documento foi entregue, com o próximo NSU.';
  });
}

function countAgain(deps: DepsDoReparo, ref: Referencia): Promise<string | null> {
  const { clienteId = 0 } = ref;
  return inOffice(deps, ref, async (trx) => {
    await rebuildContagens(trx, clienteId);
    return 'As contagens diárias foram refeitas a partir da listagem.';
  });
}

/** Of each upload all at once: it may hold thousands of them, and is unpacked whole for one. */
async function* restoreFromUploads(
  deps: DepsDoReparo,
  achados: readonly Achado[],
): AsyncGenerator<{ ref: Referencia | undefined; reparo: Reparo }> {
  const deles = new Map(
    achados.flatMap((achado) =>
      DE_BYTES.includes(achado.codigo) && achado.ref?.versaoId !== undefined
        ? [[achado.ref.versaoId, achado] as const]
        : [],
    ),
  );
  const origens = await deps.db.transaction().execute((trx) => queries.findOrigens(trx, [...deles.keys()]));
  for (const [arquivoId, versoes] of Map.groupBy(origens, ({ arquivo_id }) => arquivo_id)) {
    const porSoma = Map.groupBy(versoes, ({ sha256 }) => sha256);
    const envio = { arquivoId, blob: versoes[0]?.blob ?? null };
    for await (const original of deps.findInEnvio({ ...envio, documentos: new Set(porSoma.keys()) })) {
      for (const { id } of porSoma.get(sha256De(original)) ?? []) {
        const achado = deles.get(id);
        if (!achado || !(await restoreFrom(deps, { versaoId: id, original }))) continue;
        const { codigo, alvo, ref } = achado;
        yield { ref, reparo: { codigo, alvo, mensagem: 'Os bytes foram recuperados do arquivo enviado.' } };
      }
    }
  }
}

/** @returns false where what is stored reads by now, or still */
async function restoreFrom(
  deps: DepsDoReparo,
  { versaoId, original }: { versaoId: number; original: Uint8Array },
): Promise<boolean> {
  return deps.db.transaction().execute(async (trx) => {
    const versao = await queries.findVersaoDanificada(trx, versaoId);
    if (!versao || sha256De(original) !== versao.sha256) return false;
    if (tryDescomprimir(versao, versao.sha256) !== null) return false;
    const conteudo = prepareConteudo(original, versao.codificacao as Codificacao);
    await replaceBytes(trx, { ...versao, conteudo });
    return true;
  });
}

/** What is not in its upload as it is: from what is stored when that still reads, else put together again. */
async function restoreBytes(deps: DepsDoReparo, { versaoId = 0 }: Referencia): Promise<string | null> {
  const versao = await deps.db.transaction().execute((trx) => queries.findVersaoDanificada(trx, versaoId));
  if (!versao || versao.sha256 === '') return null;
  const { sha256 } = versao;
  const stored = tryDescomprimir(versao, sha256);
  const envio = envioDe(versao);
  const original = stored ?? (envio && (await joinAgain(deps, versao, envio)));
  if (original === null) return mendHash(deps, versao);
  if (sha256De(original) !== sha256) return null;
  const conteudo = prepareConteudo(original, versao.codificacao as Codificacao);
  await deps.db.transaction().execute((trx) => replaceBytes(trx, { ...versao, conteudo }));
  return stored
    ? 'Os bytes foram gravados de novo a partir dos que ainda se leem.'
    : 'Os bytes foram recuperados da nota e do protocolo, cada um do seu arquivo.';
}

/** Bytes that read, and whose hash is the one that is written but for a bit or two: it is that which has changed. */
async function mendHash(
  deps: DepsDoReparo,
  versao: NonNullable<Awaited<ReturnType<typeof queries.findVersaoDanificada>>>,
): Promise<string | null> {
  const bytes = tryLer(versao);
  const sha256 = bytes && sha256De(bytes);
  if (!bytes || !sha256 || !ehQuaseOMesmo(sha256, versao.sha256)) return null;
  await deps.db
    .transaction()
    .execute((trx) => queries.writeSoma(trx, { id: versao.id, sha256, tamanho: bytes.length }));
  return 'O SHA-256 da versão, que tinha mudado, foi escrito de novo a partir dos bytes, que estão inteiros.';
}

function envioDe({ arquivo_id: arquivoId, blob }: { arquivo_id: string | null; blob: string | null }) {
  return arquivoId === null ? null : { arquivoId, blob };
}

/** A note and a protocol of another file are in no upload as they were put together, but each is in its own. */
async function joinAgain(
  deps: DepsDoReparo,
  versao: { id: number; sha256: string; chave: string },
  envio: Envio,
): Promise<Uint8Array | null> {
  const protocolos = await deps.acharProtocolos({ ...envio, chave: versao.chave });
  if (protocolos.length === 0) return null;
  const irmas = await deps.db.transaction().execute((trx) => queries.findIrmas(trx, versao.id));
  for (const id of irmas) {
    // One by one: all of them together may be more than fits into memory.
    const outra = await deps.db.transaction().execute((trx) => queries.findVersaoDanificada(trx, id));
    if (!outra) continue;
    const veioEm = envioDe(outra);
    const documento =
      tryDescomprimir(outra, outra.sha256) ??
      (veioEm && (await firstOf(deps.findInEnvio({ ...veioEm, documentos: new Set([outra.sha256]) }))));
    for (const protocolo of documento ? protocolos : []) {
      const bytes = documento && joinProtocolo(documento, protocolo);
      if (bytes && sha256De(bytes) === versao.sha256) return bytes;
    }
  }
  return null;
}

async function firstOf<T>(source: AsyncIterable<T>): Promise<T | null> {
  for await (const one of source) return one;
  return null;
}

async function replaceBytes(
  trx: Trx,
  input: { id: number; contador_id: number; chave: string; conteudo: ConteudoPreparado },
): Promise<void> {
  const { id, contador_id: contadorId, chave, conteudo } = input;
  await lockFor(trx, LOCK.escritorio, [contadorId]);
  const certificados = await keepCertificados(trx, {
    contadorId,
    certificados: [{ certificado: conteudo.certificado, titular: null }],
  });
  await eraseBytes(trx, id);
  const destino = { versaoId: id, certificadoId: certificados.of(conteudo.certificado)?.id ?? null };
  const comprimidos = compressConteudos([{ chave, partes: [], conteudo }], new Set());
  await keepConteudos(trx, { comprimidos, blocos: [], destinos: { of: () => destino } });
  await queries.writeSoma(trx, { id, sha256: conteudo.sha256, tamanho: conteudo.tamanho });
}

async function eraseBytes(trx: Trx, versaoId: number): Promise<void> {
  const apagado = await queries.deleteConteudo(trx, versaoId);
  if (!apagado) return;
  await releaseCertificados(trx, [apagado.certificado_id]);
  await enxugarBlocos(trx, [apagado.bloco_id]);
}

async function dropBytes(deps: DepsDoReparo, { versaoId = 0 }: Referencia): Promise<string | null> {
  const dropped = await deps.db.transaction().execute(async (trx) => {
    const contadorId = await queries.findContadorDoBloco(trx, versaoId);
    if (contadorId !== undefined) await lockFor(trx, LOCK.escritorio, [contadorId]);
    const solto = await queries.findConteudo(trx, versaoId);
    if (!solto || !(await conteudoGuardadoTambem(trx, solto))) return false;
    await eraseBytes(trx, versaoId);
    return true;
  });
  return dropped
    ? 'Os bytes não eram de versão alguma; o documento está guardado, e eles foram apagados.'
    : null;
}

/** What was deleted on purpose, and is to be nowhere. */
async function buryBytes(deps: DepsDoReparo, { versaoId = 0 }: Referencia): Promise<string | null> {
  await deps.db.transaction().execute(async (trx) => {
    const contadorId = await queries.findContadorDoBloco(trx, versaoId);
    if (contadorId !== undefined) await lockFor(trx, LOCK.escritorio, [contadorId]);
    await eraseBytes(trx, versaoId);
  });
  return 'Os bytes do documento excluído foram apagados.';
}

async function dropBloco(
  deps: DepsDoReparo,
  { contadorId = 0, blocoId = 0 }: Referencia,
): Promise<string | null> {
  const dropped = await deps.db.transaction().execute(async (trx) => {
    await lockFor(trx, LOCK.escritorio, [contadorId]);
    const bloco = await findBloco(trx, blocoId);
    if (!bloco || !(await blocoGuardadoTambem(trx, bloco))) return false;
    await enxugarBlocos(trx, [blocoId]);
    return true;
  });
  return dropped
    ? 'O bloco não era de documento algum; os que traz estão guardados, e ele foi apagado.'
    : null;
}

async function rebuildContagens(trx: Trx, clienteId: number): Promise<void> {
  await queries.deleteContagens(trx, clienteId);
  await addContagens(trx, await contarDeNovo(trx, clienteId));
  await queries.touchCliente(trx, clienteId);
}

/** Counted again, since what was repaired before may have changed it. */
async function countCertificado(
  deps: DepsDoReparo,
  { contadorId = 0, certificadoId = 0 }: Referencia,
): Promise<string | null> {
  return deps.db.transaction().execute(async (trx) => {
    await lockFor(trx, LOCK.escritorio, [contadorId]);
    await writeUsos(trx, { id: certificadoId, usos: (await recountUsos(trx)).get(certificadoId) ?? 0 });
    return 'Os documentos que usam o certificado foram contados de novo.';
  });
}

async function dropEsperado(
  deps: DepsDoReparo,
  { contadorId = 0, chave = '' }: Referencia,
): Promise<string | null> {
  await deps.db.transaction().execute((trx) => queries.deleteEsperado(trx, { contadorId, chave }));
  return 'A chave deixou de constar como esperada.';
}
