import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** Real documents of public repositories; they stand beside the project where it is developed, never in it. */
export const CORPUS = join(import.meta.dirname, '..', '..', '..', 'shared', 'corpus');

/** Why tests of the collection do not run where it is missing. */
export const SEM_ACERVO =
  'the collection of real documents (../shared/corpus) is not beside the project; it is not part of it';

/** One row of the collection's manifest, made by other programs than ours, as far as it is used here. */
export interface Manifesto {
  file: string;
  kind: string;
  root: string | null;
  sha256: string;
  accessKey: string | null;
  mod: string | null;
  tpAmb: string | null;
  cStat: string | null;
  tpEvento: string | null;
  hasSignature: boolean;
  signature: string | null;
  wellFormed: boolean | null;
}

export interface Amostra {
  /** Inside the collection. */
  arquivo: string;
  /** Hash and extension: no name of the collection gets into the project. */
  nome: string;
  kind: string;
  sha256: string;
  bytes: Buffer;
  /** Null for what was broken on purpose: those are described in another way. */
  manifesto: Manifesto | null;
}

const QUEBRADOS = 'quebrados';

function sample(
  arquivo: string,
  row: { kind: string; sha256: string; manifesto: Manifesto | null },
): Amostra {
  const nome = `${row.sha256}${extname(arquivo).toLowerCase()}`;
  return { arquivo, nome, ...row, bytes: readFileSync(join(CORPUS, arquivo)) };
}

/** The whole collection, and the files that were broken on purpose behind it. */
export function readAcervo(): Amostra[] {
  const manifest = <T>(...path: string[]): T[] =>
    (JSON.parse(readFileSync(join(CORPUS, ...path), 'utf8')) as { files: T[] }).files;
  return [
    ...manifest<Manifesto>('manifest.json').map((manifesto) =>
      sample(manifesto.file, { kind: manifesto.kind, sha256: manifesto.sha256, manifesto }),
    ),
    ...manifest<{ file: string; sha256: string }>(QUEBRADOS, 'manifest.json').map(({ file, sha256 }) =>
      sample(join(QUEBRADOS, file), { kind: QUEBRADOS, sha256, manifesto: null }),
    ),
  ];
}

/** Kinds that are documents or events of the five families, or files that hold them: refusing one needs a reason. */
const DAS_FAMILIAS =
  /^(?:nfe|nfce|cte|cfe)|^(?:procEvento|nfse-(?:nacional|abrasf|outros|sp-paulistana)|lote-enviNFe|retInutNFe|ret(?:Dist|Env)|ret-consulta|res(?:NFe|Evento)|soap)/;

export function ehDasFamilias(kind: string): boolean {
  return DAS_FAMILIAS.test(kind);
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
