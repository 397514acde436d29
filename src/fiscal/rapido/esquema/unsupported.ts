/**
 * Something in a schema that the fast tier does not know for certain. Whatever depends on it is left to libxml2: for
 * one type, one root or one document, never answered by a guess.
 */
export class Unsupported extends Error {}
