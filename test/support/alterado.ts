/** Near the end: of a Base64 text the last character itself may not count whole. */
const NEAR_END = -10;

/**
 * A code, token or address with one character changed: never by chance what was handed out, as with a fixed one in its
 * place.
 * @param at its place, from the end when negative
 */
export function alterado(text: string, at = NEAR_END): string {
  return `${text.slice(0, at)}${text.at(at) === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
}
