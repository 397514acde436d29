/** Limits of the import area. Each says its unit, its reason, and what it protects. */
import type { Engine } from '../platform/db/engine.ts';

/** Decimal megabytes, as the specification counts them (section 8). The hard cap of an upload's bytes. */
export const IMPORT_MAX_BYTES = 30_000_000;
/** Life of an upload address, counted to the arrival of the request's headers (specification 2.3). */
export const ENDERECO_VALE_SEGUNDOS = 60;
/** A body must be in by then, counted from when it is read: slow senders must not hold connections. */
export const CORPO_PRAZO_MS = 120_000;
/** Slower than this after the grace is not a slow line but an attack, or a dead peer. */
export const CORPO_MINIMO_BYTES_POR_S = 8 * 1024;
export const CORPO_CARENCIA_MS = 10_000;
/** Bodies received at once by one process; each holds a file and a socket. An office has half of them at most. */
export const RECEPCOES_SIMULTANEAS = 300;
/** Others wait for so long, unread, before they are told to come back: with the time of a body less than a request may take. */
export const RECEPCAO_ESPERA_MS = 20_000;
/** `Retry-After` of a 503, seconds. */
export const ESPERE_SEGUNDOS = 5;

/** A ticket is marked as lapsed in the table only when no body can still be arriving for it. */
export const EXPIRAR_DEPOIS_DE_SEGUNDOS = CORPO_PRAZO_MS / 1000 + 10;
export const EXPIRAR_A_CADA_MS = 30_000;
/** One that lapsed unused is told as `Expirado` for so long; then its row goes, and nobody has a file with its id. */
export const VENCIDO_SOME_DEPOIS_DE_SEGUNDOS = 24 * 3_600;
/** So many go in one transaction, and no more each time: as many as a busy day leaves are gone within minutes. */
export const VENCIDOS_DE_CADA_VEZ = 500;
/** A body that still arrives so shortly before its address lapses is made known to the other processes. */
export const AVISAR_ANTES_MS = 5_000;
/** And they wait this long after the lapse before they call a file `Expirado`, so that the note is there. */
export const EXPIRADO_APOS_MS = 250;

/** One content that is no zip, or one file inside a zip. */
export const DOCUMENTO_MAX_BYTES = 10_000_000;

/** Files in work at once in one process, of one office half of them; small ones share a commit. */
export const ARQUIVOS_SIMULTANEOS = 64;
/** Uploads held in memory at once, light ones not counted; a larger one is in work alone but for these. */
export const ARQUIVOS_BYTES_EM_MEMORIA = 16_000_000;
/** And so much more for offices that have none in work: their files do not wait for the large ones of others. */
export const ARQUIVOS_BYTES_DE_QUEM_CHEGA = 8_000_000;
/** A reader gets about this much at a time: large enough that the message costs nothing, small enough to share out. */
export const LOTE_ENTRADAS = 32;
export const LOTE_BYTES = 1_000_000;
/**
 * Batches of a file that are unpacked while the readers have as many as they take. With as many as may be in flight they
 * were cold when their turn came: an import took two to five hundredths more, and a small file had to wait for all of them.
 */
export const LOTES_A_FRENTE = 2;
/** Of a file whose batches take longer than this to read no more of them wait: they would be in the room of other files. */
export const LOTE_LENTO_S = 1;
/**
 * Bytes of entries in flight, and of uploads and entries together: there may be more of them, by what uploads leave of the
 * memory for both. On PostgreSQL readers go on while a transaction is at work, and stand still when as much as may be waits
 * for it: with the documents of two transactions (24 MB) that costs an import a twentieth of its time.
 */
const EM_VOO_BYTES: Readonly<Record<Engine, { least: number; most: number; comEnvios: number }>> = {
  sqlite: { least: 16_000_000, most: 24_000_000, comEnvios: 44_000_000 },
  postgres: { least: 24_000_000, most: 40_000_000, comEnvios: 56_000_000 },
};
/** What an entry's parsed form weighs in flight, besides its bytes. */
export const ENTRADA_PESO_BYTES = 12_000;
/**
 * How much may be in flight, between unpacking and commit: bounds the memory of an import.
 * @param envios bytes of the uploads in memory
 * @returns bytes of entries, each with `ENTRADA_PESO_BYTES`
 */
export function emVooBytes(engine: Engine, envios: number): number {
  const { least, most, comEnvios } = EM_VOO_BYTES[engine];
  return Math.min(most, Math.max(least, comEnvios - envios));
}
/**
 * Bytes of entries of light files in flight. Theirs is a room of their own: what is read of a large file waits in the other
 * one, until its commits have happened.
 */
export const EM_VOO_LEVES_BYTES = 4_000_000;
/** Light files of which a batch is unpacked and waits for that room: a hundred times as large as they are, it may be 10 MB. */
export const EM_DESCOMPACTACAO_LEVES = 2;
/**
 * Rows of `item` that one upload may make, about: each thing that is found in it is one. 30 MB of documents are 20,000, ten
 * lists of keys as long as lists may be some two million. What stands behind as many is not read, and that is told.
 */
export const ITENS_MAX = 300_000;
/**
 * Documents in one transaction. On SQLite larger ones gain nothing; on PostgreSQL each costs some forty
 * statements there and back, whatever is in them: with 256 an import takes a tenth more. With 1,400 it takes perhaps a
 * twentieth less, but a hundred large uploads at once 30 MB more; with 2,400 readers and writer wait for each other in turn.
 */
export const TRANSACAO_PECAS: Readonly<Record<Engine, number>> = { sqlite: 500, postgres: 800 };
/** A note and a protocol that are put together take about as long as so many documents. */
export const PESO_DE_JUNTAR = 4;
/**
 * Between two transactions of SQLite that put documents together. Who waits for the lock asks for it every few
 * milliseconds (`ASK_AGAIN_MS`), and would be passed over for as long as these follow each other at once.
 */
export const VEZ_DOS_OUTROS_MS = 20;
/**
 * The writer waits until so many are there, as long as some are still being read: a commit writes whole pages of the tables
 * and indexes on SQLite, and costs those forty statements on PostgreSQL, and what is written together is compressed
 * together. A writer that takes what it finds takes the cores from the readers, and finds less the next time: on a busy
 * machine that cost an import on PostgreSQL a seventh of its processor time. The first commits of an import are smaller, each
 * twice the one before, so that the writer begins while the readers are at the first batches.
 */
export const JUNTAR_PECAS: Readonly<Record<Engine, number>> = { sqlite: 320, postgres: 400 };
export const JUNTAR_PECAS_NO_INICIO: Readonly<Record<Engine, number>> = { sqlite: 64, postgres: 200 };
/**
 * But no fewer than these, as many are enough as are still being read: what the readers leave when they are done is what an
 * import takes longer, with a core for nothing. Half a transaction of PostgreSQL was a twentieth of the time of 5,000
 * documents; on SQLite nothing is to be gained.
 */
export const JUNTAR_PECAS_NO_FIM: Readonly<Record<Engine, number>> = { ...JUNTAR_PECAS, postgres: 100 };
/** Nothing that is read waits longer than this for more. */
export const JUNTAR_MS = 100;
/**
 * Readers have two lanes: one for offices whose documents are read quickly, as nearly all are, and one, of threads of its own,
 * for those whose are not, so that nobody waits for these.
 */
export type Faixa = 'rapida' | 'lenta';
/**
 * Processor time that one document may take of its reader, waiting not counted. Reading takes as long as a document is large,
 * the slowest kinds a third of a second a megabyte, the first ones of a thread and of a kind a second more; on processors six
 * times as slow all of them still fit. What takes longer in the quick lane is read in the other one.
 */
export function orcamentoDeLeituraMs(bytes: number, faixa: Faixa): number {
  return faixa === 'rapida' ? LEITURA_RAPIDA_MS : LEITURA_BASE_MS + (bytes / 1_000_000) * LEITURA_POR_MB_MS;
}
const LEITURA_RAPIDA_MS = 3_000;
const LEITURA_BASE_MS = 5_000;
const LEITURA_POR_MB_MS = 2_000;
/** A larger content is read in the slow lane at once. */
export const LEITURA_GRANDE_BYTES = 2_000_000;
/** Processor time after which a reader hands back what it has read of a batch: what is left takes its turn among other offices. */
export const FATIA_DE_LEITURA_MS = 250;
/** Processor time of such a part above which its office's documents are slow: one of them alone took most of it. */
export const LEITURA_LENTA_MS = 1_000;
/** A thread has warmed up after so much of it: before that nothing speaks against what it reads. */
export const LEITOR_FRIO_MS = 5_000;
/** An office stays in the slow lane for so long after its last slow part. */
export const FICA_LENTO_MS = 30_000;
/** A batch whose reader has died over other batches is read again, so often one after the other. */
export const LEITURAS_SEM_CULPA = 20;
/** Tasks that a reader has at once, so that it goes on while the thread that hands them out is in a commit: as much as one takes. */
export const TAREFAS_DO_LEITOR = 10;
/** Old space of one reader thread: the tree of a 10 MB document fits several times. */
export const LEITOR_MEMORIA_MB = 512;
/** An idle reader gives its memory back. The next file waits for another one to start, up to a second. */
export const LEITOR_OCIOSO_MS = 5 * 60_000;
/** An import thread that has had nothing to do for so long folds the log of SQLite into its file. */
export const DOBRAR_LOG_MS = 500;
/**
 * With less than this free on its disk the log is folded after each file. It may have 32 MB (`LOG_PAGES` of
 * `platform/db/sqlite-executor.ts`), and folding it needs some of the room itself.
 */
export const LOG_DEIXA_LIVRE_BYTES = 128_000_000;
/** Looks for due jobs this often even if nobody called: retries, and uploads accepted by other processes. */
export const CONSULTA_MS = 1_000;

/** The whole `log` in UTF-8 bytes. */
export const LOG_MAX_BYTES = 8_192;
