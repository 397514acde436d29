/** Notes whose layout nobody reads yet. They are kept here until their office has taught it, or installed it. */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { AEnsinar } from '../../fiscal/tipos.ts';
import { sha256De } from '../bytes/conteudo.ts';
import type { AEnsinarGuardado, Trx } from '../tipos.ts';
import * as queries from './queries-leiautes.ts';

/** What of one office may wait: what comes beside it is refused, and only in the file that was sent. */
const ESPERAM_MAX = { arquivos: 10_000, bytes: 500_000_000 } as const;

/** The longest that a file inside an upload may be, with a margin for what was decoded. */
const ABERTO_MAX_BYTES = 32 * 1024 * 1024;

/** Packs what is to wait; made where it was read, and carried to the store as it is. */
export function guardar({ forma, bytes }: AEnsinar, revisao: number): AEnsinarGuardado {
  const packed = new Uint8Array(zstdCompressSync(bytes));
  return { forma, digest: sha256De(bytes), bytes: packed, tamanho: bytes.length, revisao };
}

/** @returns the bytes as they came; null where they are damaged */
export function abrirGuardado(row: { bytes: Uint8Array; digest: string }): Uint8Array | null {
  try {
    const bytes = zstdDecompressSync(row.bytes, { maxOutputLength: ABERTO_MAX_BYTES });
    return sha256De(bytes) === row.digest ? bytes : null;
  } catch {
    return null;
  }
}

export interface Chegada {
  guardado: AEnsinarGuardado;
  arquivoNumero: number;
  itemOrdem: number;
  /** Of the item. */
  caminho: string;
}

/**
 * Keeps what came; what waits already is kept once.
 * @returns digests of those that are not kept, since too much waits
 */
export async function keepAEnsinar(
  trx: Trx,
  input: { contadorId: number; agora: number; chegadas: readonly Chegada[] },
): Promise<ReadonlySet<string>> {
  const { contadorId, agora } = input;
  const demais = new Set<string>();
  const porDigest = Map.groupBy(input.chegadas, ({ guardado }) => guardado.digest);
  const there = await queries.findPorDigest(trx, { contadorId, digests: [...porDigest.keys()] });
  const { quantas, tamanho } = await queries.sumEsperando(trx, contadorId);
  let [arquivos, bytes] = [quantas, tamanho];
  for (const [digest, [first]] of porDigest) {
    if (!first || there.has(digest)) continue;
    arquivos += 1;
    bytes += first.guardado.tamanho;
    if (arquivos > ESPERAM_MAX.arquivos || bytes > ESPERAM_MAX.bytes) demais.add(digest);
    else await queries.insertNota(trx, linhaDe(first, { contadorId, agora }));
  }
  return demais;
}

function linhaDe(chegada: Chegada, scope: { contadorId: number; agora: number }) {
  const { digest, forma, bytes, tamanho, revisao } = chegada.guardado;
  return {
    contador_id: scope.contadorId,
    digest,
    forma,
    bytes,
    tamanho,
    tentada: revisao,
    arquivo_numero: chegada.arquivoNumero,
    item_ordem: chegada.itemOrdem,
    caminho: chegada.caminho,
    criado_em: scope.agora,
  };
}
