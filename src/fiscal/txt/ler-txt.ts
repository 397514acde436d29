import { piecesIn, tooManyText } from '../pecas.ts';
import { reject } from '../rejeicoes.ts';
import { pieceWithoutSignature } from '../sem-assinatura.ts';
import type { Codificacao, Peca } from '../tipos.ts';
import { LINES_LIMIT, type Linha, readLinhas, type TextoDeLinhas } from './linhas.ts';
import { readNotaTxt, totaisDe } from './nota-txt.ts';
import { lerTotais } from './totais.ts';

const MOTIVOS = { assinatura: 'O layout TXT não tem assinatura.', esquema: 'TXT não tem esquema.' };
const HEADER = /^NOTA ?FISCAL$/;

function refused(codigo: 'txt_mal_formado' | 'pecas_demais', mensagem: string, linha: number | null): Peca {
  return { resultado: 'rejeitada', especie: 'NFe', chave: null, rejeicao: reject(codigo, mensagem, linha) };
}

/** Each note begins with its line A. */
function splitNotes(linhas: readonly Linha[]): [Linha, ...Linha[]][] {
  const notes: [Linha, ...Linha[]][] = [];
  for (const linha of linhas) {
    if (linha.letra === 'A') notes.push([linha]);
    // A header may come again before each note where files were put together.
    else if (!HEADER.test(linha.letra)) notes.at(-1)?.push(linha);
  }
  return notes;
}

/** The note's lines as they stand, behind a header for one note, where the file has one. */
function cut(texto: TextoDeLinhas, note: readonly [Linha, ...Linha[]]): Uint8Array {
  const header = texto.linhas.find(({ letra }) => HEADER.test(letra));
  const first = note[0];
  const last = note.at(-1) ?? first;
  const lines = texto.bytes.subarray(first.inicio, last.fim);
  if (!header) return lines;
  const end = texto.bytes.subarray(header.inicio, header.fim);
  const newline = end.at(-2) === 0x0d ? '\r\n' : end.at(-1) === 0x0d ? '\r' : '\n';
  return Buffer.concat([Buffer.from(`${header.letra}|1|${newline}`, 'latin1'), lines]);
}

/**
 * Reads an NF-e TXT: each note in it is a document without protocol (`Pendente`), as what a taxpayer's system wrote
 * for the emitter program. A file of one note is kept as it came; of several, each is kept by itself, its lines
 * untouched behind `NOTAFISCAL|1|`.
 *
 * @fonte docs/regras.md, uploads (`.txt`); TXT layout of the emissor NF-e
 */
export function readTxt(file: { bytes: Uint8Array; avisos: readonly string[] }): Peca[] {
  const texto = readLinhas(file.bytes);
  if (!texto) {
    const mensagem = `O arquivo traz mais de ${LINES_LIMIT} linhas; divida-o em arquivos menores.`;
    return [refused('pecas_demais', mensagem, null)];
  }
  const notes = splitNotes(texto.linhas);
  if (notes.length === 0) {
    return [
      refused(
        'txt_mal_formado',
        'O TXT da NF-e não tem a linha A, com que cada nota começa. Exporte a nota de novo, ou envie o XML.',
        texto.linhas[0]?.numero ?? null,
      ),
    ];
  }
  const limit = piecesIn(file.bytes.length);
  if (notes.length > limit) return [refused('pecas_demais', tooManyText(limit), null)];
  const totais = lerTotais(notes.map(totaisDe));
  return notes.map((note, index) => {
    const reading = readNotaTxt(note, totais[index] ?? null);
    if (!reading.ok) {
      const { especie, chave, rejeicao } = reading;
      return { resultado: 'rejeitada', especie, chave, rejeicao };
    }
    const { registro } = reading;
    const kept: { bytes: Uint8Array; codificacao: Codificacao } =
      notes.length === 1
        ? { bytes: file.bytes, codificacao: originalEncoding(file.bytes, texto) }
        : { bytes: cut(texto, note), codificacao: texto.codificacao };
    const whole = { ...registro, avisos: [...file.avisos, ...registro.avisos] };
    return pieceWithoutSignature(whole, { ...kept, motivos: MOTIVOS });
  });
}

function originalEncoding(bytes: Uint8Array, texto: TextoDeLinhas): Codificacao {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : texto.codificacao;
}
