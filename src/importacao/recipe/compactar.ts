/**
 * Replaces the kept bytes of uploads that are done by a recipe of the documents in them (`documentos/bytes/receita.ts`): a
 * zip of 5,000 notes, 20 MB, becomes 300 KB. When nothing else is to be done, one upload at a time, and not long put off when there always is. Only what was
 * made again, byte for byte, is replaced; what cannot be stays as it came. It happens in a thread of its own
 * (`compactador.ts`): whatever an upload costs, no import waits for it.
 */
import { createHash, hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Deps } from '../../deps.ts';
import { bytesDosPassos } from '../../documentos/bytes/envios.ts';
import * as queries from '../../documentos/bytes/queries-envios.ts';
import {
  DEFLACOES,
  type Deflacao,
  deflacaoComo,
  type Passo,
  readReceita,
  versoesDa,
  writeReceita,
} from '../../documentos/bytes/receita.ts';
import type { Trx } from '../../documentos/tipos.ts';
import { releaseBytes } from '../../platform/bytes/release-bytes.ts';
import { isDatabasePassing } from '../../platform/db/faults.ts';
import { LOCK, lockFor } from '../../platform/db/locks.ts';
import { runForOffice } from '../../platform/db/tenant.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { getOrNull } from '../../platform/storage/blob-store.ts';
import { countItens } from '../queries.ts';
import { isSurroundings } from '../storing/surroundings.ts';
import { conteudosDoZip, looksLikeZip } from '../unpack/unpack.ts';
import { UNPACK_LIMITS } from '../unpack/unpack-limits.ts';

/** An upload rests so long: whoever imports a month file by file is not held up by this in between. */
const COMPACTAR_APOS_MS = 20_000;
/** So long if the process is never at rest: its pages are read all the time, and the disk would fill up. */
const COMPACTAR_DE_QUALQUER_MODO_APOS_MS = 10 * 60_000;
/** More than this share of the bytes saves too little for an upload that has to be made again to be read. */
const VALE_ATE = 0.5;
/** An entry that no setting gives costs a try of each: of so many in a row the writer is one that is not known. */
const DESISTIR_APOS = 20;
/** Bytes that were deflated in vain: a few large entries of a writer that is not known take as long as thousands of small ones. */
const EM_VAO_BYTES = 200_000_000;
/** A try that has not come to its end, since its thread or process went down or it failed, is made once more. */
const TENTATIVAS = 2;
/** Whoever began one so long ago is at it no more. */
const TENTADA_POR_MS = 10 * 60_000;
/** Items of which the versions are looked up at once. */
const ITENS_DE_UMA_VEZ = 500;
/** With more than one and one more for each entry that a zip may have, most are no entry of their own. */
const ITENS_MAX = 2 * UNPACK_LIMITS.entries;

export type CompactarDeps = Pick<Deps, 'db' | 'storage' | 'clock'> & {
  /** Whether who reads pages would not be held up. */
  isAtRest: () => Promise<boolean>;
  /** Requests are answered all the time, or wait for what another thread makes. */
  atendendo: () => boolean;
  /** An upload stays as it came, since its recipe was begun twice and never ended. */
  desistiu: (arquivoId: string) => void;
};

type Arquivo = NonNullable<Awaited<ReturnType<typeof queries.findACompactar>>> & { blob: string };

/** The oldest upload that may be replaced now; null when there is none, or when it can wait and somebody would be held up. */
export async function aCompactar(
  deps: Pick<CompactarDeps, 'db' | 'clock' | 'isAtRest'>,
): Promise<{ arquivo: Arquivo; podeEsperar: boolean } | null> {
  const agora = deps.clock.now();
  const achado = await queries.findACompactar(deps.db.read, {
    fimAntesDe: agora - COMPACTAR_APOS_MS,
    tentadaAntesDe: agora - TENTADA_POR_MS,
  });
  if (!achado || achado.blob === null) return null;
  const podeEsperar = (achado.fim_em ?? 0) >= agora - COMPACTAR_DE_QUALQUER_MODO_APOS_MS;
  if (podeEsperar && !(await deps.isAtRest())) return null;
  return { arquivo: { ...achado, blob: achado.blob }, podeEsperar };
}

/**
 * Takes the oldest upload that may be replaced. One whose recipe was begun twice and never ended stays as it came.
 * @param semTrabalho false as soon as there is other work: what was done so far is thrown away, and done again later
 * @param soltos takes the bytes that a recipe has replaced and that could not be deleted yet: `apagarSoltos`
 * @returns whether there was one
 */
export async function compactOne(
  deps: CompactarDeps,
  semTrabalho: () => boolean,
  soltos: string[] = [],
): Promise<boolean> {
  const achado = await aCompactar(deps);
  if (!achado) return false;
  const { arquivo, podeEsperar } = achado;
  const livre = onceAndForAll(() => semTrabalho() && !(podeEsperar && deps.atendendo()));
  if (!livre()) return false;
  const { id: arquivoId, receita_tentativas: tentativas } = arquivo;
  const escrever = <T>(act: (trx: Trx) => Promise<T>) => deps.db.write.transaction().execute(act);
  if (tentativas >= TENTATIVAS) {
    await escrever((trx) => queries.keepBytes(trx, arquivoId));
    deps.desistiu(arquivoId);
    return true;
  }
  const agora = deps.clock.now();
  if (!(await escrever((trx) => queries.beginReceita(trx, { arquivoId, tentativas, agora })))) return false;
  failpoint('receita_comecada');
  const deixar = () => escrever((trx) => queries.leaveReceita(trx, { arquivoId, tentativas }));
  try {
    const feito = await trocar(deps, { arquivo, livre, soltos });
    if (!feito) await deixar();
    return feito;
  } catch (error) {
    // It says nothing about the upload; where the database itself is away, this try counts all the same.
    if (isSurroundings(error)) await deixar().catch(() => {});
    throw error;
  }
}

/** @returns false when it was broken off, or the upload may not be replaced any more */
async function trocar(
  deps: CompactarDeps,
  { arquivo, livre, soltos }: { arquivo: Arquivo; livre: () => boolean; soltos: string[] },
): Promise<boolean> {
  const { id: arquivoId, contador_id: contadorId, blob, sha256 } = arquivo;
  const bytes = await getOrNull(deps.storage, blob);
  // A recipe of damaged bytes would give what never came, and hide the damage from `verificar`.
  const sound = bytes !== null && hash('sha256', bytes) === sha256;
  const receita = sound
    ? await runForOffice(contadorId, () => makeReceita(deps, { arquivo, bytes, livre }))
    : null;
  if (bytes) releaseBytes(bytes);
  if (!livre()) return false;
  if (!receita) {
    await deps.db.write.transaction().execute((trx) => queries.keepBytes(trx, arquivoId));
    return true;
  }
  const versaoIds = [...new Set(versoesDa(readReceita(receita)))];
  const put = await deps.db.write.transaction().execute(async (trx) => {
    await lockFor(trx, LOCK.escritorio, [contadorId]);
    return queries.putReceita(trx, { arquivoId, contadorId, blob, receita, versaoIds });
  });
  // The row first: a file without a row is found by `verificar`, a row without its file is damage.
  if (put) soltos.push(blob);
  await apagarSoltos(deps, soltos);
  return put;
}

/**
 * Deletes bytes that recipes have replaced, once the recipes and the documents that they need stand in the database's own file:
 * a log that is damaged would take all three along, and the bytes would be what is left of them.
 */
async function apagarSoltos(deps: Pick<CompactarDeps, 'db' | 'storage'>, soltos: string[]): Promise<void> {
  if (soltos.length === 0 || !deps.db.foldLog()) return;
  for (let blob = soltos[0]; blob !== undefined; blob = soltos[0]) {
    await deps.storage.delete(blob);
    soltos.shift();
  }
}

/** False once, false for ever: a recipe that other work has interrupted is half a recipe, also when that work is over. */
function onceAndForAll(livre: () => boolean): () => boolean {
  let still = true;
  return () => {
    still &&= livre();
    return still;
  };
}

/** @returns null when it would not give these very bytes, or would save too little */
async function makeReceita(
  deps: CompactarDeps,
  input: { arquivo: Arquivo; bytes: Buffer; livre: () => boolean },
): Promise<Uint8Array | null> {
  const { arquivo, bytes, livre } = input;
  const versoes = await versoesDoEnvio(deps, arquivo.numero, livre);
  if (versoes.size === 0) return null;
  const passos = await new Cozinha(versoes, livre).passosDe(bytes);
  if (!livre()) return null;
  // What is no document in a zip is deflated already: so much of it becomes no less, and takes its memory three times over.
  if (looksLikeZip(bytes) && semDocumento(passos) > bytes.length * VALE_ATE) return null;
  const receita = writeReceita(passos);
  if (receita.length > bytes.length * VALE_ATE) return null;
  const again = createHash('sha256');
  try {
    for await (const part of bytesDosPassos(deps.db.read, readReceita(receita))) {
      if (!livre()) return null;
      again.update(part);
    }
  } catch (error) {
    if (isDatabasePassing(error)) throw error;
    // A document of it is damaged: the upload is what it can be repaired from.
    return null;
  }
  return again.digest('hex') === arquivo.sha256 ? receita : null;
}

/** Versions of an upload's documents, by the hash of their bytes; none of one in which hardly anything can be an entry of its own. */
async function versoesDoEnvio(
  { db }: CompactarDeps,
  arquivoNumero: number,
  livre: () => boolean,
): Promise<Map<string, number>> {
  const versoes = new Map<string, number>();
  const itens = await countItens(db.read, arquivoNumero);
  if (itens > ITENS_MAX) return versoes;
  for (let depoisDe = 0; depoisDe < itens && livre(); depoisDe += ITENS_DE_UMA_VEZ) {
    const pagina = { arquivoNumero, depoisDe, ate: depoisDe + ITENS_DE_UMA_VEZ };
    for (const { id, sha256 } of await queries.findVersoesDosItens(db.read, pagina)) versoes.set(sha256, id);
  }
  return versoes;
}

/** Bytes that a recipe holds itself. */
function semDocumento(passos: readonly Passo[]): number {
  return passos.reduce((sum, passo) => {
    if (passo.kind === 'bytes') return sum + passo.bytes.length;
    return passo.kind === 'deflate' ? sum + semDocumento(passo.passos) : sum;
  }, 0);
}

/** Finds the documents in an upload, and how each was deflated. */
class Cozinha {
  readonly #versoes: ReadonlyMap<string, number>;
  readonly #livre: () => boolean;
  /** What gave the bytes of the entry before comes first: one writer made them all. */
  #deflacoes = [...DEFLACOES];
  #falhas = 0;
  #emVao = 0;

  constructor(versoes: ReadonlyMap<string, number>, livre: () => boolean) {
    this.#versoes = versoes;
    this.#livre = livre;
  }

  async passosDe(bytes: Buffer): Promise<Passo[]> {
    const versaoId = this.#versoes.get(hash('sha256', bytes));
    if (versaoId !== undefined) return [{ kind: 'documento', versaoId }];
    return looksLikeZip(bytes) ? this.#doZip(bytes) : [{ kind: 'bytes', bytes }];
  }

  async #doZip(zip: Buffer): Promise<Passo[]> {
    const passos: Passo[] = [];
    let at = 0;
    for await (const { dataStart, end, deflated, bytes } of conteudosDoZip(zip)) {
      if (!this.#livre()) break;
      const inner = await this.passosDe(bytes);
      if (inner.every(({ kind }) => kind === 'bytes')) {
        releaseBytes(bytes);
        continue;
      }
      const steps = deflated ? this.#deflate(zip.subarray(dataStart, end), { bytes, inner }) : inner;
      if (!steps) continue;
      passos.push({ kind: 'bytes', bytes: zip.subarray(at, dataStart) }, ...steps);
      at = end;
      await nextTurn();
    }
    passos.push({ kind: 'bytes', bytes: zip.subarray(at) });
    return passos;
  }

  /** Null when no setting gives the data. */
  #deflate(data: Buffer, content: { bytes: Buffer; inner: Passo[] }): Passo[] | null {
    const { bytes, inner } = content;
    if (this.#falhas >= DESISTIR_APOS) return null;
    const deflacao = this.#deflacoes.find((setting) => this.#gives(data, bytes, setting));
    if (!deflacao) {
      this.#falhas += 1;
      return null;
    }
    this.#falhas = 0;
    this.#prefer(deflacao);
    return [{ kind: 'deflate', deflacao, passos: inner }];
  }

  #gives(data: Buffer, bytes: Buffer, setting: Deflacao): boolean {
    if (this.#emVao > EM_VAO_BYTES || !this.#livre()) return false;
    const same = deflacaoComo(bytes, setting).equals(data);
    if (!same) this.#emVao += bytes.length;
    return same;
  }

  #prefer(deflacao: Deflacao): void {
    if (this.#deflacoes[0] === deflacao) return;
    this.#deflacoes = [deflacao, ...this.#deflacoes.filter((other) => other !== deflacao)];
  }
}
