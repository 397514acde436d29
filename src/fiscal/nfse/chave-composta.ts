import { hash } from 'node:crypto';
import { parseChave, withoutLeadingZeros } from '../chave.ts';
import type { Chave, CpfCnpj } from '../tipos.ts';

/** Stands for the city in the key of a note that does not name the one that issued it. @fonte ABRASF tcIdentificacaoNfse */
export const MUNICIPIO_DESCONHECIDO = '0000000';

const NUMERO = /^\d[0-9A-Za-z./-]{0,19}$/;

/** Number of a note without leading zeros, as the city gives it; null when it is none, or only zeros. */
export function readNumeroNfse(text: string | null): string | null {
  const number = text?.trim() ?? '';
  return NUMERO.test(number) && !/^[0./-]+$/.test(number) ? withoutLeadingZeros(number) : null;
}

function printable(text: string): string {
  return text.toUpperCase().replace(/[^0-9A-Z]/g, '.');
}

/** What a city numbers by has up to so many characters in a key; all that was seen has fewer. */
const SERIE_MAX = 10;
const SERIE_HEAD = 4;
const SERIE_DIGEST = 10;

/** A longer one is told by its beginning and its digest: two that begin alike are not one. */
function serieNaChave(numeradaPor: string): string {
  if (numeradaPor.length <= SERIE_MAX) return printable(numeradaPor);
  const digest = hash('sha1', numeradaPor, 'hex').slice(0, SERIE_DIGEST);
  return printable(`${numeradaPor.slice(0, SERIE_HEAD)}.${digest}`);
}

/**
 * Composes the key of a municipal note, which has none: `NFSE-{município}-{CPF/CNPJ do prestador}-{número}`, with
 * `~` and what else the city numbers by: a series, or (São Paulo) the inscription of the prestador, of which one CNPJ may
 * have several. It is the identity that the cities' own cancellation messages use, so that a cancellation finds its note,
 * and a copy with another verification code is a conflict and not a second note: the code is therefore no part of it.
 *
 * @param input.municipio 7 digits; {@link MUNICIPIO_DESCONHECIDO} when it is not known
 * @param input.numero as {@link readNumeroNfse} gives it
 * @returns null when the parts do not make a key
 * @fonte ABRASF tcIdentificacaoNfse; docs/regras.md, the feed
 */
export function composeChave(input: {
  municipio: string;
  prestador: CpfCnpj;
  numero: string;
  numeradaPor: string | null;
}): Chave | null {
  const numeradaPor = serieNaChave(input.numeradaPor ?? '');
  const body = `NFSE-${input.municipio}-${input.prestador}-${printable(input.numero)}`;
  return parseChave(numeradaPor === '' ? body : `${body}~${numeradaPor}`);
}
