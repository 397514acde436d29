import { Buffer } from 'node:buffer';
import type { KeyObject } from 'node:crypto';
import type { CpfCnpj } from '../fiscal/tipos.ts';
import { Aleatorio } from './aleatorio.ts';
import {
  autoridadeDeLaboratorio,
  type EmissorDeLaboratorio,
  emitirCertificado,
  extensao,
  nomeDistinto,
} from './autoridades.ts';
import { generateChaveRsa } from './chaves-rsa.ts';
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
  /** Of a server, whose certificate names its address, and its owner's CNPJ only as the number of the subject. */
  dominio?: string;
}

/** A test certificate with its private key. */
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
/** Validity of an A1: a year */
const VALIDITY_DAYS = 365;
const OU_TESTE = 'CERTIFICADO DE TESTE - SEM VALOR LEGAL';
const OID = {
  country: '2.5.4.6',
  state: '2.5.4.8',
  locality: '2.5.4.7',
  organization: '2.5.4.10',
  unit: '2.5.4.11',
  commonName: '2.5.4.3',
  serialNumber: '2.5.4.5',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  subjectAltName: '2.5.29.17',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  emailProtection: '1.3.6.1.5.5.7.3.4',
  pessoaFisica: '2.16.76.1.3.1',
  nomeResponsavel: '2.16.76.1.3.2',
  cnpj: '2.16.76.1.3.3',
  dadosResponsavel: '2.16.76.1.3.4',
} as const;

/** Where no seed is given: every company has one key in the process, whatever document it signs. */
export const SEMENTE_CERTIFICADOS = 'certificados';

/** Under seeds that begin like this holders answer for themselves: anybody can make such a certificate, in any name. */
export const SEMENTE_DE_ESTRANHOS = 'estranhos';

const keys = new Map<string, KeyObject>();
const certificates = new Map<string, Certificado>();

/**
 * The test certificate of a company, shaped like an ICP-Brasil A1 and issued by the laboratory, that is valid at the given
 * moment. Each year of the company has its own certificate over one key, renewed on the same day. Deterministic by seed
 * and holder; made once per process, about 50 ms.
 * @fonte DOC-ICP-04 (otherName OIDs and subject form)
 */
export function certificadoDe(
  titular: Titular,
  semente: string,
  em: Date,
  emissor: EmissorDeLaboratorio = 'documentos',
): Certificado {
  const owner = `${semente}/${titular.id}`;
  const renewal = new Aleatorio(`renovacao/${owner}`).integer(0, VALIDITY_DAYS - 1);
  const period = Math.floor((em.getTime() / DAY - renewal) / VALIDITY_DAYS);
  const validoDe = new Date((period * VALIDITY_DAYS + renewal) * DAY);
  const id = `${owner}/${period}`;
  const known = certificates.get(id);
  if (known) return known;
  const chavePrivada = keys.get(owner) ?? generateChaveRsa(owner);
  keys.set(owner, chavePrivada);
  const estranho = semente.startsWith(SEMENTE_DE_ESTRANHOS);
  const random = new Aleatorio(`certificado/${id}`);
  const made = issue(titular, { chavePrivada, validoDe, random, emissor: estranho ? null : emissor });
  certificates.set(id, made);
  return made;
}

function issue(
  titular: Titular,
  parts: {
    chavePrivada: KeyObject;
    validoDe: Date;
    random: Aleatorio;
    /** null: itself. */
    emissor: EmissorDeLaboratorio | null;
  },
): Certificado {
  const { chavePrivada, validoDe, random, emissor } = parts;
  const validoAte = new Date(validoDe.getTime() + VALIDITY_DAYS * DAY - 1_000);
  const nome = distinguishedName(titular);
  const bytes = emitirCertificado({
    emissor: emissor ? autoridadeDeLaboratorio(emissor) : { nome, chave: chavePrivada },
    nome,
    chave: chavePrivada,
    validade: { de: validoDe, ate: validoAte },
    random,
    extensoes: extensions(titular, random),
  });
  return {
    titular: titular.id,
    chavePrivada,
    der: bytes,
    base64: bytes.toString('base64'),
    validoDe,
    validoAte,
  };
}

function distinguishedName(titular: Titular): Buffer {
  const isCompany = titular.id.length === 14;
  const kind = isCompany ? 'e-CNPJ A1' : 'e-CPF A1';
  const place: [string, Buffer][] = [
    [OID.country, der.printable('BR')],
    [OID.organization, der.printable('ICP-Brasil')],
    [OID.state, der.printable(titular.uf)],
    [OID.locality, der.utf8(titular.municipio)],
    [OID.unit, der.printable(OU_TESTE)],
  ];
  if (titular.dominio) {
    return nomeDistinto([
      ...place,
      [OID.serialNumber, der.printable(titular.id)],
      [OID.commonName, der.utf8(titular.dominio)],
    ]);
  }
  const commonName = `${titular.nome.toUpperCase().slice(0, 49)}:${titular.id}`;
  return nomeDistinto([...place, [OID.unit, der.printable(kind)], [OID.commonName, der.utf8(commonName)]]);
}

/** Birth date, CPF, NIS, RG and its issuer, as ICP-Brasil packs a person into one text. */
function personData(titular: Titular, random: Aleatorio): string {
  const { nascimento, cpf } = titular.responsavel;
  return `${nascimento}${cpf}${'0'.repeat(11)}${random.digits(9).padStart(15, '0')}SSP${titular.uf} `;
}

function extensions(titular: Titular, random: Aleatorio): Buffer[] {
  const uses = titular.dominio ? [OID.serverAuth, OID.clientAuth] : [OID.clientAuth, OID.emailProtection];
  return [
    extensao(OID.basicConstraints, der.sequence()),
    // digitalSignature, nonRepudiation, keyEncipherment
    extensao(OID.keyUsage, der.bits(Uint8Array.of(0xe0), 5), true),
    extensao(OID.extendedKeyUsage, der.sequence(...uses.map(der.oid))),
    extensao(OID.subjectAltName, der.sequence(...alternativeNames(titular, random))),
  ];
}

function alternativeNames(titular: Titular, random: Aleatorio): Buffer[] {
  const ascii = (number: number, text: string) => der.context(number, Buffer.from(text, 'latin1'), true);
  if (titular.dominio) return [ascii(2, titular.dominio)];
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
  return [ascii(1, titular.email), ...names];
}
