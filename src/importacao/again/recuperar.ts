import { hash } from 'node:crypto';
import type { Leitura } from '../../documentos/leiautes/leituras.ts';
import { lerConteudo, type ValidadorDeEsquema } from '../../fiscal/ler.ts';
import { entradasDe } from '../unpack/entradas.ts';

/**
 * Finds documents again in the bytes of the upload that they came in, by reading that as the import did: once for all of them.
 * @param input.documentos SHA-256 of each document's bytes, hex
 * @param deps.leituras the ways in which its office reads, or has read
 * @returns the bytes of those that are in there
 */
export async function* recuperarDoEnvio(
  input: { envio: Uint8Array; documentos: ReadonlySet<string> },
  deps: { validador: ValidadorDeEsquema; leituras?: readonly Leitura[] },
): AsyncGenerator<Uint8Array> {
  const missing = new Set(input.documentos);
  const found = (bytes: Uint8Array) => missing.delete(hash('sha256', bytes));
  // Most documents are an entry of their own: found without reading any.
  for await (const { bytes } of contentsOf(input.envio)) {
    if (found(bytes)) yield bytes;
    if (missing.size === 0) return;
  }
  for await (const { caminho, bytes } of contentsOf(input.envio)) {
    for (const familias of deps.leituras ?? [undefined]) {
      for (const peca of lerConteudo({ bytes, nome: caminho || 'documento.xml' }, { ...deps, familias })) {
        if (peca.resultado === 'lida' && found(peca.bytes)) yield peca.bytes;
      }
      if (missing.size === 0) return;
    }
  }
}

/** Finds the protocols of a key in the bytes of the upload that brought them without their document. */
export async function recuperarProtocolos(
  input: { envio: Uint8Array; chave: string },
  deps: { validador: ValidadorDeEsquema },
): Promise<Uint8Array[]> {
  const found: Uint8Array[] = [];
  for await (const { caminho, bytes } of contentsOf(input.envio)) {
    for (const peca of lerConteudo({ bytes, nome: caminho || 'documento.xml' }, deps)) {
      const protocolos = ('protocolos' in peca && peca.protocolos) || [];
      for (const { chave, bytes } of protocolos) if (chave === input.chave) found.push(bytes);
    }
  }
  return found;
}

async function* contentsOf(bytes: Uint8Array): AsyncGenerator<{ caminho: string; bytes: Uint8Array }> {
  for await (const entrada of entradasDe({ bytes, prontas: 0 })) if ('bytes' in entrada) yield entrada;
}
