import * as byteConsts from './byte-classes.ts';

const { LESS_THAN, QUESTION } = byteConsts;

/** `<?xml version="1.0" encoding="UTF-8" standalone="no"?>` and its usual variants; only the encoding's name may be in any case. */
const DECLARATION =
  /^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.0"|'1\.0')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"[uU][tT][fF]-8"|'[uU][tT][fF]-8'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>/;
const MAX_BYTES = 200;

/** The declaration that was met last: nearly all documents have the same. */
let known: Uint8Array = new Uint8Array(0);

/** Offset behind the XML declaration, where there is one; -1 when it is not mine. */
export function declarationEnd(bytes: Uint8Array): number {
  let at = 0;
  if (bytes[0] === LESS_THAN && bytes[1] === QUESTION) {
    at = isKnown(bytes) ? known.length : readDeclaration(bytes);
    if (at < 0) return -1;
  }
  return at;
}

function isKnown(bytes: Uint8Array): boolean {
  if (known.length === 0) return false;
  for (let i = 0; i < known.length; i++) if (bytes[i] !== known[i]) return false;
  return true;
}

function readDeclaration(bytes: Uint8Array): number {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAX_BYTES)).toString(
    'latin1',
  );
  const declaration = DECLARATION.exec(head)?.[0];
  if (declaration === undefined) return -1;
  // A copy: `slice` of a Buffer is none.
  known = Uint8Array.from(bytes.subarray(0, declaration.length));
  return declaration.length;
}
