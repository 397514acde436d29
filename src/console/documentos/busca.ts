/** What somebody typed into the search box, as the indexes know it: names, CNPJs, numbers and keys by their beginning. */

import type { Db } from '../../banco/tabelas.ts';
import { palavrasDe } from '../../documentos/store/palavras.ts';
import { findPorInicio, findPorPalavra, withAlso } from '../../documentos/store/queries-empresas.ts';
import type { Candidatos } from './queries-janela.ts';
import { findIdsPorTrechoDaChave, type LinhaDaLista } from './queries-lista.ts';

/** More companies than this begin with what was typed only while it is a letter or two. */
const EMPRESAS_MAX = 1_000;
/** A statement names so many at most. */
const EMPRESAS_NA_CONSULTA = 400;
const DIGITS_OF_A_NUMBER = 9;
/** Fewer letters are a name. */
const LETRAS_DE_UM_CNPJ = 4;
/** Shorter parts of a key would be found in every second one. */
const TRECHO_MIN = 6;
const TRECHO_ACHADOS = 500;

export interface Busca {
  candidatos: Candidatos;
  /** So many companies match that only some of them are looked for. */
  ampla: boolean;
}

/** Separators that people copy along with numbers: of CNPJ, keys in groups of four, thousands. */
const MASK = /[\s.\-/]+/g;
const NUMERIC = /^(?:[0-9]|[0-9A-Z](?=.*[0-9]))[0-9A-Z]*$/i;

/** A key of 44 characters, with what may stand around it: `NFe` of an Id, the end of a file's name. */
const CHAVE_DENTRO = /(?<![0-9])[0-9]{6}[0-9A-Z]{12}[0-9]{26}(?![0-9])/;
/** A document as lists name it: kind, number, and perhaps its series. */
const NOME_DE_DOCUMENTO =
  /^\s*(?:NF-?e|NFC-?e|CT-?e(?:\s+OS)?|GTV-?e|CF-?e(?:\s+SAT)?|NFS-?e|nota|n[º°o.]{1,2})\s+(?:n[º°o.]{1,2}\s*)?([0-9.]+)(?:\s*[·,-]?\s*s[ée]rie\s+[0-9]+)?\s*$/i;

/** An amount: with its centavos, so that nobody looks for a number and finds sums. */
const VALOR = /^(?:R\$\s*)?(\d{1,3}(?:\.\d{3}){1,4}|\d{1,13}),(\d{2})$/;

function centavosDe(texto: string): number | null {
  const [, reais, centavos] = VALOR.exec(texto.trim()) ?? [];
  return reais === undefined ? null : Number(reais.replaceAll('.', '') + centavos);
}

/** What was meant by what was pasted: a key, a number, or the text as it is. */
function procurado(texto: string): string {
  const chave = CHAVE_DENTRO.exec(texto.replaceAll(MASK, '').toUpperCase());
  return chave?.[0] ?? NOME_DE_DOCUMENTO.exec(texto)?.[1] ?? texto;
}

/**
 * Reads what was typed.
 * @returns null when nothing of it can be looked for (punctuation alone)
 */
export async function readBusca(db: Db, input: { contadorId: number; texto: string }): Promise<Busca | null> {
  const centavos = centavosDe(input.texto);
  if (centavos !== null) return { ampla: false, candidatos: { centavos } };
  const texto = procurado(input.texto);
  const compact = texto.replaceAll(MASK, '').toUpperCase();
  const words = palavrasDe(texto);
  if (words.length === 0) return null;
  const numeric = /^[0-9]+$/.test(compact) || (NUMERIC.test(compact) && /[0-9]{2}/.test(compact));
  const porNome = /^[0-9]+$/.test(compact)
    ? []
    : await empresasPorPalavras(db, { contadorId: input.contadorId, words });
  // A CNPJ may begin with letters, and is typed with or without its mask.
  const porNumero =
    numeric || compact.length >= LETRAS_DE_UM_CNPJ
      ? await empresasPorInicio(db, { contadorId: input.contadorId, prefixo: compact })
      : [];
  const cpfCnpjs = [...new Set([...porNome, ...porNumero])];
  return {
    ampla: cpfCnpjs.length > EMPRESAS_NA_CONSULTA,
    candidatos: {
      cpfCnpjs: cpfCnpjs.slice(0, EMPRESAS_NA_CONSULTA),
      ...(numeric
        ? await porNumeros(db, { contadorId: input.contadorId, compact, achou: cpfCnpjs.length > 0 })
        : {}),
    },
  };
}

async function empresasPorPalavras(
  db: Db,
  input: { contadorId: number; words: readonly string[] },
): Promise<string[]> {
  // The longest word is the rarest one.
  const [first = '', ...others] = input.words.toSorted((a, b) => b.length - a.length);
  const { contadorId } = input;
  let found = await findPorPalavra(db, { contadorId, prefixo: first, limite: EMPRESAS_MAX });
  for (const prefixo of others) {
    if (found.length === 0) return [];
    found = await withAlso(db, { contadorId, cpfCnpjs: found, prefixo });
  }
  return found;
}

async function empresasPorInicio(db: Db, input: { contadorId: number; prefixo: string }): Promise<string[]> {
  if (input.prefixo.length > 14) return [];
  return findPorInicio(db, { ...input, limite: EMPRESAS_MAX });
}

async function porNumeros(
  db: Db,
  { contadorId, compact, achou }: { contadorId: number; compact: string; achou: boolean },
): Promise<Candidatos> {
  const key = compact.length >= TRECHO_MIN ? { chaves: compact } : {};
  const isNumber = /^[0-9]+$/.test(compact) && compact.length <= 15;
  const numeros = isNumber ? { numeros: rangesOf(compact), inutilizado: Number(compact) } : {};
  // A part from the middle of a key is looked for only where nothing begins so: it reads all keys of the office.
  const middle =
    !achou && compact.length > DIGITS_OF_A_NUMBER && compact.length < 44
      ? {
          documentoIds: await findIdsPorTrechoDaChave(db, {
            contadorId,
            trecho: compact,
            limite: TRECHO_ACHADOS,
          }),
        }
      : {};
  return { ...key, ...numeros, ...middle };
}

/** Numbers that begin with these digits: 12 → 12, 120–129, 1200–1299 … up to nine digits. */
function rangesOf(digits: string): { de: number; ate: number }[] {
  const start = Number(digits);
  const ranges = [{ de: start, ate: start }];
  if (start === 0 || digits.startsWith('0')) return ranges;
  for (let length = digits.length + 1, factor = 10; length <= DIGITS_OF_A_NUMBER; length++, factor *= 10) {
    ranges.push({ de: start * factor, ate: (start + 1) * factor - 1 });
  }
  return ranges;
}

/** The same question asked of a row alone: names, CPF/CNPJs, number and key that stand in it. */
export function batePorTexto(digitado: string): (linha: LinhaDaLista) => boolean {
  const texto = procurado(digitado);
  const words = palavrasDe(texto);
  const compact = texto.replaceAll(MASK, '').toUpperCase();
  return (linha) => {
    const codes = [linha.emitente, linha.destinatario, linha.numero, linha.chave];
    if (compact !== '' && codes.some((code) => code?.startsWith(compact))) return true;
    return [linha.emitente_nome, linha.destinatario_nome].some((nome) => {
      const its = nome ? palavrasDe(nome) : [];
      return words.length > 0 && words.every((word) => its.some((one) => one.startsWith(word)));
    });
  };
}
