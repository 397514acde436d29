/**
 * Whom connections to the tax authorities trust: what every TLS client trusts, and the roots of ICP-Brasil, under which
 * most states have their servers and which no operating system brings. Never one of the two alone: the national
 * services stand under public authorities.
 */
import { hash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { blocosDe } from '../../fiscal/certificado/ler-certificados.ts';
import { RAIZES_DA_ICP_BRASIL } from '../../fiscal/certificado/raizes.ts';

/** Public data of the Brazilian government, told where it comes from in the file. */
export const AUTORIDADES_DO_PRODUTO = new URL('../../../certificados/icp-brasil-acs.pem', import.meta.url);

/**
 * The roots of ICP-Brasil that answer for servers. The others have keys of Brainpool curves or Ed448 (v4, v6, v7, v13),
 * under which no server stands, or are over (v1, v2).
 * @fonte ITI, Repositório da AC Raiz: certificados das autoridades certificadoras
 */
const RAIZES_DE_SERVIDORES: readonly string[] = [
  'caa53fc6091c6951887c976e378f6ef89aa6377c55d97b6475422b71ed7e9b17', // v5, until 2029
  '6e0bff069a26994c15de2c4888cc54af84882e5495b7fbf66be9ccffec7489f6', // v10, until 2032
  '1406710058180fa4081aab3f246f1702429c552a11fa3143b84c88cb3ab8e5e7', // v11, until 2032
  'd8478e37ce19c690cf657381e68fe600e4e1a042536830f06847e03e554c4b01', // v12, until 2037
];

/** A file of authorities that cannot be used: which certificate of it, and why. */
export class AutoridadesInvalidas extends Error {}

interface OpcoesDeAutoridades {
  /** PEM with the authorities of ICP-Brasil, in place of the file of the product. Its roots are checked alike. */
  icpBrasil?: Uint8Array;
  /** PEM, or one certificate in DER: authorities that an operator trusts besides. */
  adicionais?: readonly Uint8Array[];
}

function toPem(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/**
 * The roots of ICP-Brasil for servers, as PEM. What else the file holds is trusted by nobody: a certificate becomes a
 * root by its fingerprint here, not by being put into a file.
 * @throws AutoridadesInvalidas where the file lacks one of them
 */
export function raizesDaIcpBrasil(pem: Uint8Array = readFileSync(AUTORIDADES_DO_PRODUTO)): string[] {
  const bySha256 = new Map(blocosDe(pem).map((der) => [hash('sha256', der, 'hex'), der]));
  return RAIZES_DE_SERVIDORES.map((sha256) => {
    const der = bySha256.get(sha256);
    if (!der || !RAIZES_DA_ICP_BRASIL.includes(sha256))
      throw new AutoridadesInvalidas(`a raiz ICP-Brasil de SHA-256 ${sha256} não está no arquivo`);
    return toPem(der);
  });
}

/** Authorities that an operator trusts, as PEM. @throws AutoridadesInvalidas for what is no authority's certificate */
function readAdicionais(bytes: Uint8Array): string[] {
  return blocosDe(bytes).map((der, at) => {
    const certificate = readX509(der, at);
    if (!certificate.ca)
      throw new AutoridadesInvalidas(`o certificado ${at + 1} não é de autoridade: ${certificate.subject}`);
    return toPem(der);
  });
}

function readX509(der: Uint8Array, at: number): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch {
    throw new AutoridadesInvalidas(`o certificado ${at + 1} do arquivo não pode ser lido`);
  }
}

/**
 * Whom a TLS client trusts besides those that Node does, each certificate once.
 * @throws AutoridadesInvalidas
 */
export function autoridadesAlemDoNode({ icpBrasil, adicionais = [] }: OpcoesDeAutoridades = {}): string[] {
  return [
    ...new Set([
      ...(icpBrasil ? raizesDaIcpBrasil(icpBrasil) : raizesDaIcpBrasil()),
      ...adicionais.flatMap(readAdicionais),
    ]),
  ];
}
