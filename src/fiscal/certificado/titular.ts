/** Whom an ICP-Brasil certificate names. */
import { partyId } from '../cpf-cnpj.ts';
import type { CpfCnpj } from '../tipos.ts';
import { children, type Der, expectTag, octetsOf, oidOf, readDer, sequenceOf, TAG } from './der.ts';

const SUBJECT_ALT_NAME = '2.5.29.17';
const COMMON_NAME = '2.5.4.3';
const LOCALITY = '2.5.4.7';
const STATE = '2.5.4.8';
/** CNPJ of a company: makes an e-CNPJ. */
const OID_CNPJ = '2.16.76.1.3.3';
/** Birth date (8), CPF (11) and more of a person: makes an e-CPF. */
const OID_PESSOA = '2.16.76.1.3.1';
const CPF_AT = 8;
const CPF_LENGTH = 11;
/** `[0]` of GeneralName: otherName. */
const OTHER_NAME = 0xa0;
const VERSION = 0xa0;

interface TitularDoCertificado {
  /** Null when the certificate names neither a CNPJ nor a CPF. */
  cpfCnpj: CpfCnpj | null;
  /** Subject CN without the number behind its last colon. */
  nome: string | null;
}

/**
 * Reads the holder of a certificate: the OID of companies, else that of persons, else what stands behind the last
 * colon of the CN. Never any other part of the subject: an OU carries the CNPJ of the registration authority.
 * @param der X.509
 * @throws DerFault when the bytes are no certificate
 * @fonte DOC-ICP-04; the order is ours: the fields of ICP-Brasil before the name
 */
export function titularDoCertificado(der: Uint8Array): TitularDoCertificado {
  const { subject, extensions } = partsOf(der);
  const names = otherNames(extensions);
  const commonName = lastOf(subject, COMMON_NAME);
  const [nome, suffix] = splitLastColon(commonName);
  const pessoa = names.get(OID_PESSOA)?.slice(CPF_AT, CPF_AT + CPF_LENGTH) ?? null;
  return {
    cpfCnpj: onlyOf(14, names.get(OID_CNPJ)) ?? onlyOf(CPF_LENGTH, pessoa) ?? partyId(suffix),
    nome: nome === '' ? null : nome,
  };
}

/**
 * Where the holder is, as the subject says it.
 * @param der X.509
 * @throws DerFault when the bytes are no certificate
 * @fonte DOC-ICP-04: L and ST of the subject
 */
export function lugarDoCertificado(der: Uint8Array): { municipio: string | null; uf: string | null } {
  const { subject } = partsOf(der);
  return { municipio: lastOf(subject, LOCALITY) || null, uf: lastOf(subject, STATE) || null };
}

function partsOf(der: Uint8Array): { subject: Der | undefined; extensions: Der | undefined } {
  const [tbs] = sequenceOf(readDer(der));
  const fields = sequenceOf(tbs);
  if (fields[0]?.tag === VERSION) fields.shift();
  const [, , , , subject] = fields;
  return { subject, extensions: fields.find(({ tag }) => tag === TAG.explicit3) };
}

function onlyOf(length: number, text: string | null | undefined): CpfCnpj | null {
  const id = partyId(text ?? null);
  return id?.length === length ? id : null;
}

/** Values of the other names in SubjectAltName, by OID. */
function otherNames(extensions: Der | undefined): Map<string, string> {
  const names = new Map<string, string>();
  if (!extensions) return names;
  for (const extension of sequenceOf(children(extensions)[0])) {
    const parts = sequenceOf(extension);
    if (oidOf(parts[0]) !== SUBJECT_ALT_NAME) continue;
    for (const name of sequenceOf(readDer(octetsOf(parts.at(-1))))) {
      if (name.tag !== OTHER_NAME) continue;
      const [id, wrapped] = children(name);
      const value = wrapped && children(wrapped)[0];
      if (value) names.set(oidOf(id), textOf(value));
    }
  }
  return names;
}

/** The last attribute of a kind in a name. */
function lastOf(subject: Der | undefined, kind: string): string {
  let found = '';
  for (const set of sequenceOf(subject)) {
    for (const attribute of children(expectTag(set, TAG.set))) {
      const [type, value] = sequenceOf(attribute);
      if (value && oidOf(type) === kind) found = textOf(value);
    }
  }
  return found.trim();
}

function splitLastColon(text: string): [before: string, after: string] {
  const at = text.lastIndexOf(':');
  return at < 0 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** Text of any of the string types that authorities use. */
function textOf({ tag, content }: Der): string {
  const bytes = Buffer.from(content);
  if (tag === TAG.bmp) return bytes.length % 2 === 0 ? bytes.swap16().toString('utf16le') : '';
  return tag === TAG.utf8 ? bytes.toString('utf8') : bytes.toString('latin1');
}
