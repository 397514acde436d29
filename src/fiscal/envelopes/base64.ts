/** What tells that a text is a document in Base64, compressed or not. */

/** `H4sI` is how gzip begins in Base64. */
const GZIP = /^H4sI/;
/** How `<` begins in Base64, with a byte order mark or without; words begin like that too, so that more is looked at. */
const XML = /^(?:77u\/)?P[A-P][0-9A-Za-z+/_-]{60}/;
const BEGINS_XML = /^(?:\u00ef\u00bb\u00bf)?\s*<(?:[?A-Za-z]|!--)/;
const LOOKED_AT = 200;
/** As browsers and some services name it before the text. */
const DATA_URI = /^\s*data:[^,;]{0,100}(?:;[^,;]{0,100})*;base64,/i;

/** Without the words before it that name its kind. */
export function semDataUri(text: string): string {
  return text.replace(DATA_URI, '');
}

/** Whether a text begins as a document does in Base64; line breaks in it are nothing. */
export function comecaComoBase64(text: string): boolean {
  const head = semDataUri(text.slice(0, 2 * LOOKED_AT))
    .replace(/\s+/g, '')
    .slice(0, LOOKED_AT);
  if (GZIP.test(head)) return true;
  const start = XML.exec(head)?.[0];
  return start !== undefined && BEGINS_XML.test(Buffer.from(start, 'base64').toString('latin1'));
}
