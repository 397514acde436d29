import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { todasAsSementes } from '../../test/sementes/todas.ts';
import { growth, LINEAR } from '../../test/support/crescimento.ts';
import { loadEsquemas } from '../importacao/standards/esquemas-instalados.ts';
import { chaveDe, NS, nota, procEvento, processada, protocolo } from './amostras-de-teste.ts';
import { lerConteudo } from './ler.ts';
import { TEXTO_MAX } from './limites-de-texto.ts';
import { LIST_LINES_LIMIT } from './lista-de-chaves.ts';
import { Names } from './rapido/names.ts';

const validador = loadEsquemas({ dataFolder: import.meta.dirname });
const ler = (text: string, nome = 'a.xml') => lerConteudo({ bytes: Buffer.from(text), nome }, { validador });

const many = (n: number, make: (i: number) => string) =>
  Array.from({ length: n }, (_, i) => make(i)).join('');
const note = (i: number) => nota({ chave: chaveDe({ numero: String(i + 1) }) });
const NOTE =
  todasAsSementes()
    .find(({ nome }) => nome === 'nfeProc.xml')
    ?.bytes.toString() ?? '';
const withNatOp = (pieces: string) => NOTE.replace('<natOp>', `<natOp>${pieces}`);

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
/** A note whose signed part is brought into the exclusive form, with a list of prefixes. */
function exclusive(prefixes: string, content: string, declared = ''): string {
  const transform = `<Transform Algorithm="${EXCLUSIVE}"><InclusiveNamespaces xmlns="${EXCLUSIVE}" PrefixList="${prefixes}"/></Transform>`;
  const signed = NOTE.replace(
    /<Transform Algorithm="[^"]*xml-c14n[^"]*"\s*(?:\/>|><\/Transform>)/,
    transform,
  );
  return signed.replace('<ide>', `${content}<ide>`).replace('<NFe ', `<NFe${declared} `);
}

/** What took the square of its size, or more than all its bytes together. */
const FAMILIES: Record<string, { n: number; make: (n: number) => string }> = {
  'a list of prefixes that its canonical form includes': {
    n: 20_000,
    make: (n) =>
      exclusive(
        many(n, (i) => `p${i} `),
        many(n / 10, () => '<a/>'),
      ),
  },
  'a text in pieces, between comments': { n: 20_000, make: (n) => withNatOp(many(n, () => 'a<!---->')) },
  'a text in pieces, between instructions': { n: 20_000, make: (n) => withNatOp(many(n, () => 'a<?p?>')) },
  'a text in pieces, between CDATA': { n: 15_000, make: (n) => withNatOp(many(n, () => 'a<![CDATA[b]]>')) },
  'notes side by side, each with faults in many places': {
    n: 250,
    make: (n) => `<r>${many(n, note)}</r>`,
  },
  'requests and answers that stand apart': {
    n: 150,
    make: (n) =>
      `<r><a${NS}>${many(n, note)}</a><b${NS}>${many(n, (i) => protocolo({ chave: chaveDe({ numero: String(i + 1) }) }))}</b></r>`,
  },
  'refused documents behind many siblings': {
    n: 200,
    make: (n) => `<r>${many(80 * n, () => '<a/>')}<a>${many(n, () => '<NFe/>')}</a></r>`,
  },
  'malformed notes side by side': {
    n: 150,
    make: (n) => `<r>${many(n, (i) => note(i).replace('<natOp>', '<natOp>A & B <br> < '))}</r>`,
  },
  'notes that do not end': { n: 90, make: (n) => `<r>${many(n, () => '<NFe><infNFe/>')}</r>` },
  'sections, comments and instructions that do not end': {
    n: 1_200,
    make: (n) => `<r>${many(n, () => '<![CDATA[<!-- <?p <a b="')}</r>`,
  },
  'end tags of nothing, below many that are open': {
    n: 2_000,
    make: (n) => `<r>${many(n, () => '<a>')}${many(n, () => '</b>')}</r>`,
  },
  'refused docZip side by side': {
    n: 1_000,
    make: (n) => `<retDistDFeInt>${many(n, () => '<docZip>x</docZip>')}</retDistDFeInt>`,
  },
  'documents below many prefixes': {
    n: 150,
    make: (n) =>
      `<r${many(240, (i) => ` xmlns:p${i}="u"`)}><r${many(240, (i) => ` xmlns:q${i}="u"`)}>${many(n, note)}</r></r>`,
  },
};

describe('reading takes as long as what is read is large', () => {
  for (const [name, { n, make }] of Object.entries(FAMILIES)) {
    it(name, () => {
      const ratio = growth((size) => {
        const text = make(size);
        return () => ler(text);
      }, n);
      assert.ok(ratio < LINEAR, `${ratio.toFixed(1)} times for four times as much`);
    });
  }
});

describe('what is read of a file is bounded by it', () => {
  it('an event inside another is not kept a second time', () => {
    let text = `<x>${'y'.repeat(1_000)}</x>`;
    for (let i = 1; i <= 40; i++) {
      const around = procEvento({ sequencia: String(i) });
      text = around.replace('</procEventoNFe>', `${text}</procEventoNFe>`);
    }
    const [piece, ...others] = ler(text);
    assert.equal(piece?.resultado, 'lida');
    assert.deepEqual(others, []);
    // In a note's own wrapper it is one of its own, all the same.
    const beside = ler(processada(nota() + protocolo() + procEvento()));
    assert.deepEqual(
      beside.map(({ especie }) => especie),
      ['NFe', 'Evento'],
    );
  });

  it('a canonical form that is many times the content is not written, and the verdict says so', () => {
    const declared = ` xmlns:p="${'u'.repeat(7_000)}"`;
    const [piece] = ler(
      exclusive(
        '',
        many(2_000, () => '<p:a/>'),
        declared,
      ),
    );
    assert.ok(piece?.resultado === 'lida');
    assert.equal(piece.assinatura.resultado, 'alterada');
    assert.match(piece.assinatura.motivo ?? '', /forma canônica \(C14N\).* passa de 8 vezes o seu tamanho/);
  });

  it('a list of keys has a number of lines', () => {
    const key = `${chaveDe()}\n`;
    const [only, ...none] = ler(key + '1\n'.repeat(LIST_LINES_LIMIT), 'chaves.txt');
    assert.ok(only?.resultado === 'rejeitada');
    assert.equal(only.rejeicao.codigo, 'pecas_demais');
    assert.deepEqual(none, []);
    assert.equal(ler(key + '1\n'.repeat(20), 'chaves.txt').length, 21);
  });

  it('the path of a fault has a length, however deep and long the names are', () => {
    const names = Array.from({ length: 95 }, (_, i) => `${'n'.repeat(900)}${i}`);
    const text = `${names.map((n) => `<${n}>`).join('')}<NFe/>${names
      .toReversed()
      .map((n) => `</${n}>`)
      .join('')}`;
    const [piece] = ler(text);
    assert.ok(piece?.resultado === 'rejeitada');
    const { elemento } = piece.rejeicao;
    assert.ok(elemento !== null && elemento.length < 300, `${elemento?.length}`);
    assert.match(elemento, /^…\/n{59}…\/.*\/NFe\/infNFe$/);
  });

  it('and so it is where one was opened in another', () => {
    const deep = (name: string, inside: string) => `<${name}>`.repeat(90) + inside + `</${name}>`.repeat(90);
    const inner = gzipSync(deep('dentro', '<NFe/>')).toString('base64');
    const [piece] = ler(deep('fora', `<docZip>${inner}</docZip>`));
    assert.ok(piece?.resultado === 'rejeitada');
    const { elemento } = piece.rejeicao;
    assert.ok(elemento !== null && elemento.length <= TEXTO_MAX.elemento, `${elemento?.length}`);
    assert.match(elemento, /^…(?:\/fora)+\/docZip\/…(?:\/dentro)+\/NFe\/infNFe$/);
  });
});

describe('names of one hash', () => {
  it('are compared with a few others, and then left to the slow tier', () => {
    const names = new Names();
    const hash = 7;
    const numberOf = (i: number) => {
      const name = Buffer.from(`a${i}`);
      return names.find(name, 0, name.length, hash);
    };
    const found = Array.from({ length: 200 }, (_, i) => numberOf(i));
    assert.equal(found.indexOf(-1), 64);
    assert.ok(names.isFull, 'the next document gets a fresh table');
    assert.equal(numberOf(3), found[3]);
  });
});
