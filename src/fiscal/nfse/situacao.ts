/**
 * The one place that decides what the signs of cancelling in a note mean. A sign says that the note was cancelled, that it
 * was not, or nothing that is clear; signs that contradict each other are told to people, whichever of them counts.
 */
import type { Cancelamento } from './montar.ts';

/** What one field or group says. */
export interface Sinal {
  /** Name of the field, as it stands in the document. */
  nome: string;
  texto: string;
  diz: 'cancelada' | 'substituida' | 'normal' | 'incerto';
  /** How sure it is: a text of a reason may be left over from a request, all else was written by the city. */
  forca: 'situacao' | 'data' | 'motivo' | 'grupo';
  quando: string | null;
  /** Number of the note that took its place. */
  substituta?: string;
  /** What people are to be told where the note counts as cancelled by it. */
  ressalva?: string;
}

const ACCENTS = /[\u0300-\u036f]/g;

function bare(text: string): string {
  return text.normalize('NFD').replace(ACCENTS, '').trim().toLowerCase();
}

const CANCELADA = /\b(?:cancelad[ao]|anulad[ao])\b/;
const SUBSTITUIDA = /\bsubstituid[ao]\b/;
const NEGADA = /\b(?:nao|sem)\b/;
const NORMAIS = new Set(
  'n normal a at ativa ativo e em emitida emitido autorizada valida gerada regular paga quitada nao'.split(
    ' ',
  ),
);
const CANCELADAS = new Set(['c', 'ca', 'canc', 'cancelamento']);

/** A code without the zeros that some write before it. */
function sameCode(code: string, text: string): boolean {
  const [one, other] = [bare(code), bare(text)];
  return one === other || (/^\d+$/.test(other) && /^\d+$/.test(one) && Number(one) === Number(other));
}

/** What a layout says of the texts of its situation. */
interface Codigos {
  cancelada?: readonly string[];
  substituida?: readonly string[];
  normal?: readonly string[];
  /** Nobody knows its codes but who described it: one that is not told is not guessed. */
  soCodigos?: boolean;
}

/** So short a text is a code, not a word. */
const CODIGO = /^.{1,2}$/;

/** What a situation says: by the codes of its layout, else by words. */
export function lerSituacao(texto: string, codigos: Codigos): Sinal['diz'] {
  const is = (codes: readonly string[] = []): boolean => codes.some((code) => sameCode(code, texto));
  if (is(codigos.cancelada)) return 'cancelada';
  if (is(codigos.substituida)) return 'substituida';
  if (is(codigos.normal)) return 'normal';
  const word = bare(texto);
  if (codigos.soCodigos && CODIGO.test(word)) return 'incerto';
  if (NORMAIS.has(word)) return 'normal';
  if (NEGADA.test(word)) return CANCELADA.test(word) ? 'normal' : 'incerto';
  if (SUBSTITUIDA.test(word)) return 'substituida';
  return CANCELADAS.has(word) || CANCELADA.test(word) ? 'cancelada' : 'incerto';
}

const DE_CANCELAR = /cancel|anul|substitu|invalid|estorn|exclu|bloque|suspens|inutiliz/;

/** Whether a situation that is not known by its codes or words may speak of a note that counts no more. */
export function falaDeCancelar(texto: string): boolean {
  return DE_CANCELAR.test(bare(texto));
}

/** What a field of yes or no says; null where it is neither. */
export function readSimNao(texto: string): boolean | null {
  if (/^(?:s|sim|true|1|y|yes|verdadeiro)$/i.test(texto.trim())) return true;
  return /^(?:n|nao|não|false|0|no|falso)$/i.test(texto.trim()) ? false : null;
}

/** Electronic notes came with this year or later; dates before it stand for none, and so do those that programs end with. */
const PRIMEIRO_ANO = 1990;
const ULTIMO_ANO = 2100;

/**
 * What a field for a date says: that there is one, none (empty, zeros, the year 1, 1899, 1900 or 9999, which programs put
 * where there is none), or nothing that can be read.
 */
export function readPresencaDeData(texto: string): 'data' | 'nenhuma' | 'ilegivel' {
  if (semNada(texto)) return 'nenhuma';
  const digits = texto.replace(/\D/g, '');
  const years = (
    /^\d{8}(?:\d{4}|\d{6})?$/.test(texto) ? [digits.slice(0, 4), digits.slice(4, 8)] : []
  ).concat(texto.match(/(?<!\d)\d{4}(?!\d)/g) ?? []);
  if (years.some((year) => Number(year) >= PRIMEIRO_ANO && Number(year) < ULTIMO_ANO)) return 'data';
  if (years.length > 0) return 'nenhuma';
  const short = SEM_SECULO.exec(texto)?.[1];
  if (short === undefined) return 'ilegivel';
  return SECULO_DE_NINGUEM.test(short) ? 'nenhuma' : 'data';
}

const SEM_SECULO = /^\d{1,2}[/.-]\d{1,2}[/.-](\d{2})\b/;
/** The years 0, 1, 1899, 1900 and 9999 without their centuries; no note of a city is from 2000 or 2001. */
const SECULO_DE_NINGUEM = /^(?:0[01]|99)$/;
const SEM_NADA = /^(?:null|nil|nenhuma?|vazio|nao|n\/a|-*)$/;

/** Whether a text says nothing: empty, a dash, zeros, `null`. */
export function semNada(texto: string): boolean {
  return /^[\s0.\-/:_*]*$/.test(texto) || SEM_NADA.test(bare(texto));
}

function told({ nome, texto }: Sinal): string {
  return `${nome.slice(0, 40)} "${texto.slice(0, 40)}"`;
}

const CONFIRA = 'Confira no site da prefeitura.';

function motivoDe(sinal: Sinal): string {
  if (sinal.diz !== 'substituida') return 'NFS-e cancelada pela prefeitura';
  return sinal.substituta
    ? `NFS-e substituída pela de número ${sinal.substituta.slice(0, 20)}`
    : 'NFS-e substituída por outra';
}

/**
 * Decides whether the note was cancelled. A reason alone does not outweigh a situation that says the contrary; a date, a
 * confirmed request or another situation does, for a situation may be from before the cancellation. Either is told.
 *
 * @returns the cancellation, if there is one, and what people are to be told of signs that are not clear
 */
export function decideSituacao(sinais: readonly Sinal[]): {
  cancelamento: Cancelamento | null;
  avisos: string[];
} {
  const contra = sinais.find(({ diz }) => diz === 'normal');
  const pro = sinais.filter(({ diz }) => diz === 'cancelada' || diz === 'substituida');
  const strong = pro.filter(({ forca }) => forca !== 'motivo');
  const [first] = pro;
  if (!first) return { cancelamento: null, avisos: sinais.flatMap(avisoDoIncerto) };
  if (contra && strong.length === 0) {
    const aviso = `A NFS-e traz ${told(first)}, mas ${told(contra)}: foi lida como válida. ${CONFIRA}`;
    return { cancelamento: null, avisos: [aviso] };
  }
  const quando = pro.find((sinal) => sinal.quando !== null)?.quando ?? null;
  const replaced = pro.find(({ diz }) => diz === 'substituida');
  const avisos = contra
    ? [`A NFS-e traz ${told(strong[0] ?? first)}, mas ${told(contra)}: foi lida como cancelada. ${CONFIRA}`]
    : pro.every(({ ressalva }) => ressalva !== undefined)
      ? [`${first.ressalva} ${CONFIRA}`]
      : [];
  return { cancelamento: { quando, motivo: motivoDe(replaced ?? first) }, avisos };
}

function avisoDoIncerto(sinal: Sinal): string[] {
  if (sinal.diz !== 'incerto') return [];
  return [`Não está claro o que diz ${told(sinal)}: a NFS-e foi lida como válida. ${CONFIRA}`];
}
