/**
 * Reads what waits for a layout, once its office has taught or installed one. What can be read now becomes an upload of the
 * office, in the order of arrival, and is imported as any other is: the upload's row, its job and that nothing waits any more
 * are one transaction. Who dies in between has done nothing; whoever comes next goes on with the first that waits.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Deps } from '../../deps.ts';
import { abrirGuardado } from '../../documentos/leiautes/a-ensinar.ts';
import * as queries from '../../documentos/leiautes/queries-leiautes.ts';
import type { PecaLida } from '../../documentos/tipos.ts';
import { foiEnsinada } from '../../fiscal/nfse/leiautes/ensinada.ts';
import { zipDe } from '../../gerador/zip.ts';
import { LOCK, lockFor } from '../../platform/db/locks.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { puttingInLine } from '../../platform/jobs/queue.ts';
import { blobDoEnvio } from '../blob-do-envio.ts';
import { IMPORT_MAX_BYTES } from '../limites.ts';
import { findDono } from '../queries.ts';
import type { LeiautesEmUso } from '../reading/leiautes-em-uso.ts';
import type { Leitor } from '../reading/leitores.ts';
import { insertRecebido } from '../recebido.ts';
import { STATUS_ARQUIVO } from '../tipos.ts';

const OLHAR_A_CADA_MS = 1_000;
/** Files that are tried together, and what they may weigh in memory: together they stay below what an upload may be. */
const DE_UMA_VEZ = 1_000;
const DE_UMA_VEZ_BYTES = IMPORT_MAX_BYTES / 2;

export type DepsDoReleitor = Pick<Deps, 'db' | 'storage' | 'clock' | 'log'> & {
  leitor: Pick<Leitor, 'read'>;
  leiautes: LeiautesEmUso;
};

/** Looks for what can be read now; lives as long as its thread. */
export class Releitor {
  readonly #deps: DepsDoReleitor;
  readonly #timer: NodeJS.Timeout;
  #stopping = false;
  #running: Promise<void> | null = null;

  constructor(deps: DepsDoReleitor) {
    this.#deps = deps;
    this.#timer = setInterval(() => {
      this.#running ??= this.#work().finally(() => {
        this.#running = null;
      });
    }, OLHAR_A_CADA_MS);
  }

  /** What is not done is done by whoever comes next. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #work(): Promise<void> {
    try {
      for (const contadorId of this.#deps.leiautes.contadores())
        if (!this.#stopping) await relerEnsinadas(this.#deps, contadorId);
    } catch (err) {
      if (!this.#stopping) this.#deps.log.error({ err }, 'notes of taught layouts could not be read');
    }
  }
}

type NotaPorTentar = Awaited<ReturnType<typeof queries.findPorTentar>>[number];
interface Aberta {
  nota: NotaPorTentar;
  /** null: damaged. */
  bytes: Uint8Array | null;
}

/** One step: the first that wait, unless those before them are still being imported. */
export async function relerEnsinadas(deps: DepsDoReleitor, contadorId: number): Promise<void> {
  const { db } = deps;
  const { revisao } = deps.leiautes.atual(contadorId);
  const porTentar = await queries.findPorTentar(db.read, { contadorId, revisao, limite: DE_UMA_VEZ });
  if (porTentar.length === 0) return;
  if ((await queries.findReleitura(db.read, contadorId)) === STATUS_ARQUIVO.emProcessamento) return;
  const abertas = firstOnes(porTentar).map((nota): Aberta => ({ nota, bytes: abrirGuardado(nota) }));
  const legiveis = await readableNow(deps, { contadorId, abertas });
  const outras = abertas.filter((aberta) => !legiveis.includes(aberta));
  await enviar(deps, { contadorId, revisao, legiveis, outras: outras.map(({ nota }) => nota.id) });
}

/** As many as go together, of senders with the same reach; one that is heavier goes alone. */
function firstOnes(notas: readonly NotaPorTentar[]): NotaPorTentar[] {
  let bytes = 0;
  const juntas = notas.filter(({ alcance }) => alcance === notas[0]?.alcance);
  return juntas.filter(({ tamanho }, at) => {
    bytes += tamanho;
    return at === 0 || bytes <= DE_UMA_VEZ_BYTES;
  });
}

/** Those in which something is read by what was taught. */
async function readableNow(
  { leitor }: Pick<DepsDoReleitor, 'leitor'>,
  { contadorId, abertas }: { contadorId: number; abertas: readonly Aberta[] },
): Promise<Aberta[]> {
  const inteiras = abertas.flatMap((aberta) => (aberta.bytes ? [{ aberta, bytes: aberta.bytes }] : []));
  const { pecas } = await leitor.read(
    inteiras.map(({ aberta, bytes }) => ({ caminho: nomeDe(aberta.nota), bytes })),
    contadorId,
  );
  return inteiras.flatMap(({ aberta }, at) => ((pecas[at] ?? []).some(isTaught) ? [aberta] : []));
}

function isTaught(peca: PecaLida): boolean {
  return peca.kind === 'registro' && peca.registro.classe === 'documento' && foiEnsinada(peca.registro);
}

async function enviar(
  deps: DepsDoReleitor,
  input: { contadorId: number; revisao: number; legiveis: readonly Aberta[]; outras: readonly number[] },
): Promise<void> {
  const { contadorId, revisao, legiveis, outras } = input;
  const id = randomUUID();
  const blob = blobDoEnvio(id, await findDono(deps.db.read, contadorId));
  const stored = legiveis.length > 0 ? await guardarZip(deps, { blob, legiveis }) : null;
  const ids = legiveis.map(({ nota }) => nota.id);
  const sent = await puttingInLine(deps.db.write, async (trx) => {
    await lockFor(trx, LOCK.escritorio, [contadorId]);
    await queries.markTentadas(trx, { ids: outras, revisao });
    if (!stored) return true;
    // Another process may have been faster.
    const there = await queries.findAindaPorTentar(trx, { contadorId, revisao, ids });
    if (there.size < ids.length) return false;
    const agora = deps.clock.now();
    const nome = nomeDoEnvio(ids.length);
    const alcance = legiveis[0]?.nota.alcance ?? null;
    await insertRecebido(trx, {
      ...{ ...stored, id, contadorId, blob, extensao: '.zip', chegouEm: agora, agora, kid: '' },
      origem: { origem: 'sistema', usuario_id: null, nome, reimportado_de: null, alcance },
    });
    await queries.deleteNotas(trx, ids);
    await queries.writeReleitura(trx, { contadorId, arquivoId: id });
    failpoint('ensinadas_antes_do_commit');
    return true;
  });
  if (!sent) await deps.storage.delete(blob);
}

async function guardarZip(
  { storage }: Pick<DepsDoReleitor, 'storage'>,
  { blob, legiveis }: { blob: string; legiveis: readonly Aberta[] },
) {
  const zip = await zipDe(legiveis.map(({ nota, bytes }) => ({ nome: nomeDe(nota), bytes: bytes ?? EMPTY })));
  return storage.put(blob, Readable.from([zip]), { maxBytes: 2 * IMPORT_MAX_BYTES });
}

const EMPTY = new Uint8Array();

/** The name that people know, behind a number that no other has. */
function nomeDe({ id, caminho }: NotaPorTentar): string {
  const name =
    caminho
      .split('/')
      .at(-1)
      ?.replace(/[^\p{L}\p{N} ._-]/gu, '_') || 'nota';
  return `${id}-${name.replace(/\.xml$/i, '').slice(0, 100)}.xml`;
}

function nomeDoEnvio(quantas: number): string {
  return quantas === 1
    ? 'arquivo que esperava leiaute, lido agora'
    : `${quantas} arquivos que esperavam leiaute, lidos agora`;
}
