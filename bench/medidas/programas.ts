import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Conjunto } from '../conjunto.ts';

/**
 * Runs a ready program of others over all files of a set, in one process. Its start and the reading of the files are in the
 * time. It extracts no fields and stores nothing.
 * @returns documents a second, by the clock
 */
export type Programa = () => number;

const OUTPUT_BYTES = 64 * 1024 * 1024;
const ASSINADO = 'http://www.portalfiscal.inf.br/nfe:infNFe';

/** libxml2 in C: form and XSD of every file, the schema compiled once. Null where xmllint is not installed. */
export function xmllint(conjunto: Conjunto): Programa | null {
  const schema = join(conjunto.esquema.pasta, conjunto.esquema.arquivo);
  const args = ['--noout', '--nonet', '--schema', schema];
  return prepare(conjunto, { program: 'xmllint', args, praise: / validates$/ });
}

/** The same and OpenSSL: form and signature of every file. Null where xmlsec1 is not installed. */
export function xmlsec1(conjunto: Conjunto): Programa | null {
  // Whom a certificate belongs to is not judged: those of the set are nobody's.
  const anyIssuer = ['--insecure', '--enabled-key-data', 'x509'];
  const args = ['--verify', ...anyIssuer, '--id-attr:Id', ASSINADO];
  return prepare(conjunto, { program: 'xmlsec1', args, praise: /^(?:OK|\w+ References \(ok\/all\): .*)?$/ });
}

/**
 * @param input.praise lines that say of a file that nothing is wrong with it
 * @throws when the program refuses a file of the set: it would not have done the same work
 */
function prepare(
  conjunto: Conjunto,
  { program, args, praise }: { program: string; args: readonly string[]; praise: RegExp },
): Programa | null {
  const names = conjunto.documentos.map(({ nome }) => nome);
  const run = () => {
    const startedAt = performance.now();
    const { status, error, stderr } = spawnSync(program, [...args, ...names], {
      cwd: conjunto.pasta,
      encoding: 'utf8',
      maxBuffer: OUTPUT_BYTES,
    });
    if (error) return null;
    if (status !== 0) throw new Error(`${program}: ${stderr.split('\n').find((line) => !praise.test(line))}`);
    return (names.length / (performance.now() - startedAt)) * 1000;
  };
  // The first run brings program, schema and files into the cache.
  if (run() === null) return null;
  return () => run() ?? Number.NaN;
}
