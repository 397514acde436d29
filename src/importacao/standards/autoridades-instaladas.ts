/** Takes authorities out of files that an operator trusts, and says of each that it does not take why. */

import type { X509Certificate } from 'node:crypto';
import { hash } from 'node:crypto';
import { ACAO, auditar } from '../../auditoria/auditar.ts';
import type { Db } from '../../banco/tabelas.ts';
import type { Deps } from '../../deps.ts';
import { writeHash } from '../../documentos/bytes/hash-guardado.ts';
import type { Confianca } from '../../fiscal/certificado/autoridades.ts';
import { readCertificados } from '../../fiscal/certificado/ler-certificados.ts';
import { looksLikeZip, unpackZip } from '../unpack/unpack.ts';
import { UNPACK_LIMITS } from '../unpack/unpack-limits.ts';
import { type Autoridade, juntar, todasAsAutoridades } from './autoridades.ts';
import * as queries from './queries-autoridades.ts';

/** ITI's own file has some two hundred certificates of 2 kB. */
const ZIP_LIMITS = { entries: 2_000, totalBytes: 20_000_000, documentBytes: 1_000_000, depth: 2 };
const MAX_CERTIFICADOS = 5_000;

/** An authority as people know it. */
interface AutoridadeListada {
  nome: string;
  /** Hash of its certificate, hex. */
  sha256: string;
  /** ISO 8601, UTC; null where its dates cannot be read. */
  validaDe: string | null;
  validaAte: string | null;
}

export interface Recusada extends AutoridadeListada {
  motivo: 'raiz_nao_confirmada' | 'nao_e_autoridade' | 'sem_raiz';
}

export interface Instalacao {
  novas: (AutoridadeListada & { confianca: Confianca | null })[];
  /** Certificates that were there already. */
  conhecidas: number;
  recusadas: Recusada[];
}

/** A file that cannot be used; the message is pt-BR and says why. Never reaches HTTP. */
class AutoridadesError extends Error {
  readonly codigo: string;
  constructor(codigo: string, mensagem: string) {
    super(mensagem);
    this.name = 'AutoridadesError';
    this.codigo = codigo;
  }
}

/**
 * The certificates of a file.
 * @param file ITI's zip, or certificates in PEM or DER
 * @throws AutoridadesError `icp_arquivo_invalido`
 */
export async function certificadosDoArquivo(file: {
  nome: string;
  bytes: Uint8Array;
}): Promise<X509Certificate[]> {
  const found: X509Certificate[] = [];
  for await (const bytes of looksLikeZip(file.bytes) ? filesIn(file) : [file.bytes]) {
    found.push(...readCertificados(bytes));
    if (found.length > MAX_CERTIFICADOS)
      throw new AutoridadesError('icp_arquivo_invalido', `${file.nome}: traz certificados demais.`);
  }
  if (found.length > 0) return found;
  throw new AutoridadesError(
    'icp_arquivo_invalido',
    `${file.nome}: não traz nenhum certificado que se possa ler. São aceitos o ACcompactado.zip do ITI e arquivos .crt, .cer ou .pem.`,
  );
}

async function* filesIn({ nome, bytes }: { nome: string; bytes: Uint8Array }): AsyncGenerator<Uint8Array> {
  for await (const entry of unpackZip(bytes, { limits: { ...UNPACK_LIMITS, ...ZIP_LIMITS } })) {
    if (entry.resultado === 'rejeitado')
      throw new AutoridadesError('icp_arquivo_invalido', `${nome}, ${entry.caminho}: ${entry.mensagem}`);
    if (entry.resultado === 'arquivo') yield entry.bytes;
  }
}

/**
 * Installs what leads to a root that is trusted. A root that nobody has trusted so far becomes one only by its
 * fingerprint: who can put a certificate into the file must not decide whom to trust.
 *
 * @param input.aceitarRaizes SHA-256 of certificates of the file that are to be trusted as roots, in any case, with or
 * without colons
 * @param input.sat those roots are trusted for what SAT devices sign, and for nothing else
 * @throws AutoridadesError `icp_raiz_invalida`
 */
export async function installAutoridades(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: {
    certificados: readonly X509Certificate[];
    aceitarRaizes: readonly string[];
    sat: boolean;
    autor: string;
  },
): Promise<Instalacao> {
  const conhecidas = await todasAsAutoridades(deps.db.read);
  const known = new Set(conhecidas.map(({ sha256 }) => sha256));
  const porSha256 = new Map(input.certificados.map((x509) => [fingerprint(x509), x509]));
  const accepted = acceptedRoots(input, porSha256);
  const candidatas = [...porSha256].filter(([sha256]) => !known.has(sha256));
  const confianca: Confianca = input.sat ? 'sat' : 'icp_brasil';
  const toAutoridade = ([sha256, x509]: [string, X509Certificate]): Autoridade => ({
    sha256,
    der: x509.raw,
    confianca: accepted.has(sha256) ? confianca : null,
    instaladaEm: deps.clock.now(),
  });
  const todas = juntar([...conhecidas, ...candidatas.map(toAutoridade)]);
  const result: Instalacao = { novas: [], conhecidas: porSha256.size - candidatas.length, recusadas: [] };
  const novas: Autoridade[] = [];
  for (const candidata of candidatas) {
    const [sha256, x509] = candidata;
    const motivo = accepted.has(sha256) ? null : whyNot(x509, todas.estabelece(x509));
    if (motivo) {
      result.recusadas.push({ ...listed(x509), motivo });
      continue;
    }
    const nova = toAutoridade(candidata);
    novas.push(nova);
    result.novas.push({ ...listed(x509), confianca: nova.confianca });
  }
  if (novas.length > 0) await write(deps, { novas, autor: input.autor });
  return result;
}

function whyNot(x509: X509Certificate, leadsToRoot: boolean): Recusada['motivo'] | null {
  if (!x509.ca) return 'nao_e_autoridade';
  if (leadsToRoot) return null;
  return x509.subject === x509.issuer ? 'raiz_nao_confirmada' : 'sem_raiz';
}

async function write(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { novas, autor }: { novas: readonly Autoridade[]; autor: string },
): Promise<void> {
  const em = clock.now();
  const raizes = novas.flatMap(({ sha256, confianca }) => (confianca ? [`${confianca} ${sha256}`] : []));
  await db.write.transaction().execute(async (trx) => {
    await queries.insertAutoridades(
      trx,
      novas.map(({ sha256, der, confianca }) => ({
        sha256: writeHash(sha256),
        der: Uint8Array.from(der),
        confianca,
        instalada_em: em,
      })),
    );
    await auditar(trx, {
      em,
      acao: ACAO.autoridadesInstaladas,
      contadorId: null,
      autor,
      alvo: 'autoridades',
      detalhe: { autoridades: novas.length, raizes },
    });
  });
}

const SHA256 = /^[0-9a-f]{64}$/;

/** @throws AutoridadesError */
function acceptedRoots(
  { aceitarRaizes }: { aceitarRaizes: readonly string[] },
  porSha256: ReadonlyMap<string, X509Certificate>,
): Set<string> {
  const accepted = new Set<string>();
  for (const text of aceitarRaizes) {
    const sha256 = text.replace(/[:\s]/g, '').toLowerCase();
    const x509 = porSha256.get(sha256);
    if (!SHA256.test(sha256))
      throw new AutoridadesError(
        'icp_raiz_invalida',
        `"${text}" não é um SHA-256: são 64 dígitos hexadecimais, com ou sem dois-pontos.`,
      );
    if (!x509)
      throw new AutoridadesError(
        'icp_raiz_invalida',
        `O arquivo não traz nenhum certificado de SHA-256 ${sha256}.`,
      );
    if (!x509.ca || x509.subject !== x509.issuer)
      throw new AutoridadesError('icp_raiz_invalida', `${nameOf(x509)} não é uma autoridade raiz.`);
    accepted.add(sha256);
  }
  return accepted;
}

function fingerprint(x509: X509Certificate): string {
  return hash('sha256', x509.raw, 'hex');
}

/** CN, or the last part of the name where there is none. */
function nameOf({ subject }: X509Certificate): string {
  const lines = (subject ?? '').split('\n');
  return (lines.findLast((line) => line.startsWith('CN=')) ?? lines.at(-1) ?? '').replace(/^[A-Za-z]+=/, '');
}

function listed(x509: X509Certificate): AutoridadeListada {
  const iso = (text: string) =>
    Number.isNaN(Date.parse(text)) ? null : new Date(Date.parse(text)).toISOString();
  return {
    nome: nameOf(x509),
    sha256: fingerprint(x509),
    validaDe: iso(x509.validFrom),
    validaAte: iso(x509.validTo),
  };
}

/** All authorities that count, roots first, each kind by name. */
export async function listAutoridades(
  db: Db,
): Promise<(AutoridadeListada & { confianca: Confianca | null; instaladaEm: number | null })[]> {
  const all = (await todasAsAutoridades(db)).flatMap(({ der, confianca, instaladaEm }) =>
    readCertificados(der).map((x509) => ({ ...listed(x509), confianca, instaladaEm })),
  );
  const rank = ({ confianca }: { confianca: Confianca | null }) => (confianca === null ? 1 : 0);
  return all.sort((a, b) => rank(a) - rank(b) || a.nome.localeCompare(b.nome, 'pt-BR', { numeric: true }));
}
