/** Names of zip entries are labels for people: they are cleaned here, and nothing ever opens a path made from them. */

/** Controls, invisible formatting (among it the marks that turn the reading direction) and line separators. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const DRIVE = /^[A-Za-z]:/;
const NAMELESS = '(sem nome)';
const ELLIPSIS = '…';
/** The end of a shortened label says more: the file's own name stands there. */
const HEAD_SHARE = 0.25;

const SYSTEM_FILES: ReadonlySet<string> = new Set(['.ds_store', 'thumbs.db', 'desktop.ini']);
const SYSTEM_FOLDER = '__macosx';

/** Root entries that tell an office document from an archive of files. */
const OFFICE_MARKS: ReadonlySet<string> = new Set(['[content_types].xml', 'meta-inf/manifest.xml']);
/** Marks a Java program; but its own tool, and those of some ERPs, write it into any archive that they make. */
const JAVA_MARK = 'meta-inf/manifest.mf';
const JAVA_CODE = '.class';

/** The upper half of code page 850. */
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';
const ASCII_END = 0x80;

/** A file at the root with a name as nearly all have it: its label is its name. */
const PLAIN_NAME = /^[A-Za-z0-9_-][A-Za-z0-9_ .()-]*$/;

/**
 * The label of one entry, without root, drive or climbing: `..\..\C:\notas\a.xml` → `notas/a.xml`; unprintable
 * characters as `\u{…}`. A name with nothing left is `(sem nome)`.
 */
export function labelOf(name: string): string {
  if (PLAIN_NAME.test(name)) return name;
  const segments = name
    .replaceAll('\\', '/')
    .split('/')
    .map((segment) => segment.replace(DRIVE, ''))
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..');
  const label = segments
    .join('/')
    .replace(UNPRINTABLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  return label === '' ? NAMELESS : label;
}

/** The label below an inner zip's label (`''` for the upload itself), at most `maxChars` long, cut in the middle. */
export function joinLabel(parent: string, label: string, maxChars: number): string {
  const whole = parent === '' ? label : `${parent}/${label}`;
  if (whole.length <= maxChars) return whole;
  const head = Math.floor(maxChars * HEAD_SHARE);
  const tail = maxChars - head - ELLIPSIS.length;
  // Half a surrogate pair left by the cut becomes U+FFFD: the label is stored and sent as UTF-8.
  return `${whole.slice(0, head)}${ELLIPSIS}${whole.slice(whole.length - tail)}`.toWellFormed();
}

/** Droppings of macOS and Windows: `__MACOSX/…`, `.DS_Store`, `Thumbs.db`, `desktop.ini`, in any folder. */
export function isSystemFile(label: string): boolean {
  const lower = label.toLowerCase();
  if (!lower.includes('/')) return SYSTEM_FILES.has(lower) || lower === SYSTEM_FOLDER;
  const segments = lower.split('/');
  return segments.includes(SYSTEM_FOLDER) || SYSTEM_FILES.has(segments.at(-1) ?? '');
}

/** Whether the entries, in directory order, are those of an office document (OOXML, ODF) or a Java program. */
export function isOfficeContainer(labels: readonly string[]): boolean {
  const lower = labels.map((label) => label.toLowerCase());
  if (labels[0] === 'mimetype' || lower.some((label) => OFFICE_MARKS.has(label))) return true;
  return lower.includes(JAVA_MARK) && lower.some((label) => label.endsWith(JAVA_CODE));
}

export type CodePage = 'cp850' | 'windows-1252';

/** Accented letters of Portuguese. */
const SMALL = /[áàâãéêíóôõúüç]/;
const CAPITAL = /[ÁÀÂÃÉÊÍÓÔÕÚÜÇ]/;
const SIGN = /[ºª°–]/;
const SMALL_LETTER = /[a-záàâãéêíóôõúüç]/;

/** How well a name reads in Portuguese: its letters beyond ASCII that belong there, less those that do not. */
function readsWell(name: string): number {
  let score = 0;
  for (let at = 0; at < name.length; at++) {
    const letter = name.charAt(at);
    if (letter.charCodeAt(0) < ASCII_END) continue;
    // A capital behind a small letter is one that another code page has in that place: `CafÚ`.
    const isInPlace = CAPITAL.test(letter) && !SMALL_LETTER.test(name.charAt(at - 1));
    score += SMALL.test(letter) || isInPlace || SIGN.test(letter) ? 1 : -1;
  }
  return score;
}

/**
 * The code page of names that do not say they are UTF-8, judged by all of one zip together. The format asks for CP437;
 * Windows in Brazil writes CP850, which agrees with it in all accented letters that Portuguese has there and has those that
 * are missing there (ã, õ and the capitals); some programs write CP1252.
 */
export function codePageOf(names: readonly Uint8Array[]): CodePage {
  const score = (decode: (bytes: Uint8Array) => string): number =>
    names.reduce((sum, name) => sum + readsWell(decode(name)), 0);
  return score((name) => fromCodePage(name, 'windows-1252')) > score((name) => fromCodePage(name, 'cp850'))
    ? 'windows-1252'
    : 'cp850';
}

export function fromCodePage(bytes: Uint8Array, page: CodePage): string {
  if (page === 'windows-1252') return new TextDecoder(page).decode(bytes);
  return Array.from(bytes, (byte) =>
    byte < ASCII_END ? String.fromCharCode(byte) : CP850.charAt(byte - ASCII_END),
  ).join('');
}
