import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { UnpackBudget } from './unpack-budget.ts';
import { type EntryPlace, isDeflated, locate, looksLikeZip, readBody, unreadable } from './unpack-entry.ts';
import {
  arquivoDeSistema,
  type CodigoDeZip,
  documentoDeEscritorio,
  type FalhaDeZip,
  linkSimbolico,
  nomeLongoDemais,
  zipComContagemErrada,
  zipCorrompido,
  zipDividido,
  zipEntradasDemais,
  zipProfundoDemais,
  zipSobreposto,
  zipVazio,
} from './unpack-faults.ts';
import { boundedLimits, UNPACK_LIMITS, type UnpackLimits } from './unpack-limits.ts';
import { fromCp850, isOfficeContainer, isSystemFile, joinLabel, labelOf } from './unpack-names.ts';
import { type DirectoryRecord, readRecord } from './unpack-record.ts';

export { looksLikeZip };

type Resultado =
  /** `bytes` may be a view into the upload: copy them to keep them longer than it. */
  | { resultado: 'arquivo'; bytes: Uint8Array }
  | { resultado: 'ignorado' | 'rejeitado'; codigo: CodigoDeZip; mensagem: string };

/** One file found in the upload, or one thing to say about it. */
export type UnpackedEntry = {
  /** From 0, counts everything that is yielded; the same bytes always give the same numbers. */
  ordem: number;
  /** A label, never a path: `pasta/interno.zip/nota.xml`; `''` is the upload itself. */
  caminho: string;
} & Resultado;

type Found = Omit<UnpackedEntry, 'ordem' | keyof Resultado> & Resultado;

/** What is known of one central directory record before its data is touched. */
interface ListedEntry {
  label: string;
  isFolder: boolean;
  /** Decided by name or kind alone: the data is of no interest. */
  verdict: Resultado | null;
  place: EntryPlace | FalhaDeZip;
}

interface Directory {
  entries: ListedEntry[];
  /** Why there may be more entries than those listed, or why none of them may be read. */
  falha: FalhaDeZip | null;
}

/** Where in the nesting a zip stands. */
interface Standing {
  caminho: string;
  /** 1 is the upload. */
  depth: number;
}

const OUTERMOST: Standing = { caminho: '', depth: 1 };

/** Ends the reading of the whole upload: the budget that all zips share is used up. */
class BudgetSpent extends Error {
  readonly falha: FalhaDeZip;
  readonly caminho: string;

  constructor(falha: FalhaDeZip, caminho: string) {
    super(falha.codigo);
    this.falha = falha;
    this.caminho = caminho;
  }
}

const END_OF_DIRECTORY = 0x06054b50;
const END_OF_DIRECTORY_ZIP64 = 0x06064b50;
const DIRECTORY_SIGNATURE = 0x05054b50;

/** Entries of a directory between which the thread sees to what else is waiting. */
const ENTRIES_A_TURN = 1_000;

const FLAG_UTF8 = 0x0800;
/** Systems (upper byte of "version made by") whose upper attribute half is a Unix mode: Unix and OS X. */
const UNIX_HOSTS: ReadonlySet<number> = new Set([3, 19]);
const MODE_TYPE = 0xf000;
const MODE_FOLDER = 0x4000;
const MODE_FILE = 0x8000;
const DOS_FOLDER = 0x10;

/**
 * The files of a zip and of the zips inside it, one after another in the order of the central directories; each is
 * inflated only when it is asked for. An inner zip is known by its content, not its name, and is not yielded itself.
 *
 * Three kinds of fault:
 * - an entry's (encrypted, wrong CRC or length, unknown method, too big, suspicious ratio): `rejeitado`, and on;
 * - a zip's (damaged, overlapping, too deep): `rejeitado` with that zip's path. An inner one is just a bad entry of
 *   the zip around it; the outermost ends the iteration;
 * - the budget's (entries, inflated bytes, ratio of the whole): `rejeitado` with the path of the zip in which it ran
 *   out, and the iteration ends, as the budget is one for all.
 *
 * Never throws for bad input. At most one entry and the zips on its nesting path are in memory.
 * @fonte docs/regras.md, uploads; OWASP ASVS 5.0, 5.2.3
 */
export async function* unpackZip(
  bytes: Uint8Array,
  options: { limits?: UnpackLimits } = {},
): AsyncGenerator<UnpackedEntry> {
  const budget = new UnpackBudget(boundedLimits(options.limits ?? UNPACK_LIMITS), bytes.length);
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let ordem = 0;
  try {
    for await (const found of readZip(zip, OUTERMOST, budget)) yield { ordem: ordem++, ...found };
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error;
    yield { ordem, caminho: error.caminho, ...rejected(error.falha) };
  }
}

/**
 * What stands in a zip, without a look into zips inside it: where each content lies, in the order of the bytes. What
 * cannot be read is passed over. For finding again what `unpackZip` has read before, under the same limits.
 */
export async function* conteudosDoZip(
  zip: Buffer,
): AsyncGenerator<{ dataStart: number; end: number; deflated: boolean; bytes: Buffer }> {
  const budget = new UnpackBudget(boundedLimits(UNPACK_LIMITS), zip.length);
  const entries = await readDirectory(zip, OUTERMOST, budget).then(
    (directory) => directory.entries,
    () => [],
  );
  const places = entries.flatMap(({ place }) => ('start' in place ? [place] : []));
  for (const place of places.sort(byStart)) {
    const body = readBody(zip, place, budget);
    if ('falha' in body && body.ends) return;
    if ('falha' in body) continue;
    yield { dataStart: place.dataStart, end: place.end, deflated: isDeflated(place), bytes: body.bytes };
  }
}

/** What the files of a zip are, and what is to be said of it as a whole. */
async function* readZip(zip: Buffer, here: Standing, budget: UnpackBudget): AsyncGenerator<Found> {
  const { entries, falha } = await readDirectory(zip, here, budget);
  const files = entries.filter(isFile);
  if (here.depth > 1 && isOfficeContainer(files.map(labelOfFile))) {
    yield { caminho: here.caminho, ...ignored(documentoDeEscritorio()) };
    return;
  }
  if (files.length === 0 && falha === null) {
    // An export of a month without notes leaves an empty inner zip: that is no reason for `Com Erro`.
    const verdict = here.depth === 1 ? rejected(zipVazio()) : ignored(zipVazio());
    yield { caminho: here.caminho, ...verdict };
    return;
  }
  for (const file of files) {
    const found = readEntry(zip, file, here, budget);
    if ('innerZip' in found) yield* readZip(found.innerZip, found.standing, budget);
    else yield found;
  }
  if (falha !== null) yield { caminho: here.caminho, ...rejected(falha) };
}

/** One entry's content or verdict; of a zip inside, where it stands. @throws BudgetSpent */
function readEntry(
  zip: Buffer,
  file: ListedEntry,
  here: Standing,
  budget: UnpackBudget,
): Found | { innerZip: Buffer; standing: Standing } {
  const caminho = joinLabel(here.caminho, file.label, budget.limits.labelChars);
  if (file.verdict !== null) return { caminho, ...file.verdict };
  if ('codigo' in file.place) return { caminho, ...rejected(file.place) };
  const body = readBody(zip, file.place, budget);
  if ('falha' in body) {
    if (body.ends) throw new BudgetSpent(body.falha, here.caminho);
    return { caminho, ...rejected(body.falha) };
  }
  if (!looksLikeZip(body.bytes)) return { caminho, resultado: 'arquivo', bytes: body.bytes };
  if (here.depth >= budget.limits.depth) return { caminho, ...rejected(zipProfundoDemais(budget.limits)) };
  return { innerZip: body.bytes, standing: { caminho, depth: here.depth + 1 } };
}

/**
 * Reads the whole central directory before any data: it costs no inflating, is at most as big as the zip, and shows
 * overlaps and too many entries before anything is spent on them.
 */
async function readDirectory(zip: Buffer, here: Standing, budget: UnpackBudget): Promise<Directory> {
  let file: ZipFile;
  try {
    // Lazy, so that it reads the directory's end and nothing else.
    file = await fromBufferPromise(zip, { lazyEntries: true, decodeStrings: false });
  } catch (error) {
    return { entries: [], falha: endFault(error) };
  }
  if (!budget.takeEntries(file.entryCount)) {
    throw new BudgetSpent(zipEntradasDemais(budget.limits), here.caminho);
  }
  return refuseOverlap(await listEntries(zip, file, budget.limits));
}

/** Our own reading of the records: yauzl makes two turns of the event loop and a dozen objects for each. */
async function listEntries(zip: Buffer, file: ZipFile, limits: UnpackLimits): Promise<Directory> {
  const start = cursorOf(file);
  const entries: ListedEntry[] = [];
  let at = start;
  while (entries.length < file.entryCount) {
    const record = readRecord(zip, at);
    if ('codigo' in record) return { entries, falha: record };
    entries.push(listEntry(zip, record, start, limits));
    at = record.end;
    if (entries.length % ENTRIES_A_TURN === 0) await nextTurn();
  }
  return { entries, falha: endsDirectory(zip, at) ? null : zipComContagemErrada() };
}

/** Where the central directory begins: a number, whatever its type says. */
function cursorOf(file: ZipFile): number {
  return Number(file.readEntryCursor);
}

/** The announced count is read; what follows tells whether entries were left over, which must not go unsaid. */
function endsDirectory(zip: Buffer, cursor: number): boolean {
  if (cursor + 4 > zip.length) return false;
  const signature = zip.readUInt32LE(cursor);
  return (
    signature === END_OF_DIRECTORY ||
    signature === END_OF_DIRECTORY_ZIP64 ||
    signature === DIRECTORY_SIGNATURE
  );
}

/** yauzl has no error codes; its version is pinned and a test holds each of these texts. */
function endFault(error: unknown): FalhaDeZip {
  const text = error instanceof Error ? error.message : '';
  if (text.startsWith('multi-disk')) return zipDividido();
  return zipCorrompido();
}

/**
 * Honest zips never share bytes between entries; bombs do, to inflate one body a thousand times. So a single overlap
 * means a forged zip: nothing in it can be trusted, and no entry is read.
 */
function refuseOverlap(directory: Directory): Directory {
  const places: EntryPlace[] = [];
  for (const { place } of directory.entries) if ('start' in place) places.push(place);
  places.sort(byStart);
  let end = 0;
  for (const place of places) {
    if (place.start < end) return { entries: [], falha: zipSobreposto() };
    end = place.end;
  }
  return directory;
}

function byStart(a: EntryPlace, b: EntryPlace): number {
  return a.start - b.start;
}

function isFile({ isFolder }: ListedEntry): boolean {
  return !isFolder;
}

function labelOfFile({ label }: ListedEntry): string {
  return label;
}

/** @param end where the directory begins, before which the data must end */
function listEntry(zip: Buffer, entry: DirectoryRecord, end: number, limits: UnpackLimits): ListedEntry {
  const tooLong = entry.fileNameRaw.length > limits.nameBytes;
  const name = decodeName(entry, limits);
  const label = labelOf(name);
  return {
    // Shortened at once: escapes make a name of controls seven times longer, and all labels are held together.
    label: joinLabel('', label, limits.labelChars),
    isFolder: !tooLong && isFolder(entry, name),
    verdict: tooLong ? rejected(nomeLongoDemais(limits)) : verdictByKind(entry, label),
    place: unreadable(entry) ?? locate(zip, entry, end),
  };
}

/**
 * By the format CP437 unless the entry says UTF-8; Windows in Brazil writes CP850. macOS writes UTF-8 without saying so;
 * accented text of those code pages is practically never valid UTF-8, so what is valid is taken for it.
 */
function decodeName(entry: DirectoryRecord, limits: UnpackLimits): string {
  // A name that is too long to be accepted is decoded as far as the label can show it.
  const tooLong = entry.fileNameRaw.length > limits.nameBytes;
  const raw = tooLong ? entry.fileNameRaw.subarray(0, limits.labelChars) : entry.fileNameRaw;
  const flags = isUtf8(raw) ? entry.generalPurposeBitFlag | FLAG_UTF8 : entry.generalPurposeBitFlag;
  const name = getFileNameLowLevel(flags, raw, entry.extraFields, false);
  const inCodePage = (flags & FLAG_UTF8) === 0 && name === getFileNameLowLevel(0, raw, [], false);
  return inCodePage ? fromCp850(raw) : name;
}

function unixType(entry: DirectoryRecord): number {
  return UNIX_HOSTS.has(entry.versionMadeBy >>> 8) ? (entry.externalFileAttributes >>> 16) & MODE_TYPE : 0;
}

/** A "folder" that carries data is taken for a file, so that nothing hides behind a slash. */
function isFolder(entry: DirectoryRecord, name: string): boolean {
  const marked =
    name.endsWith('/') ||
    unixType(entry) === MODE_FOLDER ||
    (entry.externalFileAttributes & DOS_FOLDER) !== 0;
  return marked && entry.uncompressedSize === 0;
}

/** Links, devices, pipes, and what operating systems leave behind. */
function verdictByKind(entry: DirectoryRecord, label: string): Resultado | null {
  if (isSystemFile(label)) return ignored(arquivoDeSistema());
  const type = unixType(entry);
  const ordinary = type === 0 || type === MODE_FILE || type === MODE_FOLDER;
  return ordinary ? null : ignored(linkSimbolico());
}

function rejected(falha: FalhaDeZip): Resultado {
  return { resultado: 'rejeitado', ...falha };
}

function ignored(falha: FalhaDeZip): Resultado {
  return { resultado: 'ignorado', ...falha };
}
