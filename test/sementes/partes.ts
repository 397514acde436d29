/** Invented companies and keys that the documents of these tests are made of. */
import { chaveCheckDigit } from '../../src/fiscal/chave.ts';
import { type Empresa, generateEmpresa } from '../../src/gerador/empresas.ts';

export const EMITENTE = generateEmpresa('sementes/emitente', { perfil: 'distribuidora', uf: 'SP' });
export const TOMADOR = generateEmpresa('sementes/tomador', { perfil: 'comercio', uf: 'SP' });
export const TERCEIRO = generateEmpresa('sementes/terceiro', { perfil: 'comercio', uf: 'PR' });
export const TRANSPORTADORA = generateEmpresa('sementes/transportadora', {
  perfil: 'transportadora',
  uf: 'SP',
});

/** What varies from one document of a family to the next. */
export interface Variacao {
  numero: number;
  /** Another content under the same key. */
  conteudo?: 'a' | 'b';
  emitente?: Empresa;
  tomador?: Empresa;
  /** cStat of the protocol; null: none. Families without protocol ignore it. */
  cStat?: string | null;
  /** The city's copy after it cancelled the note (municipal NFS-e only). */
  cancelada?: boolean;
}

export const DIA = '2026-03-10';
export const HORA = `${DIA}T10:00:00-03:00`;

/** Amounts differ by content, so that signed contents do. */
export function valorDe({ numero, conteudo = 'a' }: Variacao): string {
  return `${100 + numero}.${conteudo === 'a' ? '10' : '20'}`;
}

function withDigit(body: string): string {
  return body + chaveCheckDigit(body);
}

/** Key of a DF-e of March 2026, series 1. */
export function chaveDfe(emitente: Empresa, modelo: string, numero: number): string {
  return withDigit(
    `352603${emitente.id.padStart(14, '0')}${modelo}001${String(numero).padStart(9, '0')}112345678`,
  );
}

/** Key of a coupon of SAT 900000001. */
export function chaveCfe(emitente: Empresa, numero: number): string {
  return withDigit(`352603${emitente.id}59900000001${String(numero).padStart(6, '0')}123456`);
}

/** National key of an NFS-e of São Paulo, or of another city. */
export function chaveNfse(emitente: Empresa, numero: number, municipio = '3550308'): string {
  return withDigit(`${municipio}22${emitente.id}${String(numero).padStart(13, '0')}2603123456789`);
}
