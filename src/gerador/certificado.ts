import { Buffer } from 'node:buffer';
import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { CpfCnpj } from '../fiscal/tipos.ts';
import { Aleatorio } from './aleatorio.ts';
import { gerarChaveRsa } from './chaves-rsa.ts';
import * as der from './der.ts';

/** Whom a certificate names. */
export interface Titular {
  /** CNPJ makes an e-CNPJ, CPF an e-CPF. */
  id: CpfCnpj;
  nome: string;
  municipio: string;
  uf: string;
  email: string;
  /** The natural person who answers for the key; for an e-CPF, the holder. */
  responsavel: { nome: string; cpf: CpfCnpj /** ddmmaaaa */; nascimento: string };
}

/** A self-signed test certificate with its private key. */
export interface Certificado {
  titular: CpfCnpj;
  chavePrivada: KeyObject;
  der: Buffer;
  /** DER in Base64 without line breaks, as it stands in `X509Certificate`. */
  base64: string;
  validoDe: Date;
  validoAte: Date;
}

const DAY = 86_400_000;
/** Validity of an A1. @fonte domain 8 */
const VALIDITY_DAYS = 365;
const OU_TESTE = 'CERTIFICADO DE TESTE - SEM VALOR LEGAL';
const OID = {
  country: '2.5.4.6',
  state: '2.5.4.8',
  locality: '2.5.4.7',
  organization: '2.5.4.10',
  unit: '2.5.4.11',
  commonName: '2.5.4.3',
  sha256WithRsa: '1.2.840.113549.1.1.11',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  subjectKeyId: '2.5.29.14',
  subjectAltName: '2.5.29.17',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  emailProtection: '1.3.6.1.5.5.7.3.4',
  pessoaFisica: '2.16.76.1.3.1',
  nomeResponsavel: '2.16.76.1.3.2',
  cnpj: '2.16.76.1.3.3',
  dadosResponsavel: '2.16.76.1.3.4',
} as const;

/** Where no seed is given: every company has one key in the process, whatever document it signs. */
export const SEMENTE_CERTIFICADOS = 'certificados';

const keys = new Map<string, KeyObject>();
const certificates = new Map<string, Certificado>();

/**
 * The test certificate of a company, shaped like an ICP-Brasil A1, that is valid at the given moment. Each year
 * of the company has its own certificate over one key, renewed on the same day. Deterministic by seed and holder;
 * made once per process, about 50 ms.
 * @fonte domain 8 (otherName OIDs and subject form)
 */
export function certificadoDe(titular: Titular, semente: string, em: Date): Certificado {
  const owner = `${semente}/${titular.id}`;
  const renewal = new Aleatorio(`renovacao/${owner}`).integer(0, VALIDITY_DAYS - 1);
  const period = Math.floor((em.getTime() / DAY - renewal) / VALIDITY_DAYS);
  const validoDe = new Date((period * VALIDITY_DAYS + renewal) * DAY);
  const id = `${owner}/${period}`;
  const known = certificates.get(id);
  if (known) return known;
  const chavePrivada = keys.get(owner) ?? gerarChaveRsa(owner);
  keys.set(owner, chavePrivada);
  const made = issue(titular, chavePrivada, validoDe, new Aleatorio(`certificado/${id}`));
  certificates.set(id, made);
  return made;
}

function issue(titular: Titular, key: KeyObject, validoDe: Date, random: Aleatorio): Certificado {
  const validoAte = new Date(validoDe.getTime() + VALIDITY_DAYS * DAY - 1_000);
  const algorithm = der.sequence(der.oid(OID.sha256WithRsa), der.nothing());
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const name = distinguishedName(titular);
  const serial = random.bytes(8);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const body = der.sequence(
    der.context(0, der.integer(Uint8Array.of(2))),
    der.integer(serial),
    algorithm,
    name,
    der.sequence(der.utcTime(validoDe), der.utcTime(validoAte)),
    name,
    publicKey,
    der.context(3, der.sequence(...extensions(titular, publicKey, random))),
  );
  const bytes = der.sequence(body, algorithm, der.bits(sign('RSA-SHA256', body, key)));
  return {
    titular: titular.id,
    chavePrivada: key,
    der: bytes,
    base64: bytes.toString('base64'),
    validoDe,
    validoAte,
  };
}

function distinguishedName(titular: Titular): Buffer {
  const attribute = (type: string, value: Uint8Array) => der.set(der.sequence(der.oid(type), value));
  const isCompany = titular.id.length === 14;
  const commonName = `${titular.nome.toUpperCase().slice(0, 49)}:${titular.id}`;
  return der.sequence(
    attribute(OID.country, der.printable('BR')),
    attribute(OID.organization, der.printable('ICP-Brasil')),
    attribute(OID.state, der.printable(titular.uf)),
    attribute(OID.locality, der.utf8(titular.municipio)),
    attribute(OID.unit, der.printable(OU_TESTE)),
    attribute(OID.unit, der.printable(isCompany ? 'e-CNPJ A1' : 'e-CPF A1')),
    attribute(OID.commonName, der.utf8(commonName)),
  );
}

/** Birth date, CPF, NIS, RG and its issuer, as ICP-Brasil packs a person into one text. */
function personData(titular: Titular, random: Aleatorio): string {
  const { nascimento, cpf } = titular.responsavel;
  return `${nascimento}${cpf}${'0'.repeat(11)}${random.digits(9).padStart(15, '0')}SSP${titular.uf} `;
}

function extensions(titular: Titular, publicKey: Buffer, random: Aleatorio): Buffer[] {
  const extension = (type: string, value: Uint8Array, critical = false) =>
    critical
      ? der.sequence(der.oid(type), der.boolean(true), der.octets(value))
      : der.sequence(der.oid(type), der.octets(value));
  const otherName = (type: string, value: string) =>
    der.context(0, Buffer.concat([der.oid(type), der.context(0, der.octets(Buffer.from(value, 'latin1')))]));
  const person = personData(titular, random);
  const names =
    titular.id.length === 14
      ? [
          otherName(OID.dadosResponsavel, person),
          otherName(OID.nomeResponsavel, titular.responsavel.nome.toUpperCase()),
          otherName(OID.cnpj, titular.id),
        ]
      : [otherName(OID.pessoaFisica, person)];
  const email = der.context(1, Buffer.from(titular.email, 'latin1'), true);
  return [
    extension(OID.basicConstraints, der.sequence()),
    // digitalSignature, nonRepudiation, keyEncipherment
    extension(OID.keyUsage, der.bits(Uint8Array.of(0xe0), 5), true),
    extension(OID.extendedKeyUsage, der.sequence(der.oid(OID.clientAuth), der.oid(OID.emailProtection))),
    extension(OID.subjectKeyId, der.octets(createHash('sha1').update(publicKey).digest())),
    extension(OID.subjectAltName, der.sequence(email, ...names)),
  ];
}
