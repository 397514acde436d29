/** One row of a list of notes, read by the description of a layout as if it were an element. */
import { isUtf8 } from 'node:buffer';
import { decodeText } from '../../detect.ts';
import { pieceWithoutSignature } from '../../sem-assinatura.ts';
import type { Chave, Codificacao, Documento, Peca, Rejeicao } from '../../tipos.ts';
import { scanXml } from '../../xml/scan.ts';
import type { LeiauteCompilado } from '../leiautes/compilar.ts';
import { readComLeiaute } from '../leiautes/ler-nota.ts';

const MOTIVOS = {
  assinatura: 'Uma linha de uma lista não tem assinatura.',
  esquema: 'Listas não têm esquema.',
};

/** Text as spreadsheets save it (UTF-16) in UTF-8; anything else as it is. */
export function semUtf16(bytes: Uint8Array): Uint8Array {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return isUtf16 ? new TextEncoder().encode(decodeText(bytes)) : bytes;
}

export function codificacaoDe(bytes: Uint8Array): Codificacao {
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

/** Text of bytes that stand as letters (`latin1`). */
export function decode(letters: string, codificacao: Codificacao): string {
  const bytes = Buffer.from(letters, 'latin1');
  return codificacao === 'utf-8' ? bytes.toString('utf8') : new TextDecoder('windows-1252').decode(bytes);
}

function escaped(text: string): string {
  // What XML cannot hold is no text of a note.
  const plain = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ' ');
  return plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** What keeps spreadsheets from taking digits for a number. */
const COMO_TEXTO = /^="(.*)"$/s;

/** Fields with their names as one element. */
export function elementoDe(campos: readonly (readonly [nome: string, texto: string])[]): string {
  const fields = campos.map(([nome, texto]) => {
    const text = texto.trim().replace(COMO_TEXTO, '$1');
    return text === '' || !/^[a-z]/.test(nome) ? '' : `<${nome}>${escaped(text)}</${nome}>`;
  });
  return `<linha>${fields.join('')}</linha>`;
}

/** A fault of a row, told where the row stands: places in what was made of it say nothing to people. */
export function refusedRow(linha: number, rejeicao: Rejeicao, chave: Chave | null = null): Peca {
  const mensagem = `Linha ${linha}: ${rejeicao.mensagem}`;
  return {
    resultado: 'rejeitada',
    especie: 'NFSe',
    chave,
    rejeicao: { codigo: rejeicao.codigo, mensagem, linha, coluna: null, elemento: null },
  };
}

/**
 * Reads a row.
 *
 * @param input.elemento of {@link elementoDe} @param input.bytes what is kept of it
 */
export function readRow(
  leiaute: LeiauteCompilado,
  input: {
    elemento: string;
    numero: number;
    bytes: Uint8Array;
    codificacao: Codificacao;
    avisos: readonly string[];
  },
): Peca {
  const scan = scanXml(new TextEncoder().encode(input.elemento));
  if (!scan.ok) return refusedRow(input.numero, scan.rejeicao);
  const reading = readComLeiaute(leiaute, { tree: scan.tree, root: scan.tree.root });
  if (!reading.ok) return refusedRow(input.numero, reading.rejeicao, reading.chave);
  const registro: Documento = {
    ...reading.registro,
    deLista: true,
    avisos: [
      ...input.avisos,
      'A NFS-e foi lida de uma linha de uma lista, que não tem assinatura; o XML dela diz mais.',
      ...reading.registro.avisos,
    ],
  };
  const { bytes, codificacao } = input;
  return pieceWithoutSignature(registro, { bytes, codificacao, motivos: MOTIVOS });
}
