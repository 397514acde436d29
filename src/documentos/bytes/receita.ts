/**
 * The recipe of an upload: how its bytes follow from the documents in the vault. What was sent is nearly always a zip
 * of documents that are kept anyway, each deflated; so the zip's own bytes are kept (headers, names, what is no
 * document), and for each document which one it is and which setting of deflate gives the very bytes that came.
 *
 * A recipe counts on deflate giving the same bytes for ever: a test holds its output, so that a Node whose zlib
 * deflates otherwise does not come in unnoticed.
 */
import { createRequire } from 'node:module';
import { constants, deflateRawSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type pako from 'pako';

/** Loaded with the first recipe that asks for it: most never do, and each thread would hold it. */
const zlibAsWritten = () => createRequire(import.meta.url)('pako') as typeof pako;

/** A way to deflate that writers of zips use. */
export interface Deflacao {
  /**
   * `zlib`: as zlib itself does it, and with it Java, PHP, Python …: done by pako, which gives the same bytes. `node`:
   * as Node and Chromium do it, whose zlib finds other repetitions.
   */
  motor: 'node' | 'zlib';
  level: number;
  memLevel: number;
}

export type Passo =
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'documento'; versaoId: number }
  | { kind: 'deflate'; deflacao: Deflacao; passos: Passo[] };

/** Those that are tried, the likeliest first; their place is their number in a recipe, so only append. */
export const DEFLACOES: readonly Deflacao[] = (['node', 'zlib'] as const).flatMap((motor) =>
  [6, 9, 1, 5, 8, 7, 4, 3, 2].flatMap((level) => [8, 9].map((memLevel) => ({ motor, level, memLevel }))),
);

const VERSAO = 1;
const FIM = 0;
const BYTES = 1;
const DOCUMENTO = 2;
/** And above: the number of the setting. */
const DEFLATE = 3;
const RECEITA_MAX_BYTES = 64 * 1024 * 1024;
const ZSTD_LEVEL = 12;

/** Zips inside zips are followed as deep as they are unpacked, and no deeper. */
const PROFUNDIDADE_MAX = 8;

/** Compresses bytes as the writer of an upload did. */
export function deflacaoComo(bytes: Uint8Array, { motor, level, memLevel }: Deflacao): Buffer {
  return motor === 'node'
    ? deflateRawSync(bytes, { level, memLevel })
    : Buffer.from(zlibAsWritten().deflateRaw(bytes, { level, memLevel }));
}

/** Steps first, then all plain bytes one behind the other, compressed together. */
export function writeReceita(passos: readonly Passo[]): Uint8Array {
  const numbers: number[] = [];
  const literals: Uint8Array[] = [];
  let before = 0;
  const put = (value: number) => {
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) numbers.push((rest % 128) | 0x80);
    numbers.push(rest);
  };
  const write = (steps: readonly Passo[]) => {
    for (const step of steps) {
      switch (step.kind) {
        case 'bytes':
          put(BYTES);
          put(step.bytes.length);
          literals.push(step.bytes);
          break;
        case 'documento': {
          // Documents of one file have numbers that follow each other: what changes is small.
          const change = step.versaoId - before;
          put(DOCUMENTO);
          put(change >= 0 ? change * 2 : -change * 2 - 1);
          before = step.versaoId;
          break;
        }
        case 'deflate':
          put(DEFLATE + numberOf(step.deflacao));
          write(step.passos);
          put(FIM);
      }
    }
  };
  write(passos);
  put(FIM);
  const head = Buffer.alloc(5);
  head.writeUInt8(VERSAO, 0);
  head.writeUInt32LE(numbers.length, 1);
  return new Uint8Array(
    zstdCompressSync(Buffer.concat([head, Uint8Array.from(numbers), ...literals]), {
      params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
    }),
  );
}

function numberOf(deflacao: Deflacao): number {
  return DEFLACOES.findIndex(
    ({ motor, level, memLevel }) =>
      motor === deflacao.motor && level === deflacao.level && memLevel === deflacao.memLevel,
  );
}

/** @throws when it is damaged, or of a later version */
export function readReceita(receita: Uint8Array): Passo[] {
  const bytes = zstdDecompressSync(receita, { maxOutputLength: RECEITA_MAX_BYTES });
  if (bytes[0] !== VERSAO) throw new Error(`unknown version of a recipe: ${bytes[0]}`);
  let literalAt = 5 + bytes.readUInt32LE(1);
  const end = literalAt;
  let at = 5;
  let before = 0;
  const take = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++];
      if (byte === undefined || at > end) throw new Error('a recipe is cut');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  const read = (depth: number): Passo[] => {
    if (depth > PROFUNDIDADE_MAX) throw new Error('a recipe is nested too deeply');
    const steps: Passo[] = [];
    for (;;) {
      const code = take();
      if (code === FIM) return steps;
      if (code === BYTES) {
        const length = take();
        if (literalAt + length > bytes.length) throw new Error('a recipe is cut');
        steps.push({ kind: 'bytes', bytes: bytes.subarray(literalAt, literalAt + length) });
        literalAt += length;
      } else if (code === DOCUMENTO) {
        const change = take();
        before += change % 2 === 0 ? change / 2 : -(change + 1) / 2;
        steps.push({ kind: 'documento', versaoId: before });
      } else {
        const deflacao = DEFLACOES[code - DEFLATE];
        if (!deflacao) throw new Error(`unknown step of a recipe: ${code}`);
        steps.push({ kind: 'deflate', deflacao, passos: read(depth + 1) });
      }
    }
  };
  return read(0);
}

/** All documents that a recipe needs. */
export function versoesDa(passos: readonly Passo[]): number[] {
  return passos.flatMap((passo) => {
    if (passo.kind === 'documento') return [passo.versaoId];
    return passo.kind === 'deflate' ? versoesDa(passo.passos) : [];
  });
}

/**
 * The bytes that some steps give. A generator, so that a long upload is made bit by bit: between two pieces the
 * caller may do something else.
 */
export function* montar(
  passos: readonly Passo[],
  documento: (versaoId: number) => Uint8Array,
): Generator<Uint8Array> {
  for (const passo of passos) {
    if (passo.kind === 'bytes') yield passo.bytes;
    else if (passo.kind === 'documento') yield documento(passo.versaoId);
    else yield deflacaoComo(Buffer.concat([...montar(passo.passos, documento)]), passo.deflacao);
  }
}
