/**
 * Tar archives: ustar, the older form without a magic, long names of GNU and of pax. Our own reading: the small packages
 * for it believe a size that is negative and go round for ever, the well-known one brings a file system of another runtime.
 * @fonte POSIX.1-2017 pax, "ustar Interchange Format"; GNU tar manual, "Basic Tar Format"
 */
import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { linkSimbolico, recipienteDanificado } from '../unpack-faults.ts';
import { codePageOf, fromCodePage } from '../unpack-names.ts';
import type { Bolsa, Parte } from './tipos.ts';

const BLOCK = 512;
const CHECKSUM = { at: 148, length: 8 } as const;
const SPACE = 0x20;
/** Blocks between two turns of the event loop. */
const ENTRIES_A_TURN = 500;
/** A longer name is cut: it is a label only. */
const NAME_MAX = 4_096;

/** Kinds of entries by their letter. */
const FILES: ReadonlySet<string> = new Set(['0', '\0', '7']);
const LINKS: ReadonlySet<string> = new Set(['1', '2', '3', '4', '6']);
/** Files with holes, and parts of files that go on in another volume: their bytes are not all there. @fonte GNU tar manual */
const IN_PART: ReadonlySet<string> = new Set(['S', 'M']);
const GNU_LONG_NAME = 'L';
const PAX = 'x';

/** Whether the content begins with the header of an entry: its sum is right. */
export function looksLikeTar(bytes: Buffer): boolean {
  return bytes.length >= BLOCK && hasChecksum(bytes.subarray(0, BLOCK));
}

function hasChecksum(header: Buffer): boolean {
  const told = octal(header.subarray(CHECKSUM.at, CHECKSUM.at + CHECKSUM.length));
  if (told === null) return false;
  let sum = 0;
  for (let at = 0; at < BLOCK; at++) {
    const inSum = at >= CHECKSUM.at && at < CHECKSUM.at + CHECKSUM.length;
    sum += inSum ? SPACE : (header[at] as number);
  }
  return sum === told;
}

function octal(field: Buffer): number | null {
  const text = field
    .toString('latin1')
    .replace(/[\0 ]+$/, '')
    .trimStart();
  return /^[0-7]{1,12}$/.test(text) ? Number.parseInt(text, 8) : null;
}

/** Sizes from 8 GB on stand there as a binary number: none of them is in an upload. */
function sizeOf(header: Buffer): number | null {
  return octal(header.subarray(124, 136));
}

/** The files in it, in their order. */
export async function* lerTar(tar: Buffer, bolsa: Bolsa): AsyncGenerator<Parte> {
  let longName: string | null = null;
  let count = 0;
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const header = tar.subarray(at, at + BLOCK);
    // Two blocks of zeros end it; some writers leave one.
    if (header.every((byte) => byte === 0)) return;
    const size = hasChecksum(header) ? sizeOf(header) : null;
    const start = at + BLOCK;
    if (size === null || start + size > tar.length) {
      yield { nome: '', resultado: 'rejeitado', falha: recipienteDanificado('tar') };
      return;
    }
    const content = tar.subarray(start, start + size);
    const kind = String.fromCharCode(header[156] as number);
    if (kind === GNU_LONG_NAME) longName = textOf(untilNul(content.subarray(0, NAME_MAX)));
    else if (kind === PAX) longName = paxPath(content) ?? longName;
    else {
      bolsa.takeEntries(1);
      const nome = longName ?? nameIn(header);
      longName = null;
      if (FILES.has(kind)) yield { nome, bytes: content };
      else if (IN_PART.has(kind)) yield { nome, resultado: 'rejeitado', falha: recipienteDanificado('tar') };
      else if (LINKS.has(kind)) yield { nome, resultado: 'ignorado', falha: linkSimbolico() };
    }
    at = start + Math.ceil(size / BLOCK) * BLOCK;
    if (++count % ENTRIES_A_TURN === 0) await nextTurn();
  }
}

function untilNul(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

function textOf(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : fromCodePage(bytes, codePageOf([bytes]));
}

function nameIn(header: Buffer): string {
  const name = textOf(untilNul(header.subarray(0, 100)));
  const isUstar = header.toString('latin1', 257, 262) === 'ustar';
  const prefix = isUstar ? textOf(untilNul(header.subarray(345, 500))) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** The path in an extended header: lines of `length key=value`. */
function paxPath(content: Buffer): string | null {
  const found = /(?:^|\n)\d+ path=([^\n]*)\n/.exec(content.toString('utf8', 0, 4 * NAME_MAX))?.[1];
  return found?.slice(0, NAME_MAX) ?? null;
}
