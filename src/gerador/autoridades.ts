/**
 * The authorities of the laboratory: a root and who issues under it, for documents and for SAT devices, shaped like those
 * of ICP-Brasil. Whoever knows the seed knows their keys: nobody must trust them outside of tests, trials and
 * demonstrations, and nothing does unless an operator installs their roots by fingerprint.
 */
import type { Buffer } from 'node:buffer';
import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { Aleatorio } from './aleatorio.ts';
import { generateChaveRsa } from './chaves-rsa.ts';
import * as der from './der.ts';

const OID = {
  country: '2.5.4.6',
  organization: '2.5.4.10',
  unit: '2.5.4.11',
  commonName: '2.5.4.3',
  sha256WithRsa: '1.2.840.113549.1.1.11',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  subjectKeyId: '2.5.29.14',
  authorityKeyId: '2.5.29.35',
} as const;

const DE = new Date(Date.UTC(2000, 0, 1));
const ATE = new Date(Date.UTC(2049, 11, 31));

/** Who signs a certificate. */
interface Emissor {
  /** Distinguished name. */
  nome: Buffer;
  chave: KeyObject;
}

/** An authority of the laboratory. */
interface AutoridadeDeLaboratorio extends Emissor {
  der: Buffer;
  /** Of `der`, hex. */
  sha256: string;
}

/** Who issues certificates in the laboratory. Training devices of CF-e SAT have an authority of their own. */
export const EMISSORES = {
  documentos: { nome: 'AC Laboratorio Malote', raiz: 'documentos' },
  sat: { nome: 'AC SAT Laboratorio Malote', raiz: 'sat' },
  satDeTeste: { nome: 'AC SAT de Teste Laboratorio Malote', raiz: 'sat' },
} as const;
export type EmissorDeLaboratorio = keyof typeof EMISSORES;

const RAIZES = {
  documentos: 'Autoridade Certificadora Raiz Laboratorio Malote',
  sat: 'AC Raiz SAT Laboratorio Malote',
} as const;
export type RaizDeLaboratorio = keyof typeof RAIZES;

const made = new Map<string, AutoridadeDeLaboratorio>();

function once(nome: string, make: () => AutoridadeDeLaboratorio): AutoridadeDeLaboratorio {
  const known = made.get(nome) ?? make();
  made.set(nome, known);
  return known;
}

/** A root, which signs itself. The same in every process. */
export function raizDeLaboratorio(raiz: RaizDeLaboratorio = 'documentos'): AutoridadeDeLaboratorio {
  return once(RAIZES[raiz], () => authority(RAIZES[raiz], null));
}

/** The authority that issues the certificates of holders. */
export function autoridadeDeLaboratorio(emissor: EmissorDeLaboratorio): AutoridadeDeLaboratorio {
  const { nome, raiz } = EMISSORES[emissor];
  return once(nome, () => authority(nome, raizDeLaboratorio(raiz)));
}

function authority(commonName: string, superior: Emissor | null): AutoridadeDeLaboratorio {
  const chave = generateChaveRsa(`laboratorio/${commonName}`);
  const nome = nameOf(commonName);
  const caOnly = superior
    ? der.sequence(der.boolean(true), der.integer(Uint8Array.of(0)))
    : der.sequence(der.boolean(true));
  const bytes = emitirCertificado({
    emissor: superior ?? { nome, chave },
    nome,
    chave,
    validade: { de: DE, ate: ATE },
    random: new Aleatorio(`certificado/laboratorio/${commonName}`),
    extensoes: [
      extensao(OID.basicConstraints, caOnly, true),
      // keyCertSign, cRLSign
      extensao(OID.keyUsage, der.bits(Uint8Array.of(0x06), 1), true),
    ],
  });
  return { nome, chave, der: bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

function nameOf(commonName: string): Buffer {
  return nomeDistinto([
    [OID.country, der.printable('BR')],
    [OID.organization, der.printable('Laboratorio Malote')],
    [OID.unit, der.printable('SEM VALOR LEGAL')],
    [OID.commonName, der.printable(commonName)],
  ]);
}

/** A distinguished name of one attribute after the other. */
export function nomeDistinto(atributos: readonly (readonly [tipo: string, valor: Buffer])[]): Buffer {
  return der.sequence(...atributos.map(([tipo, valor]) => der.set(der.sequence(der.oid(tipo), valor))));
}

export function extensao(tipo: string, valor: Uint8Array, critica = false): Buffer {
  return critica
    ? der.sequence(der.oid(tipo), der.boolean(true), der.octets(valor))
    : der.sequence(der.oid(tipo), der.octets(valor));
}

const keyId = (chave: Buffer) => createHash('sha1').update(chave).digest();
const spki = (key: KeyObject) => createPublicKey(key).export({ format: 'der', type: 'spki' });

/**
 * Makes an X.509 certificate.
 * @param input.extensoes besides the key identifiers, which every one has
 */
export function emitirCertificado(input: {
  emissor: Emissor;
  nome: Buffer;
  chave: KeyObject;
  validade: { de: Date; ate: Date };
  random: Aleatorio;
  extensoes: readonly Buffer[];
}): Buffer {
  const { emissor, nome, chave, validade, random } = input;
  const algorithm = der.sequence(der.oid(OID.sha256WithRsa), der.nothing());
  const publicKey = spki(chave);
  const serial = random.bytes(8);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const ids = [
    extensao(OID.subjectKeyId, der.octets(keyId(publicKey))),
    extensao(OID.authorityKeyId, der.sequence(der.context(0, keyId(spki(emissor.chave)), true))),
  ];
  const body = der.sequence(
    der.context(0, der.integer(Uint8Array.of(2))),
    der.integer(serial),
    algorithm,
    emissor.nome,
    der.sequence(der.utcTime(validade.de), der.utcTime(validade.ate)),
    nome,
    publicKey,
    der.context(3, der.sequence(...input.extensoes, ...ids)),
  );
  return der.sequence(body, algorithm, der.bits(sign('RSA-SHA256', body, emissor.chave)));
}
