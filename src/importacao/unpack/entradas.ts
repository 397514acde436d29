import { failpoint } from '../../platform/failpoint.ts';
import { DOCUMENTO_MAX_BYTES, ENTRADA_PESO_BYTES, LOTE_BYTES, LOTE_ENTRADAS } from '../limites.ts';
import type { EntradaParaLer } from '../tipos.ts';
import { type UnpackedEntry, unpack } from './unpack.ts';

/** Faults that the import area finds in a file, besides those of zips and of documents. Listed in docs/erros.md. */
export const FALHAS_DO_ARQUIVO = {
  documento_grande_demais:
    'O arquivo passa de 10 MB. Se reúne vários documentos, separe-os ou envie-os em um .zip.',
  documento_nao_processavel:
    'O conteúdo não pôde ser lido: passou do tempo ou da memória que um documento pode usar. Confira o arquivo na origem.',
  itens_demais:
    'O envio traz mais de 300.000 itens: os que vêm depois destes não foram lidos. Divida-o em envios menores.',
  sem_documentos:
    'Nenhum documento fiscal foi encontrado no arquivo. Envie os XML dos documentos, soltos ou em .zip.',
  falha_interna:
    'O serviço não conseguiu processar o arquivo, e o motivo não está nele. Envie-o de novo; se persistir, informe o id do arquivo a quem opera o serviço.',
} as const;

/**
 * What is in an upload, in an order that depends on its bytes alone; `prontas` entries from its beginning are left
 * out, since they were committed before. By content, not by name: what holds files is unpacked, anything else is one content.
 */
export async function* entradasDe(input: {
  bytes: Uint8Array;
  prontas: number;
}): AsyncGenerator<EntradaParaLer> {
  const entradas = unpack(input.bytes);
  if (!entradas) {
    if (input.prontas === 0) yield soleContent(input.bytes);
    return;
  }
  for await (const entrada of entradas) if (entrada.ordem >= input.prontas) yield paraLer(entrada);
}

function paraLer(entrada: UnpackedEntry): EntradaParaLer {
  failpoint('zip_no_meio', () => entrada.caminho);
  return entrada.resultado === 'arquivo'
    ? { caminho: entrada.caminho, bytes: entrada.bytes }
    : semOrdem(entrada);
}

function semOrdem<T extends { ordem: number }>({ ordem: _ordem, ...entrada }: T): Omit<T, 'ordem'> {
  return entrada;
}

function soleContent(bytes: Uint8Array): EntradaParaLer {
  if (bytes.length <= DOCUMENTO_MAX_BYTES) return { caminho: '', bytes };
  const codigo = 'documento_grande_demais';
  return { caminho: '', resultado: 'rejeitado', codigo, mensagem: FALHAS_DO_ARQUIVO[codigo] };
}

export interface LoteDeEntradas {
  entradas: EntradaParaLer[];
  /** What it holds in memory at most until it is committed. */
  pesoBytes: number;
  /** Nothing comes behind it. */
  ultimo: boolean;
}

/** Stands for everything behind what is read of an upload with too many items. */
export function loteDosQueSobram(): LoteDeEntradas {
  const codigo = 'itens_demais';
  const entrada = {
    caminho: '',
    resultado: 'rejeitado',
    codigo,
    mensagem: FALHAS_DO_ARQUIVO[codigo],
  } as const;
  return { entradas: [entrada], pesoBytes: ENTRADA_PESO_BYTES, ultimo: true };
}

/** Groups entries for the readers. There is always a last batch, an empty one if need be. */
export async function* emLotes(entradas: AsyncIterable<EntradaParaLer>): AsyncGenerator<LoteDeEntradas> {
  let batch: EntradaParaLer[] = [];
  let bytes = 0;
  let copied = 0;
  const close = (ultimo: boolean): LoteDeEntradas => {
    const pesoBytes = bytes + copied + batch.length * ENTRADA_PESO_BYTES;
    const closed = { entradas: batch, pesoBytes, ultimo };
    batch = [];
    bytes = 0;
    copied = 0;
    return closed;
  };
  for await (const entrada of entradas) {
    // Closed only when the next one is here, so that the last batch is known to be the last.
    if (batch.length >= LOTE_ENTRADAS || bytes >= LOTE_BYTES) yield close(false);
    batch.push(entrada);
    if (!('bytes' in entrada)) continue;
    bytes += entrada.bytes.length;
    // There are never many copies of small ones at once. A few large ones would be as much as all that may be in flight.
    if (entrada.bytes.length > LOTE_BYTES) copied += entrada.bytes.length;
  }
  yield close(true);
}
