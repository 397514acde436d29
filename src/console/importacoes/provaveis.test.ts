import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cnpjCheckDigits } from '../../fiscal/cpf-cnpj.ts';
import { type ParteDoRetido, provaveisClientes } from './provaveis.ts';

const cnpj = (n: number) => {
  const base = `${String(n).padStart(8, '0')}0001`;
  return base + cnpjCheckDigits(base);
};
const [PADARIA, LOJA, MOINHO, ATACADO] = [cnpj(11), cnpj(22), cnpj(33), cnpj(44)];

/** A document of an issuer and a recipient; null: a buyer who is not named. */
const nota = (documentoId: number, emitente: string, destinatario: string | null): ParteDoRetido[] => [
  { documentoId, cpfCnpj: emitente, papel: 'emitente', nome: null },
  ...(destinatario === null
    ? []
    : [{ documentoId, cpfCnpj: destinatario, papel: 'destinatario' as const, nome: 'N' }]),
];
const quais = (partes: ParteDoRetido[]) => provaveisClientes(partes).map(({ cpfCnpj }) => cpfCnpj);

describe('likely clients among the companies of held documents', () => {
  it('are who issued many, and who received from many; suppliers and buyers are not', () => {
    const partes = [
      ...[1, 2, 3, 4].flatMap((n) => nota(n, PADARIA, cnpj(100 + n))),
      ...[5, 6, 7].flatMap((n) => nota(n, cnpj(200 + n), LOJA)),
      ...nota(8, MOINHO, PADARIA),
    ];
    assert.deepEqual(provaveisClientes(partes), [
      { cpfCnpj: PADARIA, nome: 'N', emitidos: 4, recebidos: 1 },
      { cpfCnpj: LOJA, nome: 'N', emitidos: 0, recebidos: 3 },
    ]);
  });

  it('are not a supplier of several clients, whose documents these explain', () => {
    const partes = [
      ...[1, 2].flatMap((n) => nota(n, ATACADO, PADARIA)),
      ...[3, 4].flatMap((n) => nota(n, ATACADO, LOJA)),
      ...[5, 6, 7, 8, 9].flatMap((n) => nota(n, PADARIA, null)),
      ...[10, 11, 12, 13, 14].flatMap((n) => nota(n, LOJA, null)),
    ];
    assert.deepEqual(quais(partes), [PADARIA, LOJA]);
  });

  it('are never a number that cannot be registered, nor who only carries', () => {
    const generico = '99999999999';
    const partes: ParteDoRetido[] = [1, 2, 3].flatMap((documentoId) => [
      { documentoId, cpfCnpj: generico, papel: 'destinatario', nome: 'CONSUMIDOR' },
      { documentoId, cpfCnpj: ATACADO, papel: 'transportador', nome: null },
    ]);
    assert.deepEqual(quais(partes), []);
  });
});
