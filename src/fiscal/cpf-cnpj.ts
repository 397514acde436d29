import type { CpfCnpj } from './tipos.ts';

const CPF_LENGTH = 11;
const CNPJ_LENGTH = 14;
const MASK_CHARACTERS = /[./\-\s]/g;
const CNPJ_SHAPE = /^[0-9A-Z]{12}[0-9]{2}$/;
const DIGITS_ONLY = /^[0-9]+$/;
const CPF_SHAPE = /^[0-9]{11}$/;

/** Modulo 11 of weighted characters, value of a character = ASCII − 48; remainder below 2 gives 0. */
function checkDigit(text: string, weights: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += (text.charCodeAt(i) - 48) * (weights[i] ?? 0);
  const remainder = sum % 11;
  return remainder < 2 ? 0 : 11 - remainder;
}

const CNPJ_WEIGHTS_1 = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
const CNPJ_WEIGHTS_2 = [6, ...CNPJ_WEIGHTS_1];
const CPF_WEIGHTS_1 = [10, 9, 8, 7, 6, 5, 4, 3, 2];
const CPF_WEIGHTS_2 = [11, ...CPF_WEIGHTS_1];

/**
 * Computes the two check digits of the first 12 characters of a CNPJ, numeric or alphanumeric.
 * @fonte IN RFB 2.229/2024 (value of a character is ASCII − 48)
 */
export function cnpjCheckDigits(base: string): string {
  const first = checkDigit(base, CNPJ_WEIGHTS_1);
  return `${first}${checkDigit(base + first, CNPJ_WEIGHTS_2)}`;
}

/** Computes the two check digits of the first 9 digits of a CPF. */
export function cpfCheckDigits(base: string): string {
  const first = checkDigit(base, CPF_WEIGHTS_1);
  return `${first}${checkDigit(base + first, CPF_WEIGHTS_2)}`;
}

/** Whether 14 characters are a CNPJ with valid check digits; all zeros are not. */
export function isCnpj(text: string): boolean {
  return (
    CNPJ_SHAPE.test(text) &&
    text !== '00000000000000' &&
    cnpjCheckDigits(text.slice(0, 12)) === text.slice(12)
  );
}

/** Whether 11 digits are a CPF with valid check digits; ten repeated-digit ones satisfy the sum and are not. */
export function isCpf(text: string): boolean {
  return (
    CPF_SHAPE.test(text) && !/^(.)\1{10}$/.test(text) && cpfCheckDigits(text.slice(0, 9)) === text.slice(9)
  );
}

/**
 * Reads a CPF or CNPJ as people and old clients write it: with mask, in any case, or as an integer that lost its
 * leading zeros (the int64 revision of the specification). Where a short number is valid as both, 12 to 14
 * digits mean CNPJ and fewer mean CPF.
 *
 * @returns null when it is neither, check digits included.
 * @fonte docs/regras.md, order of checks, CPF and CNPJ
 */
export function parseCpfCnpj(text: string): CpfCnpj | null {
  const bare = text.replace(MASK_CHARACTERS, '').toUpperCase();
  if (bare.length === CNPJ_LENGTH) return isCnpj(bare) ? (bare as CpfCnpj) : null;
  if (!/^[0-9]{1,13}$/.test(bare)) return null;
  if (bare.length <= CPF_LENGTH) {
    const cpf = bare.padStart(CPF_LENGTH, '0');
    if (isCpf(cpf)) return cpf as CpfCnpj;
  }
  const cnpj = bare.padStart(CNPJ_LENGTH, '0');
  return isCnpj(cnpj) ? (cnpj as CpfCnpj) : null;
}

/**
 * Every reading that a path value may have, the preferred one first: `191` is both a CPF and a CNPJ, and the one
 * that is registered as a client is meant.
 */
export function cpfCnpjReadings(text: string): CpfCnpj[] {
  const preferred = parseCpfCnpj(text);
  if (!preferred) return [];
  const bare = text.replace(MASK_CHARACTERS, '').toUpperCase();
  const asCnpj = bare.padStart(CNPJ_LENGTH, '0');
  return preferred.length === CPF_LENGTH && bare.length <= CPF_LENGTH && isCnpj(asCnpj)
    ? [preferred, asCnpj as CpfCnpj]
    : [preferred];
}

/**
 * Takes the CPF or CNPJ of a party as it stands in a document. Check digits are not judged there;
 * empty and all-zero ids are no party.
 */
export function partyId(text: string | null): CpfCnpj | null {
  if (text === null) return null;
  const bare = DIGITS_ONLY.test(text) ? text : text.trim().toUpperCase();
  if (!CPF_SHAPE.test(bare) && !CNPJ_SHAPE.test(bare)) return null;
  return /^0+$/.test(bare) ? null : (bare as CpfCnpj);
}

/** Formats for people: `12.ABC.345/01DE-35`, `111.444.777-35`. */
export function formatCpfCnpj(id: string): string {
  return id.length === CPF_LENGTH
    ? id.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')
    : id.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');
}

/** Branches sign with the certificate of any of them: the first eight positions of a CNPJ are the company's. */
export function mesmaRaiz(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  return a.length === CNPJ_LENGTH ? a.slice(0, 8) === b.slice(0, 8) : a === b;
}
