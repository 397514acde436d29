import { digestOf, verifySignature } from './assinatura/verify.ts';
import { desmontar, nomear, PIECES_LIMIT } from './desmontar.ts';
import { sniff } from './detect.ts';
import type { Leitor } from './familias.ts';
import type { Leitura } from './leitura.ts';
import { tellNonXml } from './ler-outros.ts';
import { type Recorte, recortar } from './recortar.ts';
import { IGNORADOS, reject } from './rejeicoes.ts';
import type { Codificacao, Especie, Peca, Registro, Rejeicao, VeredictoEsquema } from './tipos.ts';
import { decodeXml } from './xml/decode.ts';
import { checkWellFormed } from './xml/libxml.ts';
import { type ScanResult, scanXml } from './xml/scan.ts';
import { walk, type XmlElement, type XmlTree } from './xml/tree.ts';

/** Judges a document against the official schema of its kind and layout. */
export interface ValidadorDeEsquema {
  validar(tree: XmlTree, root: XmlElement): VeredictoEsquema;
}

export interface DepsDaLeitura {
  validador: ValidadorDeEsquema;
}

/** A stretch of a file that may hold documents. */
interface Fonte {
  bytes: Uint8Array;
  /** The file's own bytes, kept as they are when the stretch is one document and nothing else. */
  original: { bytes: Uint8Array; codificacao: Codificacao };
  avisos: readonly string[];
  /** How often text inside elements was taken for XML of its own (escaped or CDATA documents in SOAP). */
  profundidade: number;
}

const WINDOW_BYTES = 16 * 1024;
const EMBEDDED_DEPTH_LIMIT = 2;
/** No document is shorter, and a message that is needs no name of its own. */
const EMBEDDED_MIN_BYTES = 200;
/** Refusals that say that a text was no document. */
const NOTHING_EMBEDDED: readonly string[] = ['documento_desconhecido', 'xml_mal_formado', 'doctype_proibido'];

function refused(rejeicao: Rejeicao, especie: Especie = 'Outro'): Peca {
  return { resultado: 'rejeitada', especie, chave: null, rejeicao };
}

/** Reads one document out of a tree of its own: every answer comes from the very bytes that are kept. */
function readPiece(
  deps: DepsDaLeitura,
  input: {
    ler: Leitor;
    tree: XmlTree;
    bytes: Uint8Array;
    codificacao: Codificacao;
    avisos: readonly string[];
  },
): Peca {
  const { tree, bytes, codificacao } = input;
  const { root } = tree;
  const reading: Leitura<Registro> = input.ler({
    tree,
    root,
    digest: (signed) => digestOf(tree, signed),
  });
  if (!reading.ok) {
    const { especie, chave, rejeicao } = reading;
    return { resultado: 'rejeitada', especie, chave, rejeicao };
  }
  const registro: Registro = { ...reading.registro, avisos: [...input.avisos, ...reading.registro.avisos] };
  return {
    resultado: 'lida',
    especie: registro.especie,
    registro,
    bytes,
    codificacao,
    esquema: deps.validador.validar(tree, root),
    assinatura: verifySignature(tree, reading.assinado),
  };
}

interface Embutido {
  ler: Leitor;
  tree: XmlTree;
  element: XmlElement;
  avisos: readonly string[];
}

/** Reads a slice as a document of its own. */
function readCut(deps: DepsDaLeitura, input: Embutido, slice: Recorte): Peca {
  const scan = scanXml(slice.bytes);
  if (!scan.ok) return refused(scan.rejeicao);
  const inner = scan.tree;
  // Places are told as they stand in the file that the person has, not in the slice.
  const tree: XmlTree = {
    bytes: inner.bytes,
    root: inner.root,
    position: (offset) => input.tree.position(slice.offsetNoArquivo(offset)),
    text: (element) => inner.text(element),
  };
  const { ler, avisos } = input;
  return readPiece(deps, { ler, avisos, tree, bytes: slice.bytes, codificacao: 'utf-8' });
}

/**
 * Cuts a document out of its wrapper and reads it. Where its signature does not hold without the wrapper's unused
 * prefixes, it may have been signed among them.
 */
function readSlice(deps: DepsDaLeitura, input: Embutido): Peca {
  const slice = recortar(input.tree, input.element);
  const piece = readCut(deps, input, slice);
  const broken = piece.resultado === 'lida' && piece.assinatura.resultado === 'alterada';
  if (!broken || !slice.deixouPrefixos) return piece;
  const whole = readCut(deps, input, recortar(input.tree, input.element, 'todos'));
  return whole.resultado === 'lida' && whole.assinatura.resultado === 'integra' ? whole : piece;
}

/** Documents that stand as text inside elements, escaped or in CDATA, as some SOAP services answer. */
function readEmbedded(deps: DepsDaLeitura, tree: XmlTree, source: Fonte): Peca[] {
  if (source.profundidade >= EMBEDDED_DEPTH_LIMIT) return [];
  const pieces: Peca[] = [];
  for (const element of walk(tree.root)) {
    if (element.children.length > 0 || element.contentEnd - element.contentStart < EMBEDDED_MIN_BYTES)
      continue;
    const text = tree.text(element).trim();
    if (!/^<(?:\?xml|[A-Za-z])/.test(text)) continue;
    // The text is UTF-8 here, whatever the declaration that travelled with it says.
    const bytes = new TextEncoder().encode(text.replace(/^<\?xml[^>]*\?>/, ''));
    const found = readRoots(deps, {
      bytes,
      original: { bytes, codificacao: 'utf-8' },
      avisos: [...source.avisos, 'O documento veio como texto dentro de outro XML.'],
      profundidade: source.profundidade + 1,
    });
    const place = tree.position(element.contentStart);
    for (const piece of found) {
      if (piece.resultado !== 'rejeitada') pieces.push(piece);
      // Markup in a message (HTML, a tag name) is no document: the file is better named by what surrounds it.
      else if (!NOTHING_EMBEDDED.includes(piece.rejeicao.codigo)) {
        pieces.push({ ...piece, rejeicao: { ...piece.rejeicao, ...place } });
      }
    }
  }
  return pieces;
}

/** Reads everything under one root. @param whole whether the root is all that the stretch holds */
function readRoot(deps: DepsDaLeitura, input: { tree: XmlTree; source: Fonte; whole: boolean }): Peca[] {
  const { tree, source } = input;
  const found = desmontar(tree);
  if (found.length === 0) {
    const embedded = readEmbedded(deps, tree, source);
    if (embedded.length > 0) return embedded;
    found.push(nomear(tree));
  }
  return found.map((achado) => {
    if (achado.tipo === 'recusado') {
      const { especie, chave, rejeicao } = achado.recusa;
      return { resultado: 'rejeitada', especie, chave, rejeicao };
    }
    const { avisos } = source;
    const { ler, element } = achado;
    return input.whole && element === tree.root
      ? readPiece(deps, { ler, tree, ...source.original, avisos })
      : readSlice(deps, { ler, tree, element, avisos });
  });
}

/** Where the next root begins behind one, and whether other content than white space and NULs stands before it. */
function findNext(bytes: Uint8Array): { start: number | null; junk: boolean } {
  const isBlank = (byte: number): boolean =>
    byte === 0 || byte === 9 || byte === 10 || byte === 13 || byte === 32;
  let at = 0;
  while (at < bytes.length && isBlank(bytes[at] ?? 0)) at++;
  if (at === bytes.length) return { start: null, junk: false };
  const first = at;
  for (; at < bytes.length; at++) {
    const next = bytes[at + 1] ?? 0;
    const isName = (next >= 65 && next <= 90) || (next >= 97 && next <= 122);
    // `<?` begins the declaration of the next document, a letter its root.
    if (bytes[at] === 0x3c && (isName || next === 0x3f)) return { start: at, junk: at > first };
  }
  return { start: null, junk: true };
}

/** Lines, and columns of the last one, that stand before a place in the file. */
interface Antes {
  linhas: number;
  colunas: number;
}

/** Moves the place of a fault in a later root to where it stands in the file. */
function moved(piece: Peca, before: Antes): Peca {
  if (piece.resultado !== 'rejeitada' || piece.rejeicao.linha === null) return piece;
  const { linha, coluna } = piece.rejeicao;
  return {
    ...piece,
    rejeicao: {
      ...piece.rejeicao,
      linha: linha + before.linhas,
      coluna: coluna !== null && linha === 1 ? coluna + before.colunas : coluna,
    },
  };
}

/** What stands before `to`, given what stands before `from`: one pass over a file, however many roots it has. */
function advance(before: Antes, bytes: Uint8Array, from: number, to: number): Antes {
  let { linhas, colunas } = before;
  let lineStart = from;
  for (let i = from; i < to; i++) {
    if (bytes[i] !== 0x0a) continue;
    linhas++;
    colunas = 0;
    lineStart = i + 1;
  }
  return { linhas, colunas: colunas + new TextDecoder().decode(bytes.subarray(lineStart, to)).length };
}

const JUNK: Peca = {
  resultado: 'ignorada',
  especie: 'Outro',
  codigo: 'lixo_depois_do_documento',
  mensagem: IGNORADOS.lixo_depois_do_documento,
};

function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 8));
}

/**
 * Scans the root at the start of a long stretch through windows that grow. A scan costs as much as the bytes it is
 * given: many small roots in one file would otherwise cost the square of its size.
 */
function scanWindow(bytes: Uint8Array): ScanResult {
  for (let size = WINDOW_BYTES; size < bytes.length; size *= 4) {
    const scan = scanXml(bytes.subarray(0, size));
    // A comment or instruction that the window cuts stops the scan before it: it is whole in a larger one.
    const cut = scan.ok && /^(?:$|<$|<!|<\?(?!xml[ \t\r\n]))/.test(latin1(bytes.subarray(scan.rest, size)));
    if (scan.ok && !cut) return scan;
  }
  return scanXml(bytes);
}

/** Reads a stretch of XML that may hold several roots, one behind the other, and junk behind the last. */
function readRoots(deps: DepsDaLeitura, source: Fonte): Peca[] {
  const pieces: Peca[] = [];
  let start = 0;
  let before: Antes = { linhas: 0, colunas: 0 };
  for (;;) {
    const bytes = source.bytes.subarray(start);
    const scan = start === 0 ? scanXml(bytes) : scanWindow(bytes);
    if (!scan.ok) {
      pieces.push(moved(refused(scan.rejeicao), before));
      break;
    }
    const next = findNext(bytes.subarray(scan.rest));
    const root = bytes.subarray(0, scan.rest);
    const malformed = checkWellFormed(root);
    const found = malformed
      ? [refused(malformed)]
      : readRoot(deps, { tree: scan.tree, source, whole: start === 0 && next.start === null && !next.junk });
    for (const piece of found) pieces.push(moved(piece, before));
    if (next.junk) pieces.push(JUNK);
    if (pieces.length > PIECES_LIMIT) {
      return [
        refused(
          reject(
            'pecas_demais',
            `O arquivo traz mais de ${PIECES_LIMIT} peças; divida-o em arquivos menores.`,
          ),
        ),
      ];
    }
    if (next.start === null) break;
    const following = start + scan.rest + next.start;
    before = advance(before, source.bytes, start, following);
    start = following;
  }
  return pieces;
}

function readXml(deps: DepsDaLeitura, bytes: Uint8Array): Peca[] {
  const decoded = decodeXml(bytes);
  if ('rejeicao' in decoded) return [refused(decoded.rejeicao)];
  return readRoots(deps, {
    bytes: decoded.bytes,
    original: { bytes, codificacao: decoded.codificacao },
    avisos: decoded.avisos,
    profundidade: 0,
  });
}

/**
 * Reads one file (no zip): finds every document, event and inutilização in it, whatever it is wrapped in, and says
 * of everything else what it is. Faults of the content are values, never exceptions.
 *
 * @param input.bytes the file, untouched; at most what the caller's limits allow
 * @param input.nome its name or path, which only tells whether a person meant it to be a document (`.xml`, `.txt`)
 * @param deps.validador schema judge; its verdict is kept, it never refuses
 * @returns at least one piece, in the order of the file
 * @fonte contract 3; domain 1.0, 9.1
 */
export function lerConteudo(input: { bytes: Uint8Array; nome: string }, deps: DepsDaLeitura): Peca[] {
  const formato = sniff(input.bytes);
  return formato === 'xml' ? readXml(deps, input.bytes) : tellNonXml(formato, input);
}
