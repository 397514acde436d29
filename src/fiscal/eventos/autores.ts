/**
 * Who may write an event: one table for all kinds. An authority registers no other, but nobody signs that it did; so what
 * somebody else has written changes nothing, however well it is signed.
 */
import { mesmaRaiz } from '../cpf-cnpj.ts';
import { tabela } from '../tabela.ts';
import { type CpfCnpj, PAPEL, type Papel } from '../tipos.ts';
import { ATOR_INTERESSADO, CANCELA_EVENTO } from './tabela.ts';

/** `autoridade`: SEFAZ, a city, the national environment, whose many numbers nothing tells. `quem_declarou`: who wrote the event that it undoes. */
export type AutorDeEvento = Papel | 'autoridade' | 'quem_declarou';

const EMITENTE: readonly AutorDeEvento[] = [PAPEL.emitente];
const DESTINATARIO: readonly AutorDeEvento[] = [PAPEL.destinatario];
const TOMADOR: readonly AutorDeEvento[] = [PAPEL.tomador];
const AUTORIDADE: readonly AutorDeEvento[] = ['autoridade'];

type Autores = Readonly<Record<string, readonly AutorDeEvento[]>>;

/** By the code, or by its beginning where a whole range is of one author; the longest that fits. @fonte MOC 7.0, tabela de eventos; NT 2020.001; NT 2020.007; NT 2025.002 */
const DA_NFE: Autores = tabela({
  1: EMITENTE,
  [CANCELA_EVENTO]: ['quem_declarou'],
  [ATOR_INTERESSADO]: [PAPEL.emitente, PAPEL.destinatario, PAPEL.transportador],
  2: DESTINATARIO,
});

/** @fonte MOC CT-e 4.00, tabela de eventos: those of 24 and 31 are made by the authorities of the other document */
const DO_CTE: Autores = tabela({ 1: EMITENTE, 610110: TOMADOR, 610111: TOMADOR });

/** Kinds of which the common parts are read, and CF-e SAT, whose cancellation is the issuer's. */
const DOS_OUTROS: Autores = tabela({ 1: EMITENTE, CFeCanc: EMITENTE });

/** Any of three may have issued the note that 101 is about. @fonte XSD tiposEventos 1.01: the first three digits name the author */
const DA_NFSE: Autores = tabela({
  101: [PAPEL.prestador, PAPEL.tomador, PAPEL.intermediario],
  202: [PAPEL.prestador],
  203: TOMADOR,
  204: [PAPEL.intermediario],
});

const POR_MODELO: Readonly<Record<string, Autores>> = tabela({
  55: DA_NFE,
  65: DA_NFE,
  57: DO_CTE,
  64: DO_CTE,
  67: DO_CTE,
  NFSe: DA_NFSE,
});

/** @param modelo of the document that the event is about */
export function autoresDe(modelo: string, codigo: string): readonly AutorDeEvento[] {
  const autores = POR_MODELO[modelo] ?? DOS_OUTROS;
  return autores[codigo] ?? autores[codigo.slice(0, 3)] ?? autores[codigo.slice(0, 1)] ?? AUTORIDADE;
}

/** Whether only the issuer writes it, whom the key of the document names. */
export function ehSoDoEmitente(modelo: string, codigo: string): boolean {
  return autoresDe(modelo, codigo).every((autor) => autor === PAPEL.emitente);
}

/** What a document says of who may write its events: each null where it says nothing of it, or that is not known. */
export type PartesDoDocumento = Partial<Readonly<Record<Papel, readonly CpfCnpj[] | null>>>;

/**
 * Whether an event was written by somebody who may not, as far as its document tells: any branch of a company may.
 * @param evento.conferido the authority that took it has signed it, and looked at that: the national environment of NFS-e does
 */
export function ehDeOutro(
  evento: { modelo: string; codigo: string; autor: string | null; conferido: boolean },
  partes: PartesDoDocumento,
): boolean {
  const { modelo, codigo, autor, conferido } = evento;
  // Who writes what only the issuer may is told by the key, before there is a document (`prova.ts`).
  if (autor === null || conferido || ehSoDoEmitente(modelo, codigo)) return false;
  const podem: CpfCnpj[] = [];
  for (const quem of autoresDe(modelo, codigo)) {
    if (quem === 'autoridade' || quem === 'quem_declarou') return false;
    const dito = partes[quem];
    if (!dito) return false;
    podem.push(...dito);
  }
  return !podem.some((um) => mesmaRaiz(um, autor));
}
