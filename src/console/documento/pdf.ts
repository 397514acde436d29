/**
 * Draws a document for paper: DANFE of NF-e and NFC-e by a library, our own DACTE, a plain sheet of everything else. What is drawn
 * comes from our own reading of the bytes (`danfe.ts`).
 */
import { createRequire } from 'node:module';
import { gerarPDF } from '@alexssmusica/node-pdf-nfe';
import type { Codificacao } from '../../fiscal/tipos.ts';
import { desenharDacte } from './dacte.ts';
import { dadosDoDacte } from './dacte-dados.ts';
import { xmlDaDanfe } from './danfe.ts';
import { desenharFolha } from './folha.ts';
import { arvoreDe, gruposDe, itensDe } from './leitura.ts';
import { desenharDanfe } from './pdf/danfe/danfe.ts';
import { notaDe } from './pdf/danfe/nota.ts';
import type { ContextoDoPdf } from './pdf/marcas.ts';

/** An access key as the library writes it: eleven groups of four. */
const CHAVE_EM_GRUPOS = /^(?:[0-9A-Z]{4} ){10}[0-9A-Z]{4}$/;
/** Points; a line that fills its width to the last is broken all the same. */
const CLEARANCE = 1;

keepChaveOnOneLine();

/** More rows make a book, not a sheet. */
const ITENS_NA_FOLHA = 990;
/** Characters of a sheet's groups, and of its items: some hundred pages. */
const CARACTERES_DA_FOLHA = 300_000;

/** The PDF of a document. @throws when the bytes cannot be read as one */
export async function desenhar(tarefa: {
  bytes: Uint8Array;
  codificacao: Codificacao;
  contexto: ContextoDoPdf;
}): Promise<Uint8Array> {
  const { bytes, codificacao, contexto } = tarefa;
  if (contexto.especie === 'NFe') {
    const tree = arvoreDe(bytes);
    const nota = tree && notaDe(tree);
    if (nota) return desenharDanfe(nota, contexto);
  }
  const xml = autorizada(bytes, contexto);
  if (xml !== null) {
    try {
      return await collect(await gerarPDF(xml, { cancelada: contexto.status === 'Cancelada' }));
    } catch {
      // What the library cannot draw is drawn as a plain sheet.
    }
  }
  const dacte = dacteDe(bytes, contexto);
  if (dacte) return collect(dacte);
  return collect(
    desenharFolha({
      contexto,
      grupos: gruposDe(bytes, codificacao, CARACTERES_DA_FOLHA),
      itens: itensDe(bytes, { pagina: 1, tamanho: ITENS_NA_FOLHA, caracteres: CARACTERES_DA_FOLHA }).itens,
    }),
  );
}

/** A CT-e or CT-e OS with its protocol, or bare: then marked as such. */
function dacteDe(bytes: Uint8Array, contexto: ContextoDoPdf): NodeJS.ReadableStream | null {
  const tree = ['CTe', 'CTeOS'].includes(contexto.especie) ? arvoreDe(bytes) : null;
  const dados = tree ? dadosDoDacte(tree) : null;
  return dados ? desenharDacte(dados, contexto) : null;
}

/** The XML that the library draws: an authorised (or cancelled) NF-e or NFC-e of production, with its protocol. */
function autorizada(bytes: Uint8Array, contexto: ContextoDoPdf): string | null {
  const drawn =
    ['NFe', 'NFCe'].includes(contexto.especie) && ['Autorizada', 'Cancelada'].includes(contexto.status);
  if (!drawn || contexto.homologacao) return null;
  const tree = arvoreDe(bytes);
  return tree && xmlDaDanfe(tree);
}

/** The whole of a PDF. Both makers hand out a stream that is ended, or ends by itself. */
function collect(stream: NodeJS.ReadableStream): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.on('error', reject);
    stream.on('end', () => resolve(new Uint8Array(Buffer.concat(pieces))));
  });
}

/**
 * The library writes the key in a size that fits digits; letters are wider, and the last group of a key with an
 * alphanumeric CNPJ fell below the frame. It draws with this pdfkit, in a thread that does nothing else: a key is written
 * as small as one line needs.
 */
function keepChaveOnOneLine(): void {
  const { prototype } = createRequire(import.meta.url)('pdfkit') as { prototype: PDFKit.PDFDocument };
  const write = prototype.text;
  prototype.text = function text(this: PDFKit.PDFDocument, ...args: unknown[]) {
    const [value, , , options] = args as [unknown, unknown, unknown, { width?: number } | undefined];
    if (typeof value === 'string' && options?.width && CHAVE_EM_GRUPOS.test(value))
      fit(this, { value, width: options.width });
    return Reflect.apply(write, this, args);
  };
}

function fit(doc: PDFKit.PDFDocument, { value, width }: { value: string; width: number }): void {
  const present = doc.widthOfString(value);
  if (present <= width) return;
  const perPoint = doc.fontSize(1).widthOfString(value);
  doc.fontSize((width - CLEARANCE) / perPoint);
}
