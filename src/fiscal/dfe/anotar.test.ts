import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cnpj, item, nota, processada, protocolo } from '../amostras-de-teste.ts';
import { ler, lida, only } from '../leitura-de-teste.ts';
import type { Documento } from '../tipos.ts';
import { notaTxt } from '../txt/amostras-de-teste.ts';
import { ITENS_MAX, PARTICIPANTES_MAX } from './anotar.ts';

const muitos = (quantos: number, feito: (n: number) => string) =>
  Array.from({ length: quantos }, (_, n) => feito(n)).join('');
const autXML = (n: number) => `<autXML><CNPJ>${cnpj(String(700_000_000_000 + n))}</CNPJ></autXML>`;

function documento(text: string): Documento {
  const { registro } = lida(only(ler(text)));
  assert.equal(registro.classe, 'documento');
  return registro as Documento;
}

describe('a document with more parties or items than any layout has', () => {
  it('is noted with the first of them, says so, and is kept whole', () => {
    const text = processada(
      nota({ partes: muitos(60, autXML), itens: muitos(1_200, (n) => item(n + 1, '5102', '1.00')) }) +
        protocolo(),
    );
    const piece = lida(only(ler(text)));
    const registro = piece.registro as Documento;
    assert.equal(registro.participantes.length, PARTICIPANTES_MAX);
    assert.deepEqual(
      registro.participantes.slice(0, 2).map(({ papel }) => papel),
      ['emitente', 'destinatario'],
    );
    assert.equal(registro.itens.length, ITENS_MAX);
    assert.match(
      registro.anotadoEmParte ?? '',
      /traz 62 participantes, e só os 50 primeiros.*traz 1200 itens, e só os 1000 primeiros/,
    );
    assert.deepEqual(registro.avisos.slice(-1), [registro.anotadoEmParte]);
    assert.equal(Buffer.from(piece.bytes).toString(), text);
  });

  it('is noted so in the TXT layout too', () => {
    const depois = muitos(60, (n) => `GA02|${cnpj(String(700_000_000_000 + n))}|\n`);
    const { participantes, anotadoEmParte } = documento(notaTxt({ depois }));
    assert.equal(participantes.length, PARTICIPANTES_MAX);
    assert.match(anotadoEmParte ?? '', /63 participantes/);
  });

  it('costs as many steps as it has parties', () => {
    const { participantes } = documento(processada(nota({ partes: muitos(60_000, autXML) }) + protocolo()));
    assert.equal(participantes.length, PARTICIPANTES_MAX);
  });
});

it('a document as layouts have it is noted whole, without a word', () => {
  const partes = muitos(10, autXML);
  const itens = muitos(990, (n) => item(n + 1, '5102', '1.00'));
  const registro = documento(processada(nota({ partes, itens }) + protocolo()));
  assert.deepEqual(
    [registro.participantes.length, registro.itens.length, registro.anotadoEmParte, registro.avisos],
    [12, 990, undefined, []],
  );
});
