import { gunzipSync } from 'node:zlib';
import type { CodigoRejeicao } from '../rejeicoes.ts';
import { semDataUri } from './base64.ts';
import { COMPACTADOS, type Orcamento } from './limites.ts';

export type Inflado =
  | { ok: true; bytes: Uint8Array }
  | { ok: false; codigo: CodigoRejeicao; mensagem: string };

const CORROMPIDO = 'O conteúdo compactado (gzip) está corrompido ou incompleto. Baixe-o de novo e envie-o.';
const GRANDE = `O conteúdo compactado passa de ${COMPACTADOS.bytesDeUm / 1_000_000} MB. Envie os documentos soltos ou em um .zip.`;
const GRANDES = `Os conteúdos compactados do arquivo passam, juntos, de ${COMPACTADOS.bytesDeTodos / 1_000_000} MB. Divida o arquivo.`;
const SUSPEITO = `O conteúdo cresce mais de ${COMPACTADOS.razao} vezes ao ser descompactado e não foi lido. Envie o XML sem compressão.`;

const BASE64 = /^[0-9A-Za-z+/_-]*={0,2}$/;

function tooBig(mensagem: string): Inflado {
  return { ok: false, codigo: 'compactado_grande_demais', mensagem };
}

/**
 * Inflates one gzip content. Memory is bounded before anything is inflated: what would pass a limit is never whole
 * in memory.
 * @param orcamento what the file may still cost; reduced by what was inflated
 * @fonte docs/regras.md, uploads
 */
export function inflar(bytes: Uint8Array, orcamento: Orcamento): Inflado {
  const byRatio = Math.max(COMPACTADOS.razaoDesde, bytes.length * COMPACTADOS.razao);
  const limit = Math.min(COMPACTADOS.bytesDeUm, orcamento.bytes, byRatio);
  if (limit <= 0) return tooBig(GRANDES);
  try {
    const inflated = gunzipSync(bytes, { maxOutputLength: limit });
    orcamento.bytes -= inflated.length;
    return { ok: true, bytes: new Uint8Array(inflated.buffer, inflated.byteOffset, inflated.length) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') {
      return { ok: false, codigo: 'compactado_invalido', mensagem: CORROMPIDO };
    }
    // The work was done all the same: a file of nothing but bombs must come to an end.
    orcamento.bytes -= limit;
    if (limit === COMPACTADOS.bytesDeUm) return tooBig(GRANDE);
    return tooBig(limit === byRatio ? SUSPEITO : GRANDES);
  }
}

const XML = /^(?:\u00ef\u00bb\u00bf)?\s*<[?A-Za-z]/;

/** Some services leave the compression out. */
function isXml(bytes: Buffer): boolean {
  return XML.test(bytes.toString('latin1', 0, 64));
}

function asItIs(bytes: Buffer, orcamento: Orcamento): Inflado {
  if (bytes.length > COMPACTADOS.bytesDeUm) return tooBig(GRANDE);
  if (bytes.length > orcamento.bytes) return tooBig(GRANDES);
  orcamento.bytes -= bytes.length;
  return { ok: true, bytes: new Uint8Array(bytes) };
}

function decodeBase64(text: string): Buffer | null {
  const bare = semDataUri(text).replace(/[\s\ufeff]+/g, '');
  return BASE64.test(bare) ? Buffer.from(bare, 'base64') : null;
}

/** How gzip begins in Base64. */
const GZIP_BASE64 = Buffer.from('H4sI');

/** Events of SEFIN Nacional are the Base64 of a text that is itself Base64 of gzip. @fonte API of SEFIN Nacional, eventos */
function withoutSecondLayer(bytes: Buffer | null): Buffer | null {
  return bytes?.subarray(0, GZIP_BASE64.length).equals(GZIP_BASE64)
    ? decodeBase64(bytes.toString('latin1'))
    : bytes;
}

/** Decodes Base64 (line breaks and the URL alphabet tolerated) and inflates it. */
export function inflarBase64(text: string, orcamento: Orcamento): Inflado {
  const bytes = withoutSecondLayer(decodeBase64(text));
  if (bytes?.[0] === 0x1f && bytes[1] === 0x8b) return inflar(bytes, orcamento);
  if (bytes && isXml(bytes)) return asItIs(bytes, orcamento);
  return {
    ok: false,
    codigo: 'compactado_invalido',
    mensagem: 'O conteúdo não é Base64 de um documento compactado (gzip). Baixe-o de novo e envie-o.',
  };
}
