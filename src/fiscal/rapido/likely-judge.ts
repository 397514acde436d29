/**
 * Who will judge a document, guessed from its root's start tag before anything of it is read: whoever accepted the
 * last document that began in the same way. A wrong guess costs time, and nothing else.
 */
import * as byteConsts from './byte-classes.ts';
import type { Judge } from './esquema/judge.ts';
import type { Tape } from './tape.ts';
import * as tapeConsts from './tape.ts';

const { GREATER_THAN } = byteConsts;
const { ELEMENT } = tapeConsts;

interface Guess {
  /** The start tag, as it is written. */
  tag: Uint8Array;
  judge: Judge;
}

const MAX_GUESSES = 16;
const MAX_TAG_BYTES = 400;

/** The one that was right last comes first. */
const guesses: Guess[] = [];

/** Who judges what begins at `from`, most likely; null when nobody has accepted such a beginning. */
export function likelyJudge(bytes: Uint8Array, from: number): Judge | null {
  for (const { tag, judge } of guesses) if (startsWith(bytes, from, tag)) return judge;
  return null;
}

/** A document was valid by this judge. */
export function rememberJudge({ bytes, elements }: Tape, judge: Judge): void {
  const from = elements[ELEMENT.START] as number;
  const to = elements[ELEMENT.CONTENT] as number;
  if (to - from > MAX_TAG_BYTES || bytes[to - 1] !== GREATER_THAN) return;
  const tag = Uint8Array.from(bytes.subarray(from, to));
  const known = guesses.findIndex((guess) => guess.judge === judge && startsWith(tag, 0, guess.tag));
  if (known >= 0) guesses.splice(known, 1);
  guesses.unshift({ tag, judge });
  if (guesses.length > MAX_GUESSES) guesses.pop();
}

/** A judge that is given up is not asked any more. */
export function forgetJudge(judge: Judge): void {
  for (let i = guesses.length - 1; i >= 0; i--) if (guesses[i]?.judge === judge) guesses.splice(i, 1);
}

function startsWith(bytes: Uint8Array, from: number, start: Uint8Array): boolean {
  for (let i = 0; i < start.length; i++) if (bytes[from + i] !== start[i]) return false;
  return true;
}
