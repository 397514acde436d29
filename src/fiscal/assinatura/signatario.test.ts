import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { describe, it } from 'node:test';
import forge from 'node-forge';
import { scanFast } from '../camadas.ts';
import { ATE, DE, type Emitido, emitir } from '../certificado/amostras-de-teste.ts';
import { Autoridades } from '../certificado/autoridades.ts';
import type { Signatario } from '../tipos.ts';
import { first, INF, nfe, scan, signature, swap } from './amostras-de-teste.ts';
import { validoEm } from './signatario.ts';
import { verifySignature } from './verify.ts';

const RAIZ = emitir('Raiz v1');
const AC = emitir('AC Um', { por: RAIZ });
const TITULAR = emitir('PADARIA:12345678000195', { por: AC, ca: false });
const ESTRANHO = emitir('PADARIA:12345678000195', { ca: false });

const base64 = ({ der }: Emitido) => Buffer.from(der).toString('base64');
const raizes = [{ der: RAIZ.der, confianca: 'icp_brasil' as const }];
const SO_RAIZ = new Autoridades({ raizes, intermediarias: [] });
const TODAS = new Autoridades({ raizes, intermediarias: [AC.der] });

function signedBy(titular: Emitido, ...enviadas: Emitido[]): string {
  const key = createPrivateKey(forge.pki.privateKeyToPem(titular.chave));
  const made = nfe(INF, signature({ identity: { key, certificate: base64(titular) } }));
  const chain = enviadas.map((one) => `<X509Certificate>${base64(one)}</X509Certificate>`).join('');
  return chain ? swap(made, '</X509Certificate>', `</X509Certificate>${chain}`) : made;
}

/** Read by both tiers, which must say the same. */
function signatario(xml: string, autoridades?: Autoridades): Signatario {
  const tape = scanFast(Buffer.from(xml), 'ambas') ?? assert.fail('not taken by the fast tier');
  const tree = scan(xml);
  const fast = verifySignature(tape, first(tape), { autoridades });
  assert.deepEqual(fast, verifySignature(tree, first(tree), { autoridades }));
  assert.equal(fast.resultado, 'integra');
  return fast.signatario ?? assert.fail('no signer');
}

describe('the signer of a verdict', () => {
  it('has the document that its certificate names, its dates, and whoever answers for it', () => {
    const period = { de: DE.getTime(), ate: ATE.getTime() };
    assert.deepEqual(signatario(signedBy(TITULAR), TODAS), {
      titularDocumento: '12345678000195',
      cadeia: 'icp_brasil',
      validade: period,
      validadeDaCadeia: period,
    });
    assert.equal(signatario(signedBy(ESTRANHO), TODAS).cadeia, 'invalida');
  });

  it('is judged with the authorities of the reading, whatever others said of it before', () => {
    const xml = signedBy(TITULAR);
    const seen = [TODAS, SO_RAIZ, undefined, TODAS].map((these) => signatario(xml, these).cadeia);
    assert.deepEqual(seen, ['icp_brasil', 'desconhecida', 'desconhecida', 'icp_brasil']);
  });

  it('is judged with the authorities that came along, and the next document of the same signer without them', () => {
    assert.equal(signatario(signedBy(TITULAR, AC), SO_RAIZ).cadeia, 'icp_brasil');
    assert.equal(signatario(signedBy(TITULAR), SO_RAIZ).cadeia, 'desconhecida');
    assert.equal(signatario(signedBy(TITULAR, AC, RAIZ)).cadeia, 'desconhecida');
  });

  it('is one object for all documents that it signed', () =>
    assert.equal(signatario(signedBy(TITULAR), TODAS), signatario(signedBy(TITULAR), TODAS)));

  it('is looked at up to the eighth certificate that came along, and past what is none', () => {
    const others = Array.from({ length: 8 }, () => ESTRANHO);
    assert.equal(signatario(signedBy(TITULAR, ...others.slice(1), AC), SO_RAIZ).cadeia, 'icp_brasil');
    assert.equal(signatario(signedBy(TITULAR, ...others, AC), SO_RAIZ).cadeia, 'desconhecida');
    const junk = swap(
      signedBy(TITULAR, AC),
      '</X509Certificate><X509Certificate>',
      '</X509Certificate><X509Certificate>AAAA</X509Certificate><X509Certificate>',
    );
    assert.equal(signatario(junk, SO_RAIZ).cadeia, 'icp_brasil');
  });
});

describe('validoEm', () => {
  const of = (validadeDaCadeia: Signatario['validadeDaCadeia']): Signatario => ({
    titularDocumento: null,
    cadeia: validadeDaCadeia ? 'icp_brasil' : 'desconhecida',
    validade: { de: 10, ate: 20 },
    validadeDaCadeia,
  });

  it('asks for the certificate and, where they are known, for the authorities above it', () => {
    const moments = [9, 10, 15, 20, 21];
    const valid = (signatario: Signatario) => moments.filter((moment) => validoEm(signatario, moment));
    assert.deepEqual(valid(of(null)), [10, 15, 20]);
    assert.deepEqual(valid(of({ de: 0, ate: 15 })), [10, 15]);
    assert.deepEqual(valid(of({ de: 21, ate: 30 })), []);
  });
});
