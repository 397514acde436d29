/** Certificates for tests, made without the code under test. */
import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';

export interface Emitido {
  der: Uint8Array;
  nome: string;
  chave: forge.pki.rsa.PrivateKey;
  publica: forge.pki.rsa.PublicKey;
  /** Subject key identifier. */
  id: string;
}

export interface OpcoesDoEmitido {
  /** Default: it answers for itself. */
  por?: Emitido;
  /** Default: an authority that limits nothing. */
  ca?: boolean;
  comprimento?: number;
  /** Without keyCertSign. */
  semUso?: boolean;
  /** For what its key is, in place of signing: as node-forge names extensions. */
  usos?: object[];
  /** Without authority key identifier. */
  semIdentificador?: boolean;
  resumo?: forge.md.MessageDigest;
  de?: Date;
  ate?: Date;
  /** Another certificate of the same key. */
  chaveDe?: Emitido;
}

export const DE = new Date(Date.UTC(2020, 0, 1));
export const ATE = new Date(Date.UTC(2030, 0, 1));

export function emitir(nome: string, opcoes: OpcoesDoEmitido = {}): Emitido {
  const { publica, chave } = opcoes.chaveDe ?? keys();
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publica;
  certificate.serialNumber = '01';
  certificate.validity.notBefore = opcoes.de ?? DE;
  certificate.validity.notAfter = opcoes.ate ?? ATE;
  certificate.setSubject([{ name: 'commonName', value: nome }]);
  certificate.setIssuer([{ name: 'commonName', value: opcoes.por?.nome ?? nome }]);
  const id = certificate.generateSubjectKeyIdentifier().getBytes();
  certificate.setExtensions(extensionsOf(opcoes));
  certificate.sign(opcoes.por?.chave ?? chave, opcoes.resumo ?? forge.md.sha256.create());
  const der = Buffer.from(forge.asn1.toDer(forge.pki.certificateToAsn1(certificate)).getBytes(), 'latin1');
  return { der, nome, chave, publica, id };
}

function extensionsOf(opcoes: OpcoesDoEmitido): object[] {
  const { por, ca = true, comprimento, semUso, semIdentificador, usos } = opcoes;
  const limit = comprimento === undefined ? {} : { pathLenConstraint: comprimento };
  return [
    { name: 'basicConstraints', cA: ca, critical: true, ...(ca ? limit : {}) },
    ...(usos ?? [{ name: 'keyUsage', digitalSignature: true, keyCertSign: ca && !semUso }]),
    { name: 'subjectKeyIdentifier' },
    ...(por && !semIdentificador ? [{ name: 'authorityKeyIdentifier', keyIdentifier: por.id }] : []),
  ];
}

function keys(): Pick<Emitido, 'chave' | 'publica'> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  return {
    chave: forge.pki.privateKeyFromPem(privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()),
    publica: forge.pki.publicKeyFromPem(publicKey.export({ type: 'spki', format: 'pem' }).toString()),
  };
}
