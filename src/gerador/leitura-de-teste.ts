import assert from 'node:assert/strict';
import { ler, lida, only } from '../fiscal/leitura-de-teste.ts';
import type { Documento, Evento, VeredictoAssinatura } from '../fiscal/tipos.ts';
import { verifySignatures } from './oraculo-de-teste.ts';

/** For tests only: what the product's reader makes of a generated file, and what the oracle says of its signatures. */

/** The one document in the text. */
export function documentoDe(xml: string): Documento {
  const { registro } = lida(only(ler(xml)));
  assert.equal(registro.classe, 'documento');
  return registro as Documento;
}

/** The one event in the text. */
export function eventoDe(xml: string): Evento {
  const { registro } = lida(only(ler(xml)));
  assert.equal(registro.classe, 'evento');
  return registro as Evento;
}

/** `papel CPF/CNPJ` of every party, sorted. */
export function partesDe(documento: Documento): string[] {
  return documento.participantes.map(({ papel, cpfCnpj }) => `${papel} ${cpfCnpj}`).sort();
}

export function assinaturaDe(xml: string): VeredictoAssinatura['resultado'] {
  return lida(only(ler(xml))).assinatura.resultado;
}

/**
 * Both the oracle and the reader find the signatures whole.
 *
 * @returns `elemento algoritmo` of every signature, in document order
 */
export function assertAssinado(xml: string): string[] {
  assert.equal(assinaturaDe(xml), 'integra');
  return verifySignatures(xml).map(({ elemento, algoritmo, digest, assinatura }) => {
    assert.deepEqual({ elemento, digest, assinatura }, { elemento, digest: true, assinatura: true });
    return `${elemento} ${algoritmo}`;
  });
}

/** Cents of a decimal text. */
export const cents = (text: string | undefined): number => Math.round(Number(text ?? 'NaN') * 100);
