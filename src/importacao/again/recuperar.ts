import { hash } from 'node:crypto';
import { lerConteudo, type ValidadorDeEsquema } from '../../fiscal/ler.ts';
import { entradasDe } from '../unpack/entradas.ts';

/**
 * Finds a document again in the bytes of the upload that it came in, by reading that as the import did.
 * @param documento SHA-256 of the document's bytes, hex
 * @returns its bytes; null when they are not in there
 */
export async function recuperarDoEnvio(
  input: { envio: Uint8Array; documento: string },
  deps: { validador: ValidadorDeEsquema },
): Promise<Uint8Array | null> {
  const is = (bytes: Uint8Array) => hash('sha256', bytes) === input.documento;
  // Most documents are an entry of their own: found without reading any.
  for await (const { bytes } of contentsOf(input.envio)) if (is(bytes)) return bytes;
  for await (const { caminho, bytes } of contentsOf(input.envio)) {
    for (const peca of lerConteudo({ bytes, nome: caminho || 'documento.xml' }, deps)) {
      if (peca.resultado === 'lida' && is(peca.bytes)) return peca.bytes;
    }
  }
  return null;
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
