import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { partesDe, recipienteDe } from './containers/abrir.ts';
import type { Bolsa, Recipiente } from './containers/tipos.ts';
import { beginsAsXml, zipBehind, zipIn } from './unpack-bounds.ts';
import { UnpackBudget } from './unpack-budget.ts';
import { type EntryPlace, isDeflated, locate, looksLikeZip, readBody, unreadable } from './unpack-entry.ts';
import {
  arquivoDeSistema,
  type CodigoDeZip,
  documentoDeEscritorio,
  documentoGrandeDemais,
  type FalhaDeZip,
  linkSimbolico,
  nomeLongoDemais,
  razaoSuspeita,
  zipComContagemErrada,
  zipCorrompido,
  zipDividido,
  zipEntradasDemais,
  zipInternoGrandeDemais,
  zipProfundoDemais,
  zipSobreposto,
  zipVazio,
} from './unpack-faults.ts';
import { boundedLimits, inflatedBytesAllowed, UNPACK_LIMITS, type UnpackLimits } from './unpack-limits.ts';
import {
  type CodePage,
  codePageOf,
  fromCodePage,
  isOfficeContainer,
  isSystemFile,
  joinLabel,
  labelOf,
} from './unpack-names.ts';
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

/** A longer one says no more about its code page. */
const NAME_LOOKED_AT_BYTES = 1_000;

const FLAG_UTF8 = 0x0800;
/** Systems (upper byte of "version made by") whose upper attribute half is a Unix mode: Unix and OS X. */
const UNIX_HOSTS: ReadonlySet<number> = new Set([3, 19]);
const MODE_TYPE = 0xf000;
const MODE_FOLDER = 0x4000;
const MODE_FILE = 0x8000;
const DOS_FOLDER = 0x10;

/**
 * The files of a zip, and of what in it holds files itself (zips, tar archives, messages …), one after another in the order
 * in which they stand there; each is read only when it is asked for. What holds files is known by its content, not its
 * name, and is not yielded itself.
 *
 * Three kinds of fault:
 * - an entry's (encrypted, wrong CRC or length, unknown method, too big, suspicious ratio): `rejeitado`, and on;
 * - a zip's (damaged, overlapping, too deep): `rejeitado` with that zip's path. An inner one is just a bad entry of
 *   the zip around it; the outermost ends the iteration;
 * - the budget's (entries, inflated bytes, ratio of the whole): `rejeitado` with the path of the zip in which it ran
 *   out, and the iteration ends, as the budget is one for all.
 *
 * Never throws for bad input. At most one entry and what it stands in are in memory.
 * @fonte docs/regras.md, uploads; OWASP ASVS 5.0, 5.2.3
 */
export function unpackZip(
  bytes: Uint8Array,
  options: { limits?: UnpackLimits } = {},
): AsyncGenerator<UnpackedEntry> {
  return numbered(bytes, options, (content, budget) => readZip(zipIn(content) ?? content, OUTERMOST, budget));
}

/**
 * The same of any content that holds files.
 * @returns null where it holds none
 */
export function unpack(
  bytes: Uint8Array,
  options: { limits?: UnpackLimits } = {},
): AsyncGenerator<UnpackedEntry> | null {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const { zip, kind } = containerIn(content);
  if (zip) return numbered(bytes, options, (_content, budget) => readZip(zip, OUTERMOST, budget));
  return (
    kind && numbered(bytes, options, (_content, budget) => readContainer(kind, content, OUTERMOST, budget))
  );
}

/** What a content is by its beginning, or else a zip that stands at its end. */
function containerIn(content: Buffer): { zip: Buffer | null; kind: Recipiente | null } {
  const zip = zipIn(content);
  const kind = zip ? null : recipienteDe(content);
  return { zip: zip ?? (kind ? null : zipBehind(content)), kind };
}

async function* numbered(
  bytes: Uint8Array,
  options: { limits?: UnpackLimits },
  read: (content: Buffer, budget: UnpackBudget) => AsyncGenerator<Found>,
): AsyncGenerator<UnpackedEntry> {
  const budget = new UnpackBudget(boundedLimits(options.limits ?? UNPACK_LIMITS), bytes.length);
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let ordem = 0;
  try {
    for await (const found of read(content, budget)) yield { ordem: ordem++, ...found };
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
  if (isOfficeContainer(files.map(labelOfFile))) {
    const verdict = here.depth === 1 ? rejected(documentoDeEscritorio()) : ignored(documentoDeEscritorio());
    yield { caminho: here.caminho, ...verdict };
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
    // Nearly every one is a document, and costs no generator of its own.
    if (found.resultado !== 'arquivo' || beginsAsXml(found.bytes)) yield found;
    else yield* readContent(asBuffer(found.bytes), { caminho: found.caminho, depth: here.depth }, budget);
  }
  if (falha !== null) yield { caminho: here.caminho, ...rejected(falha) };
}

/** One entry's content or verdict. @throws BudgetSpent */
function readEntry(zip: Buffer, file: ListedEntry, here: Standing, budget: UnpackBudget): Found {
  const caminho = joinLabel(here.caminho, file.label, budget.limits.labelChars);
  if (file.verdict !== null) return { caminho, ...file.verdict };
  if ('codigo' in file.place) return { caminho, ...rejected(file.place) };
  const body = readBody(zip, file.place, budget);
  if ('falha' in body) {
    if (body.ends) throw new BudgetSpent(body.falha, here.caminho);
    return { caminho, ...rejected(body.falha) };
  }
  return { caminho, resultado: 'arquivo', bytes: body.bytes };
}

/** A content that was found: itself, or what it holds. @param here its label, and how deep what holds it stands */
async function* readContent(content: Buffer, here: Standing, budget: UnpackBudget): AsyncGenerator<Found> {
  const { caminho, depth } = here;
  const { limits } = budget;
  const { zip, kind } = containerIn(content);
  if (zip === null && kind === null) {
    const isTooLarge = content.length > limits.documentBytes;
    yield isTooLarge
      ? { caminho, ...rejected(documentoGrandeDemais(limits)) }
      : { caminho, resultado: 'arquivo', bytes: content };
    return;
  }
  if (depth >= limits.depth) yield { caminho, ...rejected(zipProfundoDemais(limits)) };
  else if (content.length > limits.nestedZipBytes)
    yield { caminho, ...rejected(zipInternoGrandeDemais(limits)) };
  else if (zip) yield* readZip(zip, { caminho, depth: depth + 1 }, budget);
  else if (kind) yield* readContainer(kind, content, { caminho, depth: depth + 1 }, budget);
}

/** What is in a container that is no zip. */
async function* readContainer(
  kind: Recipiente,
  content: Buffer,
  here: Standing,
  budget: UnpackBudget,
): AsyncGenerator<Found> {
  for await (const parte of partesDe(kind, content, purseAt(here.caminho, budget))) {
    const label =
      parte.nome === ''
        ? here.caminho
        : joinLabel(here.caminho, labelOf(parte.nome), budget.limits.labelChars);
    const inside: Standing = { caminho: label, depth: here.depth };
    if ('falha' in parte) yield { caminho: label, resultado: parte.resultado, ...parte.falha };
    else if (isSystemFile(label)) yield { caminho: label, ...ignored(arquivoDeSistema()) };
    // An archive that is compressed as a whole is one container to everybody.
    else if (isCompressed(kind) && recipienteDe(parte.bytes) === 'tar')
      yield* readContainer('tar', parte.bytes, inside, budget);
    else yield* readContent(parte.bytes, inside, budget);
  }
}

function isCompressed(kind: Recipiente): boolean {
  return kind === 'gzip' || kind === 'bzip2' || kind === 'xz';
}

/** The budget as a container is paid from it. */
function purseAt(caminho: string, budget: UnpackBudget): Bolsa {
  const { limits } = budget;
  const spent = (falha: FalhaDeZip): BudgetSpent => new BudgetSpent(falha, caminho);
  const own = (compressed: number): number =>
    Math.min(limits.nestedZipBytes, inflatedBytesAllowed(limits, compressed));
  return {
    takeEntries(count) {
      if (!budget.takeEntries(count)) throw spent(zipEntradasDemais(limits));
    },
    charge(bytes) {
      const left = budget.remaining();
      if (bytes > left.bytes) throw spent(left.falha());
      budget.charge(bytes);
    },
    allowed: (compressed) => Math.min(own(compressed), budget.remaining().bytes),
    tooLong(compressed) {
      const left = budget.remaining();
      if (left.bytes < own(compressed)) throw spent(left.falha());
      return own(compressed) < limits.nestedZipBytes ? razaoSuspeita(limits) : zipInternoGrandeDemais(limits);
    },
  };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
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
  const records: DirectoryRecord[] = [];
  let falha: FalhaDeZip | null = null;
  let at = start;
  while (records.length < file.entryCount && falha === null) {
    const record = readRecord(zip, at);
    if ('codigo' in record) falha = record;
    else {
      records.push(record);
      at = record.end;
      if (records.length % ENTRIES_A_TURN === 0) await nextTurn();
    }
  }
  const page = codePageOf(namesWithoutUtf8(records));
  const entries: ListedEntry[] = [];
  for (const record of records) {
    entries.push(listEntry({ zip, record, end: start, limits, page }));
    if (entries.length % ENTRIES_A_TURN === 0) await nextTurn();
  }
  falha ??= endsDirectory(zip, at) ? null : zipComContagemErrada();
  return { entries, falha };
}

/** Of a zip's names as many are looked at to know their code page. */
const NAMES_LOOKED_AT = 200;

function namesWithoutUtf8(records: readonly DirectoryRecord[]): Buffer[] {
  const names: Buffer[] = [];
  for (const { fileNameRaw } of records) {
    if (names.length >= NAMES_LOOKED_AT) break;
    if (fileNameRaw.length <= NAME_LOOKED_AT_BYTES && !isUtf8(fileNameRaw)) names.push(fileNameRaw);
  }
  return names;
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

/** @param input.end where the directory begins, before which the data must end */
function listEntry(input: {
  zip: Buffer;
  record: DirectoryRecord;
  end: number;
  limits: UnpackLimits;
  page: CodePage;
}): ListedEntry {
  const { zip, record: entry, end, limits } = input;
  const tooLong = entry.fileNameRaw.length > limits.nameBytes;
  const name = decodeName(entry, input);
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
 * In the zip's code page unless the entry says UTF-8. macOS writes UTF-8 without saying so; accented text of code pages is
 * practically never valid UTF-8, so what is valid is taken for it.
 */
function decodeName(
  entry: DirectoryRecord,
  { limits, page }: { limits: UnpackLimits; page: CodePage },
): string {
  // A name that is too long to be accepted is decoded as far as the label can show it.
  const tooLong = entry.fileNameRaw.length > limits.nameBytes;
  const raw = tooLong ? entry.fileNameRaw.subarray(0, limits.labelChars) : entry.fileNameRaw;
  const flags = isUtf8(raw) ? entry.generalPurposeBitFlag | FLAG_UTF8 : entry.generalPurposeBitFlag;
  const name = getFileNameLowLevel(flags, raw, entry.extraFields, false);
  const inCodePage = (flags & FLAG_UTF8) === 0 && name === getFileNameLowLevel(0, raw, [], false);
  return inCodePage ? fromCodePage(raw, page) : name;
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
