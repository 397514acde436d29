/** Of a Base64 text the last character may not count whole. */
const AT = -10;

/**
 * A code, token or address with one character near its end changed: never by chance what was handed out, as with a fixed
 * one in its place.
 */
export function alterado(text: string): string {
  return `${text.slice(0, AT)}${text.at(AT) === 'A' ? 'B' : 'A'}${text.slice(AT + 1)}`;
}
