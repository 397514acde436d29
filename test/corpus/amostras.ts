import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Real documents of public repositories; they stand beside the project where it is developed, never in it. */
export const CORPUS = join(import.meta.dirname, '..', '..', '..', 'shared', 'corpus');

/** What issue by issue must be readable; other families follow. */
const KINDS = /^(?:nfeProc-|nfceProc-|nfe-semprot$|nfce-semprot$|procEventoNFe-|lote-enviNFe$|retInutNFe$)/;

/** One row of the corpus' manifest, as far as it is used here. */
export interface Manifesto {
  file: string;
  kind: string;
  root: string;
  sha256: string;
  accessKey: string | null;
  mod: string | null;
  tpAmb: string | null;
  cStat: string | null;
  tpEvento: string | null;
  hasSignature: boolean;
  signature: string | null;
  docsInside: number | null;
}

export interface Amostra {
  file: string;
  sha256: string;
  bytes: Buffer;
  manifest: Manifesto;
}

export function readCorpus(): Amostra[] {
  const { files } = JSON.parse(readFileSync(join(CORPUS, 'manifest.json'), 'utf8')) as { files: Manifesto[] };
  return files
    .filter(({ kind }) => KINDS.test(kind))
    .map((manifest) => ({
      file: manifest.file,
      sha256: manifest.sha256,
      bytes: readFileSync(join(CORPUS, manifest.file)),
      manifest,
    }));
}

const VERDICTS: Readonly<Record<string, string>> = {
  'all-verify': 'integra',
  'digest-mismatch': 'alterada',
  'no-target': 'alterada',
  'broken-signature': 'alterada',
  'digest-ok-rsa-fails': 'alterada',
};

/** The verdict that agrees with the manifest; null where any does (its makers could not check the signature). */
export function assinaturaEsperada({ hasSignature, signature }: Manifesto): string | null {
  return hasSignature ? (VERDICTS[signature ?? ''] ?? null) : 'sem_assinatura';
}
