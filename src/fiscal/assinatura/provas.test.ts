import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { scanFast } from '../camadas.ts';
import { first, INF, nfe, signature, swap } from './amostras-de-teste.ts';
import { type Prova, readTogether } from './provas.ts';
import { verifySignature } from './verify.ts';

const ONE = nfe(INF, signature());
/** All but RSA is right: the digest, the certificate, and the form of the value. */
const FORGED = swap(ONE, /<SignatureValue>../, '<SignatureValue>AA');

function read(xml: string, provas?: Prova[]) {
  const tree = scanFast(Buffer.from(xml), 'ambas') ?? assert.fail('not taken by the fast tier');
  return verifySignature(tree, first(tree), { provas });
}

describe('readTogether', () => {
  before(() => assert.equal(read(ONE).resultado, 'integra'));

  it('reads with what is to be proven put off, and says what each reading alone would say', () => {
    const xmls = [ONE, FORGED, ONE, FORGED, ONE];
    let putOff = 0;
    const verdicts = readTogether(xmls, (xml, provas) => {
      const verdict = read(xml, provas);
      putOff += provas?.length ?? 0;
      return verdict;
    });
    assert.deepEqual(
      verdicts,
      xmls.map((xml) => read(xml)),
    );
    assert.deepEqual(
      verdicts.map(({ resultado }) => resultado),
      ['integra', 'alterada', 'integra', 'alterada', 'integra'],
    );
    assert.equal(putOff, xmls.length);
  });

  it('takes a forged signature for intact only until it is proven, and with what disproves it in hand', () => {
    const provas: Prova[] = [];
    assert.equal(read(FORGED, provas).resultado, 'integra');
    assert.deepEqual(
      provas.map((prova) => prova()),
      [false],
    );
  });

  it('proves each with its own values, whatever was read after it', () => {
    const provas: Prova[] = [];
    for (const xml of [ONE, FORGED, ONE]) read(xml, provas);
    assert.deepEqual(
      provas.map((prova) => prova()),
      [true, false, true],
    );
  });

  it('reads what has nothing put off once', () => {
    const seen: string[] = [];
    readTogether(['a', 'b'], (item) => seen.push(item));
    assert.deepEqual(seen, ['a', 'b']);
  });
});
