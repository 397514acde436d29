/**
 * Signed contents (CMS, PKCS#7: `.p7s`, `.p7m`): what was signed is taken out of them. The signature around it is not looked
 * at: fiscal documents have their own.
 * @fonte RFC 5652 §3, §5.1, §5.2
 */
import {
  children,
  DerFault,
  explicit0,
  octetsOf,
  oidOf,
  readDer,
  sequenceOf,
  TAG,
} from '../../../fiscal/certificado/der.ts';
import { assinaturaSemConteudo, conteudoCifrado, recipienteDanificado } from '../unpack-faults.ts';
import type { Bolsa, Parte } from './tipos.ts';

const SIGNED_DATA = '1.2.840.113549.1.7.2';
const ENVELOPED_DATA = '1.2.840.113549.1.7.3';
/** `06 09` and the number of the arc in which both kinds stand. */
const PKCS7_OID = Buffer.from([0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07]);
/** Of the outer tag and its length. */
const HEAD_BYTES = 12;

const ARMOUR = /^-----BEGIN (?:PKCS7|PKCS #7 SIGNED DATA|CMS)-----/;
const BASE64 = /^[A-Za-z0-9+/\r\n\t ]+={0,2}\s*$/;

function isDer(bytes: Buffer): boolean {
  if (bytes[0] !== TAG.sequence) return false;
  const at = bytes.subarray(0, HEAD_BYTES + PKCS7_OID.length).indexOf(PKCS7_OID);
  return at > 0 && [2, 3].includes(bytes[at + PKCS7_OID.length] ?? 0);
}

/** The bytes of one that is written as text; null where it is none. */
function fromText(bytes: Buffer): Buffer | null {
  const head = bytes.toString('latin1', 0, 64);
  if (!ARMOUR.test(head) && !/^MI[A-P]/.test(head)) return null;
  if (!isDer(Buffer.from(bare(bytes.subarray(0, 256)), 'base64'))) return null;
  const text = bare(bytes);
  return BASE64.test(text) ? Buffer.from(text, 'base64') : null;
}

function bare(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(ARMOUR, '')
    .replace(/-----END [A-Z0-9 #]{1,40}-----\s*$/, '');
}

export function looksSigned(bytes: Buffer): boolean {
  return isDer(bytes) || fromText(bytes.subarray(0, 4_096)) !== null;
}

/** What was signed. */
export function* openAssinado(bytes: Buffer, bolsa: Bolsa): Generator<Parte> {
  bolsa.takeEntries(1);
  const der = isDer(bytes) ? bytes : fromText(bytes);
  try {
    const content = contentOf(der ?? bytes);
    if ('codigo' in content) {
      yield { nome: '', resultado: content.resultado, falha: content };
      return;
    }
    bolsa.charge(content.length);
    yield { nome: '', bytes: Buffer.from(content.buffer, content.byteOffset, content.length) };
  } catch (error) {
    if (!(error instanceof DerFault)) throw error;
    yield { nome: '', resultado: 'rejeitado', falha: recipienteDanificado('assinatura (p7s)') };
  }
}

type SemConteudo = ReturnType<typeof assinaturaSemConteudo> & { resultado: 'ignorado' | 'rejeitado' };

/** @throws DerFault */
function contentOf(der: Buffer): Uint8Array | SemConteudo {
  const [kind, wrapped] = sequenceOf(readDer(der));
  const oid = oidOf(kind);
  if (oid === ENVELOPED_DATA) return { ...conteudoCifrado(), resultado: 'rejeitado' };
  if (oid !== SIGNED_DATA) throw new DerFault('no signed data');
  const [, , encapsulated] = sequenceOf(explicit0(wrapped));
  const [, content] = sequenceOf(encapsulated);
  if (!content) return { ...assinaturaSemConteudo(), resultado: 'ignorado' };
  const [octets] = children(content);
  return octetsOf(octets);
}
