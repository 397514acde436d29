/**
 * Trains the dictionary that documents are compressed with: `node scripts/dicionario.ts <número>`, from the
 * generator's documents, with the program `zstd`. A dictionary is data for ever: what was compressed with it is read
 * with it, so a number that is in use is never made again (the script refuses), and a better one gets the next number
 * and a form of its own (`src/documentos/bytes/conteudo.ts`).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateCenario } from '../src/gerador/cenario.ts';

const MAX_BYTES = 65_536;
const SEEDS = ['a', 'b', 'c', 'd', 'e', 'f'];

const numero = Number(process.argv[2]);
if (!Number.isInteger(numero) || numero < 1) throw new Error('usage: node scripts/dicionario.ts <número>');
const target = fileURLToPath(new URL(`../dicionarios/${numero}.zstd`, import.meta.url));
if (existsSync(target)) throw new Error(`dictionary ${numero} is in use: take the next number`);

const folder = mkdtempSync(join(tmpdir(), 'malote-dicionario-'));
try {
  let count = 0;
  for (const seed of SEEDS) {
    for (const { bytes } of documents(seed))
      writeFileSync(join(folder, String(count++)), withoutNoise(bytes));
  }
  const args = ['--train', '-r', folder, `--maxdict=${MAX_BYTES}`, `--dictID=${numero}`, '-o', target];
  const { status, error } = spawnSync('zstd', args, { stdio: 'inherit' });
  if (error || status !== 0) throw new Error('zstd could not train', { cause: error });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function documents(seed: string) {
  return generateCenario({
    semente: `dicionario-${seed}`,
    clientes: 10,
    documentos: 400,
    inicio: '2025-03-01',
    meses: 2,
    denegadas: 5,
    pendentes: 10,
    outras: 120,
  }).documentos;
}

/** Certificates, signatures and digests come once: in a dictionary they would take the place of what repeats. */
function withoutNoise(bytes: Uint8Array): Buffer {
  const text = Buffer.from(bytes).toString('latin1');
  return Buffer.from(text.replace(/((?:X509Certificate|SignatureValue|DigestValue)>)[^<]*/g, '$1'), 'latin1');
}
