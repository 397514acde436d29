import { parseChave50, splitChave } from '../chave.ts';
import type { Chave } from '../tipos.ts';
import { composeChave, MUNICIPIO_DESCONHECIDO } from './chave-composta.ts';

/** Keys from one to another, both included, in the order of their characters. */
export interface FaixaDeChaves {
  de: string;
  ate: string;
}

/** Stands behind every character of a key. */
const LAST = '~';
/** CNPJ and CPF as the national key tells them apart. */
const TP_INSC = { 11: '1', 14: '2' } as const;
/** Made by the city or by the national system. */
const AMB_GER: readonly string[] = ['1', '2'];

function startingWith(prefix: string): FaixaDeChaves {
  return { de: prefix, ate: prefix + LAST };
}

/** The composed keys that the note of a national key may have with its city: bare, or with what the city numbers by. */
function compostas(chave: Chave): FaixaDeChaves[] {
  const { emitente, numero } = splitChave(chave);
  if (emitente === null) return [];
  const municipio = chave.slice(0, 7);
  const composta = composeChave({ municipio, prestador: emitente, numero, numeradaPor: null });
  return composta === null ? [] : [{ de: composta, ate: composta }, startingWith(`${composta}~`)];
}

/** The national keys that the note of a composed key may have: all but its month, random code and check digit is known. */
function nacionais(chave: Chave): FaixaDeChaves[] {
  const municipio = chave.slice(5, 12);
  const { emitente, numero } = splitChave(chave);
  const tpInsc = TP_INSC[(emitente?.length ?? 0) as keyof typeof TP_INSC];
  if (!emitente || !tpInsc || municipio === MUNICIPIO_DESCONHECIDO || !/^\d{1,13}$/.test(numero)) return [];
  const end = `${tpInsc}${emitente.padStart(14, '0')}${numero.padStart(13, '0')}`;
  return AMB_GER.map((ambGer) => startingWith(`${municipio}${ambGer}${end}`));
}

/**
 * Where the other key of an NFS-e is to be looked for: a city exports its notes in its own layout, under a key that we
 * compose, and shares them with the national system, which gives them one of 50 characters. Município, prestador and
 * number are the same in both; of cities that begin to number anew each year, the date tells the notes apart.
 *
 * @returns no range for a key of anything else
 * @fonte XSD TSIdNFSe 1.01; ABRASF tcIdentificacaoNfse
 */
export function outrasChavesDaNfse(chave: Chave): FaixaDeChaves[] {
  if (parseChave50(chave)) return compostas(chave);
  return chave.startsWith('NFSE-') ? nacionais(chave) : [];
}
