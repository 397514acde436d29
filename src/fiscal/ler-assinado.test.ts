import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import forge from 'node-forge';
import { bytesOf, chaveDe, NS, nota, processada, protocolo, SEM_ESQUEMA } from './amostras-de-teste.ts';
import { lerConteudo } from './ler.ts';
import type { Peca } from './tipos.ts';

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });

function certificate(): string {
  const made = forge.pki.createCertificate();
  made.publicKey = forge.pki.publicKeyFromPem(
    KEYS.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  );
  made.serialNumber = '01';
  made.validity.notBefore = new Date(Date.UTC(2026, 0, 1));
  made.validity.notAfter = new Date(Date.UTC(2027, 0, 1));
  made.setSubject([{ name: 'commonName', value: 'PADARIA AURORA LTDA' }]);
  made.setIssuer([{ name: 'commonName', value: 'AC DE TESTE' }]);
  const pem = KEYS.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  made.sign(forge.pki.privateKeyFromPem(pem), forge.md.sha256.create());
  return forge.util.encode64(forge.asn1.toDer(forge.pki.certificateToAsn1(made)).getBytes());
}
const CERTIFICATE = certificate();

/**
 * A note signed as SEFAZ asks. Its canonical forms are spelled by hand: the fixtures are canonical already, but for
 * the namespaces in scope.
 * @param inScope further declarations in scope where it is signed, in canonical order, with a leading space
 */
function signed(inScope = ''): string {
  const infNFe = /<infNFe.*<\/infNFe>/.exec(nota())?.[0] ?? '';
  const form = infNFe.replace('<infNFe', `<infNFe${NS}${inScope}`);
  const digest = createHash('sha1').update(form).digest('base64');
  const empty = (name: string, algorithm: string) => `<${name} Algorithm="${algorithm}"></${name}>`;
  const info =
    `<SignedInfo>${empty('CanonicalizationMethod', C14N)}${empty('SignatureMethod', `${DSIG}rsa-sha1`)}` +
    `<Reference URI="#NFe${chaveDe()}"><Transforms>${empty('Transform', `${DSIG}enveloped-signature`)}${empty('Transform', C14N)}</Transforms>` +
    `${empty('DigestMethod', `${DSIG}sha1`)}<DigestValue>${digest}</DigestValue></Reference></SignedInfo>`;
  const infoForm = info.replace('<SignedInfo', `<SignedInfo xmlns="${DSIG}"${inScope}`);
  const value = sign('RSA-SHA1', Buffer.from(infoForm), KEYS.privateKey).toString('base64');
  return nota({
    ns: '',
    assinatura: `<Signature xmlns="${DSIG}">${info}<SignatureValue>${value}</SignatureValue><KeyInfo><X509Data><X509Certificate>${CERTIFICATE}</X509Certificate></X509Data></KeyInfo></Signature>`,
  });
}

function read(xml: string): Extract<Peca, { resultado: 'lida' }> {
  const [piece] = lerConteudo({ bytes: bytesOf(xml), nome: 'a.xml' }, { validador: SEM_ESQUEMA });
  assert.equal(piece?.resultado, 'lida', JSON.stringify(piece));
  return piece as Extract<Peca, { resultado: 'lida' }>;
}
const verdict = (xml: string): string => read(xml).assinatura.resultado;

describe('the signature of a document', () => {
  it('holds in its own file, with protocol and in a lot', () => {
    const whole = signed().replace('<NFe', `<NFe${NS}`);
    assert.equal(verdict(whole), 'integra');
    assert.equal(verdict(processada(whole + protocolo())), 'integra');
    assert.equal(verdict(`<enviNFe${NS}>${signed()}</enviNFe>`), 'integra');
  });

  it('holds when the slice is read again on its own', () => {
    const slice = read(`<enviNFe${NS}>${signed()}</enviNFe>`).bytes;
    assert.equal(verdict(new TextDecoder().decode(slice)), 'integra');
  });

  it('holds in an envelope that declares prefixes of its own', () => {
    const envelope = (inside: string) =>
      `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><enviNFe${NS}>${inside}</enviNFe></s:Body></s:Envelope>`;
    assert.equal(verdict(envelope(signed())), 'integra');
  });

  it('holds when it was made among the prefixes of the wrapper', () => {
    const scope = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
    const piece = read(`<enviNFe${NS}${scope}>${signed(scope)}</enviNFe>`);
    assert.equal(piece.assinatura.resultado, 'integra');
    assert.ok(new TextDecoder().decode(piece.bytes).startsWith(`<NFe${NS}${scope}>`));
  });

  it('is altered when a value is', () => {
    assert.equal(verdict(`<enviNFe${NS}>${signed().replace('150.00', '150.01')}</enviNFe>`), 'alterada');
  });
});
