/** Writers of XML text that is canonical (C14N 1.0) as it is written, so that it can be hashed as it stands. */

export const NS_NFE = 'http://www.portalfiscal.inf.br/nfe';
export const DECLARACAO = '<?xml version="1.0" encoding="UTF-8"?>';

/** Escapes element text as C14N writes it. Attribute values of the generator need no escape. */
export function escapeText(text: string): string {
  return /[&<>]/.test(text) ? text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;') : text;
}

/** `<nome>text</nome>`, escaped; nothing at all for null. */
export function leaf(nome: string, text: string | number | null): string {
  return text === null ? '' : `<${nome}>${escapeText(String(text))}</${nome}>`;
}

/** `<nome>` around parts that are XML already. */
export function branch(nome: string, ...parts: string[]): string {
  return `<${nome}>${parts.join('')}</${nome}>`;
}

/** CNPJ or CPF of somebody, by its length. */
export function idLeaf(id: string, suffix = ''): string {
  return leaf(`${id.length === 14 ? 'CNPJ' : 'CPF'}${suffix}`, id);
}

/** Cents as `123.45`. */
export function money(cents: number): string {
  const whole = Math.trunc(cents / 100);
  const rest = cents % 100;
  return `${whole}.${rest < 10 ? '0' : ''}${rest}`;
}

/** `<nome>123.45</nome>`. */
export function moneyLeaf(nome: string, cents: number): string {
  return `<${nome}>${money(cents)}</${nome}>`;
}

/** `cents × percent`, rounded to cents. */
export function percentOf(cents: number, percent: number): number {
  return Math.round((cents * Math.round(percent * 100)) / 10_000);
}
