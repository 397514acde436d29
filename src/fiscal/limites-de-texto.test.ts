import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { todasAsSementes } from '../../test/sementes/todas.ts';
import { chaveDe, nota, procEvento, processada, protocolo } from './amostras-de-teste.ts';
import { lerConteudo } from './ler.ts';
import { AVISOS_MAX, cutTexto, limitTextos, TEXTO_MAX } from './limites-de-texto.ts';
import { composeChave } from './nfse/chave-composta.ts';
import type { CpfCnpj, Documento, Evento, Peca } from './tipos.ts';

const SEM_ESQUEMA = {
  validar: () => ({ resultado: 'nao_verificado' as const, esquema: null, motivo: null }),
};
const ler = (xml: string, nome = 'a.xml') =>
  lerConteudo({ bytes: Buffer.from(xml), nome }, { validador: SEM_ESQUEMA });

function lida(pieces: readonly Peca[]): Extract<Peca, { resultado: 'lida' }> {
  const [piece] = pieces;
  assert.ok(piece?.resultado === 'lida', JSON.stringify(piece));
  return piece;
}
const documento = (xml: string) => lida(ler(xml)).registro as Documento;
const evento = (xml: string) => lida(ler(xml)).registro as Evento;

/** The longest text anywhere in a value, and where. */
function longest(value: unknown, path = ''): { length: number; path: string } {
  if (typeof value === 'string') return { length: value.length, path };
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return { length: 0, path };
  return Object.entries(value)
    .map(([key, inner]) => longest(inner, `${path}/${key}`))
    .reduce((a, b) => (b.length > a.length ? b : a), { length: 0, path });
}

const LONGEST = Math.max(...Object.values(TEXTO_MAX));
const LONG = 'x'.repeat(3_000);
const NAME = 'n'.repeat(900);

/** The same document with one text, one value of an attribute, or one name made long, each in turn. */
function* variants(xml: string): Generator<string> {
  for (const { index, 0: whole } of xml.matchAll(/>[^<]+<\/|="[^"]*"/g)) {
    const end = index + whole.length - (whole.startsWith('>') ? 2 : 1);
    yield xml.slice(0, end) + LONG + xml.slice(end);
    yield xml.slice(0, end) + LONG.replaceAll('x', '1') + xml.slice(end);
  }
  for (const name of new Set([...xml.matchAll(/<([A-Za-z]\w*)/g)].map(([, name = '']) => name)))
    yield xml.replaceAll(new RegExp(`(</?)${name}\\b`, 'g'), `$1${name}${NAME}`);
}

describe('texts of what was read', () => {
  for (const { familia, nome, bytes } of todasAsSementes()) {
    it(`have a length, whatever the document is: ${familia}, ${nome}`, () => {
      for (const xml of variants(bytes.toString())) {
        for (const piece of ler(xml, nome)) {
          const { length, path } = longest(piece);
          assert.ok(
            length <= LONGEST,
            `${path} has ${length} characters: ${JSON.stringify(piece).slice(0, 300)}`,
          );
        }
      }
    });
  }

  it('are cut where people see it', () => {
    assert.equal(cutTexto('abc', 3), 'abc');
    assert.equal(cutTexto('abcd', 3), 'ab…');
    assert.equal(cutTexto('ab\u{1F600}', 3), 'ab…');
    assert.equal(cutTexto('a\u{1F600}b', 3), 'a\ufffd…');
  });

  it('of names keep what layouts allow, and are cut behind it', () => {
    const emit = (nome: string) => `<emit><CNPJ>31313131000100</CNPJ><xNome>${nome}</xNome></emit>`;
    const nome = (n: string) =>
      documento(processada(nota({ emit: emit(n) }) + protocolo())).participantes[0]?.nome;
    assert.equal(nome('é'.repeat(300)), 'é'.repeat(300));
    assert.equal(nome('é'.repeat(301)), `${'é'.repeat(299)}…`);
  });

  it('of protocols tell nothing apart that was one, and make nothing one that was not', () => {
    const number = '1'.repeat(TEXTO_MAX.nProt + 1);
    const xml = processada(nota() + protocolo().replace(/<nProt>\d+/, `<nProt>${number}`));
    const { protocolo: read, avisos } = documento(xml);
    assert.equal(read?.nProt, null);
    assert.match(avisos.join(), /número do protocolo passa de 60 caracteres/);
    // A protocol by itself is known by the content that it is about.
    const bare = (digVal: string) =>
      ler(`<retEnviNFe>${protocolo({ chave: chaveDe(), digVal })}</retEnviNFe>`);
    const brought = (pieces: Peca[]) =>
      pieces.flatMap((piece) => ('protocolos' in piece ? (piece.protocolos ?? []) : []));
    assert.equal(brought(bare('A'.repeat(28))).length, 1);
    assert.equal(brought(bare('A'.repeat(TEXTO_MAX.digVal + 1))).length, 0);
  });

  it('of events undo nothing where they do not say what', () => {
    const undoing = (nProt: string) =>
      evento(
        procEvento({
          codigo: '110001',
          det: `<tpEventoAut>110111</tpEventoAut><nProtEvento>${nProt}</nProtEvento>`,
        }),
      );
    assert.equal(undoing('135260000000002').desfaz?.nProt, '135260000000002');
    const vague = undoing('1'.repeat(TEXTO_MAX.nProt + 1));
    assert.equal(vague.desfaz, null);
    assert.match(vague.avisos.join(), /nenhum é desfeito/);
  });

  it('are no more than a number of findings and of items that an event tells', () => {
    const piece = lida(ler(processada()));
    piece.registro.avisos = Array.from({ length: AVISOS_MAX + 3 }, (_, i) => `aviso ${i}`);
    limitTextos(piece);
    assert.equal(piece.registro.avisos.length, AVISOS_MAX + 1);
    assert.equal(piece.registro.avisos.at(-1), 'E mais 3 avisos.');
    const declared = '<gConsumo nItem="1"/><gConsumo nItem="2"/>'.repeat(600);
    assert.deepEqual(evento(procEvento({ codigo: '211120', det: declared })).itensDeclarados, [1, 2]);
  });
});

describe('what a city numbers by', () => {
  const chave = (numeradaPor: string) =>
    composeChave({ municipio: '3550308', prestador: '11222333000181' as CpfCnpj, numero: '7', numeradaPor });

  it('is part of the key as it stands, and by its digest where it is too long', () => {
    assert.equal(chave('A 1234567'), 'NFSE-3550308-11222333000181-7~A.1234567');
    assert.equal(chave('1234567890'), 'NFSE-3550308-11222333000181-7~1234567890');
    const long = ['12345678901', '12345678902', `${'1'.repeat(3_000)}a`, `${'1'.repeat(3_000)}b`].map(chave);
    assert.equal(new Set(long).size, 4);
    for (const key of long)
      assert.match(key ?? '', /^NFSE-3550308-11222333000181-7~1[0-9]{3}\.[0-9A-F]{10}$/);
  });
});
