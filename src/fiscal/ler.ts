import { scanFast, scanPlainFile, withPassingTrees } from './camadas.ts';
import { type Achado, desmontar, nomear } from './desmontar.ts';
import { decodeText, sniff } from './detect.ts';
import { comecaComoBase64 } from './envelopes/base64.ts';
import { semCabecalhoHttp } from './envelopes/http.ts';
import { type Inflado, inflar, inflarBase64 } from './envelopes/inflar.ts';
import { type AchadoNoJson, documentosNoJson, documentosNoJsonDanificado } from './envelopes/json.ts';
import { COMPACTADOS, type Orcamento } from './envelopes/limites.ts';
import { readPedidoDentro } from './envelopes/metades.ts';
import { xmlNaPagina } from './envelopes/pagina.ts';
import {
  danoAoRedor,
  looseFault,
  onlyFault,
  readBroken,
  readMalformed,
  semCabecalho,
  semDono,
} from './ler-malformado.ts';
import { semAlheios, tellJson, tellNonXml } from './ler-outros.ts';
import {
  type DepsDaLeitura,
  type Guardado,
  readPair,
  readPiece,
  readSlice,
  refused,
  type ValidadorDeEsquema,
} from './ler-peca.ts';
import { limitTextos } from './limites-de-texto.ts';
import { formaDe } from './nfse/leiautes/forma.ts';
import { temValoresDeNota } from './nfse/leiautes/parece-nota.ts';
import { readPosicoes } from './nfse/tabelas/ler-posicoes.ts';
import { lerTabela } from './nfse/tabelas/ler-tabela.ts';
import type { Dano } from './origem.ts';
import { keysIn, PIECES_LIMIT, piecesIn, tooManyPieces } from './pecas.ts';
import { type Antes, advance, findNext, moved, movedFault, scanWindow } from './raizes.ts';
import { IGNORADOS, type Recusa, reject } from './rejeicoes.ts';
import type { Chave, Peca, ProtocoloAvulso } from './tipos.ts';
import { readTxt } from './txt/ler-txt.ts';
import { semDeclaracoesNoMeio } from './xml/declaracao-no-meio.ts';
import { decodeXml } from './xml/decode.ts';
import { checkWellFormed } from './xml/libxml.ts';
import type { Falhas } from './xml/mend.ts';
import { scanXml } from './xml/scan.ts';
import { resolveReferences } from './xml/text.ts';
import { attribute, elementPath, walk, type XmlElement, type XmlTree } from './xml/tree.ts';
import { semUtf32 } from './xml/utf32.ts';

export type { DepsDaLeitura, ValidadorDeEsquema };

/** Where a stretch stands: what is inherited by everything that is opened inside it. */
interface Lugar {
  avisos: readonly string[];
  /** How often something inside was taken for a file of its own (text that is XML, docZip, gzip). */
  profundidade: number;
  orcamento: Orcamento;
}

/** A stretch of a file that may hold documents. */
interface Fonte extends Lugar {
  bytes: Uint8Array;
  /** The file's own bytes, kept as they are when the stretch is one document and nothing else. */
  original: Guardado;
}

type Arquivo = Lugar & { bytes: Uint8Array; nome: string };

/** No document is shorter, and a message that is needs no name of its own. */
const EMBEDDED_MIN_BYTES = 200;
/** Text that was escaped once more than its envelope asked for. */
const ESCAPED_TWICE = /^&(?:amp;)*lt;/;
/** Refusals that say that a text was no document. */
const NOTHING_EMBEDDED: readonly string[] = ['documento_desconhecido', 'xml_mal_formado', 'doctype_proibido'];

const MAIS_FUNDO = `O arquivo traz documentos compactados ou escapados em mais de ${COMPACTADOS.niveis} camadas. Envie os XML soltos ou em um .zip.`;

const JSON_DANIFICADO =
  'O arquivo JSON está mal formado ou cortado neste ponto; os documentos que estavam inteiros foram lidos. Baixe-o de novo: pode faltar algum.';

function tooMany(limit: number): Peca {
  return refused(tooManyPieces(limit));
}

/** Undoes escaping, as often as somebody did it. */
function unescaped(text: string): string {
  let plain = text.trim();
  for (let i = 0; i < COMPACTADOS.niveis && ESCAPED_TWICE.test(plain); i++) {
    plain = resolveReferences(plain).trim();
  }
  return plain;
}

/** Reads XML that is at hand as text: it is UTF-8 here, whatever the declaration that travelled with it says. */
function readText(deps: DepsDaLeitura, text: string, place: Lugar): Peca[] {
  const bytes = new TextEncoder().encode(text.replace(/^\ufeff?<\?xml[^>]*\?>/, ''));
  return readRoots(deps, { ...place, bytes, original: { bytes, codificacao: 'utf-8' } });
}

/** Reads what a compressed content holds as a file of its own. */
function readInflated(deps: DepsDaLeitura, inflated: Inflado, nested: Lugar & { nome: string }): Peca[] {
  const pieces = inflated.ok
    ? readFile(deps, { ...nested, bytes: inflated.bytes })
    : [refused(reject(inflated.codigo, inflated.mensagem))];
  nested.orcamento.pecas -= pieces.length;
  return pieces;
}

/** One level deeper, or null where nothing deeper is opened. */
function deeper(place: Lugar, aviso: string | null): Lugar | null {
  if (place.profundidade >= COMPACTADOS.niveis) return null;
  return {
    avisos: aviso === null ? place.avisos : [...place.avisos, aviso],
    profundidade: place.profundidade + 1,
    orcamento: place.orcamento,
  };
}

/** Tells the faults of what was opened where it stands: below the element or field that holds it. */
function placedIn(
  piece: Peca,
  outer: { elemento: string; linha: number | null; coluna: number | null; nome?: string },
): Peca {
  if (piece.resultado !== 'rejeitada') return piece;
  const { elemento, mensagem } = piece.rejeicao;
  return {
    ...piece,
    rejeicao: {
      codigo: piece.rejeicao.codigo,
      mensagem: outer.nome ? `${outer.nome}: ${mensagem}` : mensagem,
      elemento: elemento === null ? outer.elemento : `${outer.elemento}/${elemento}`,
      linha: outer.linha,
      coluna: outer.coluna,
    },
  };
}

/** How people find one docZip among fifty. The schema named there is a hint only: the content says what it is. */
function nameOfDocZip(element: XmlElement): { nome?: string } {
  const nsu = attribute(element, 'NSU')?.slice(0, 20);
  const schema = attribute(element, 'schema')?.slice(0, 60);
  return nsu ? { nome: `NSU ${nsu}${schema ? ` (${schema})` : ''}` } : {};
}

function readDocZip(
  deps: DepsDaLeitura,
  input: { tree: XmlTree; element: XmlElement; source: Fonte },
): Peca[] {
  const { tree, element, source } = input;
  if (source.orcamento.pecas < 0) return [];
  const inside = deeper(source, null);
  const pieces = inside
    ? readInflated(deps, inflarBase64(tree.text(element), source.orcamento), {
        ...inside,
        nome: 'docZip.xml',
      })
    : [refused(reject('compactado_grande_demais', MAIS_FUNDO))];
  if (!pieces.some(({ resultado }) => resultado === 'rejeitada')) return pieces;
  const place = { elemento: elementPath(element), ...tree.position(element.start), ...nameOfDocZip(element) };
  return pieces.map((piece) => placedIn(piece, place));
}

/** Documents in the JSON answer of a service. */
function readJson(deps: DepsDaLeitura, file: Arquivo): Peca[] {
  const text = decodeText(file.bytes).replace(/^[\ufeff\s]+/, '');
  const found = documentosNoJson(text, PIECES_LIMIT + 1);
  if (found) return found.length === 0 ? [tellJson(text, file)] : readFromJson(deps, file, found);
  const { achados, linha, coluna } = documentosNoJsonDanificado(text, PIECES_LIMIT + 1);
  if (achados.length === 0) return [tellJson(text, file)];
  const fault = { ...reject('json_nao_aceito', JSON_DANIFICADO, linha), coluna };
  return [...readFromJson(deps, file, achados), refused(fault)];
}

function readFromJson(deps: DepsDaLeitura, file: Arquivo, found: readonly AchadoNoJson[]): Peca[] {
  const inside = deeper(file, 'O documento veio dentro de um arquivo JSON.');
  if (!inside) return [refused(reject('compactado_grande_demais', MAIS_FUNDO))];
  const { orcamento } = file;
  const limit = piecesIn(file.bytes.length);
  if (found.length > limit) return [tooMany(limit)];
  return found.flatMap(({ caminho, texto, forma }) => {
    if (orcamento.pecas < 0) return [];
    const pieces =
      forma === 'gzip'
        ? readInflated(deps, inflarBase64(texto, orcamento), { ...inside, nome: 'json.xml' })
        : readText(deps, unescaped(texto), inside);
    if (forma === 'xml') orcamento.pecas -= pieces.length;
    return pieces.map((piece) => placedIn(piece, { elemento: caminho, linha: null, coluna: null }));
  });
}

function readGzip(deps: DepsDaLeitura, file: Arquivo, base64: boolean): Peca[] {
  const inside = deeper(file, null);
  if (!inside) return [refused(reject('compactado_grande_demais', MAIS_FUNDO))];
  const inflated = base64
    ? inflarBase64(decodeText(file.bytes), file.orcamento)
    : inflar(file.bytes, file.orcamento);
  // Without the ending of the compressed file, the name tells again whether a document was meant.
  return readInflated(deps, inflated, { ...inside, nome: file.nome.replace(/\.(?:gz|gzip)$/i, '') });
}

/** Texts of an element in which a document may stand: its own, and those of its attributes, as databases export them. */
function textsOf(tree: XmlTree, element: XmlElement): { text: string; at: number }[] {
  const { children, attributes, start, contentStart, contentEnd } = element;
  const attributed = attributes
    .filter(({ value }) => value.length >= EMBEDDED_MIN_BYTES)
    .map(({ value }) => ({ text: unescaped(value), at: start }));
  if (children.length > 0 || contentEnd - contentStart < EMBEDDED_MIN_BYTES) return attributed;
  return [...attributed, { text: unescaped(tree.text(element)), at: contentStart }];
}

function* textsIn(tree: XmlTree): Generator<{ text: string; at: number }> {
  for (const element of walk(tree.root)) yield* textsOf(tree, element);
}

/** Documents that stand as text inside elements, escaped or in CDATA, as some SOAP services answer, or in attributes. */
function readEmbedded(deps: DepsDaLeitura, tree: XmlTree, source: Fonte): Peca[] {
  const inside = deeper(source, 'O documento veio como texto dentro de outro XML.');
  if (!inside) return [];
  const limit = piecesIn(source.bytes.length);
  const pieces: Peca[] = [];
  let tried = 0;
  for (const { text, at } of textsIn(tree)) {
    const isXml = /^\ufeff?<(?:\?xml|[A-Za-z])/.test(text);
    if (!isXml && !comecaComoBase64(text)) continue;
    if (++tried > limit || pieces.length > limit) return [tooMany(limit)];
    const read = isXml
      ? readText(deps, text, inside)
      : readInflated(deps, inflarBase64(text, source.orcamento), { ...inside, nome: 'texto.xml' });
    // Markup in a message (HTML, a tag name) is no document: the file is better named by what surrounds it.
    if (read.every(isNothing)) continue;
    const place = tree.position(at);
    for (const piece of read)
      pieces.push(
        piece.resultado === 'rejeitada' ? { ...piece, rejeicao: { ...piece.rejeicao, ...place } } : piece,
      );
  }
  return pieces;
}

/** Says of a text that it was no document. */
function isNothing(piece: Peca): boolean {
  return (
    piece.resultado === 'rejeitada' &&
    piece.especie === 'Outro' &&
    NOTHING_EMBEDDED.includes(piece.rejeicao.codigo)
  );
}

/** Reads one thing that was found under a root. */
function readFound(
  deps: DepsDaLeitura,
  input: { achado: Achado; tree: XmlTree; source: Fonte; whole: boolean; dano: Dano | undefined },
): Peca[] {
  const { achado, tree, source, whole, dano } = input;
  const { avisos, original } = source;
  switch (achado.tipo) {
    case 'lido': {
      const { ler, element } = achado;
      const piece =
        whole && element === tree.root
          ? readPiece(deps, { ler, tree, ...original, avisos })
          : readSlice(deps, { ler, tree, element, avisos, dano });
      return [comPedido(piece, tree, element)];
    }
    case 'quebrado':
      return [readBroken(deps, { achado, tree })];
    case 'pareado': {
      const kept = whole && achado.guardar === tree.root ? original : null;
      const piece = readPair(deps, { tree, pareado: achado, original: kept, avisos });
      return piece ? [piece] : readFound(deps, { ...input, achado: achado.sozinho() });
    }
    case 'anunciado': {
      const { chave, origem, mensagem } = achado;
      return [{ resultado: 'esperado', especie: 'Resumo', chave, origem, mensagem }];
    }
    case 'listado':
      return achado.chaves.map(listedKey);
    case 'compactado':
      return readDocZip(deps, { tree, element: achado.element, source });
    case 'avulso':
      return [comProtocolos(ignored('protocolo_sem_documento', achado.mensagem), achado.protocolos)];
    case 'recusado': {
      const { especie, chave, rejeicao } = achado.recusa;
      const { metade } = achado;
      const piece: SemDocumento = {
        resultado: 'rejeitada',
        especie,
        chave,
        rejeicao,
        ...(metade && { metade }),
      };
      return [comProtocolos(piece, achado.protocolos)];
    }
  }
}

/** An event that nobody registered tells which one was asked for: the same may come registered, in another file. */
function comPedido(piece: Peca, tree: XmlTree, element: XmlElement): Peca {
  if (piece.resultado !== 'rejeitada' || !SEM_REGISTRO.has(piece.rejeicao.codigo)) return piece;
  const metade = readPedidoDentro(tree, element);
  return metade ? { ...piece, chave: metade.chave, metade } : piece;
}
const SEM_REGISTRO: ReadonlySet<string> = new Set(['evento_sem_registro', 'evento_rejeitado_pela_sefaz']);

function listedKey(key: Chave | Recusa): Peca {
  if (typeof key !== 'string') {
    const { especie, chave, rejeicao } = key;
    return { resultado: 'rejeitada', especie, chave, rejeicao };
  }
  return { resultado: 'esperado', especie: 'Chave', chave: key, origem: 'lista', mensagem: null };
}

/** Pieces as documents count: keys of a list are shorter, and their list has a limit of its own. */
function countedIn(pieces: readonly Peca[]): number {
  let counted = 0;
  for (const { especie } of pieces) if (especie !== 'Chave') counted++;
  return counted;
}

type SemDocumento = Extract<Peca, { resultado: 'rejeitada' | 'ignorada' }>;

/** What is no document may bring protocols of some. */
function comProtocolos(piece: SemDocumento, protocolos: readonly ProtocoloAvulso[] = []): Peca {
  return protocolos.length > 0 ? { ...piece, protocolos } : piece;
}

/**
 * Reads everything under one root.
 * @param input.whole whether the root is all that the stretch holds
 * @param input.falhas where it is that of a mended copy
 */
function readRoot(
  deps: DepsDaLeitura,
  input: { tree: XmlTree; source: Fonte; whole: boolean; falhas?: Falhas },
): Peca[] {
  const { tree, source, falhas } = input;
  const found = desmontar(tree, falhas, deps.familias);
  const loose = falhas ? semDono(falhas, found) : [];
  const [fault] = loose;
  if (found.length === 0) {
    const embedded = readEmbedded(deps, tree, source);
    const isRead = embedded.some(({ resultado }) => resultado !== 'rejeitada');
    if (fault) return isRead ? [...embedded, looseFault(tree, fault, false)] : [onlyFault(tree, fault)];
    if (embedded.length > 0) return embedded;
    found.push(nomear(tree));
  }
  const dano = fault && danoAoRedor(tree, { falhas: loose, achados: found });
  const pieces = found.flatMap((achado) => readFound(deps, { ...input, achado, dano }));
  if (!fault) return comOQueEnsinar(pieces, tree, source);
  const kept = pieces.map(semCabecalho);
  const isLost = kept.some((piece, at) => piece !== pieces[at]);
  return [...kept, looseFault(tree, fault, isLost)];
}

/** A note of a layout that is not read brings all that stands around it: where its fields are, nobody knows yet. */
function comOQueEnsinar(pieces: Peca[], tree: XmlTree, { original }: Fonte): Peca[] {
  const isUnknown = (piece: Peca): piece is Extract<Peca, { resultado: 'rejeitada' }> =>
    piece.resultado === 'rejeitada' && piece.rejeicao.codigo === 'nfse_layout_desconhecido';
  if (!pieces.some(isUnknown) || !temValoresDeNota(tree)) return pieces;
  const aEnsinar = { forma: formaDe(tree), bytes: original.bytes };
  return pieces.map((piece) => (isUnknown(piece) && !piece.aEnsinar ? { ...piece, aEnsinar } : piece));
}

function ignored(codigo: keyof typeof IGNORADOS, mensagem: string): SemDocumento {
  return { resultado: 'ignorada', especie: 'Outro', codigo, mensagem };
}

const JUNK = ignored('lixo_depois_do_documento', IGNORADOS.lixo_depois_do_documento);

/** Reads a stretch that is one document, as the fast tier found. */
function readOne(deps: DepsDaLeitura, tree: XmlTree, source: Fonte): Peca[] {
  const pieces = readRoot(deps, { tree, source, whole: true });
  const limit = piecesIn(source.bytes.length);
  return countedIn(pieces) > limit ? [tooMany(limit)] : pieces;
}

/** Reads a stretch of XML that may hold several roots, one behind the other, and junk behind the last. */
function readRoots(deps: DepsDaLeitura, source: Fonte): Peca[] {
  const fast = scanFast(source.bytes, deps.camadas ?? 'ambas');
  if (fast) return readOne(deps, fast, source);
  const limit = piecesIn(source.bytes.length);
  const pieces: Peca[] = [];
  let counted = 0;
  let start = 0;
  let before: Antes = { linhas: 0, colunas: 0 };
  const folga = { bytes: 2 * source.bytes.length };
  for (;;) {
    const bytes = source.bytes.subarray(start);
    const scan = start === 0 ? scanXml(bytes) : scanWindow(bytes, folga);
    if (!scan.ok) {
      const recusa = movedFault(scan.rejeicao, before);
      pieces.push(
        ...readMalformed({ bytes: source.bytes, start, recusa }, (root) =>
          readRoot(deps, { ...root, source, whole: false }),
        ),
      );
      return pieces.length > limit ? [tooMany(limit)] : pieces;
    }
    const next = findNext(bytes.subarray(scan.rest));
    const root = bytes.subarray(0, scan.rest);
    const malformed = checkWellFormed(root);
    const found = malformed
      ? [refused(malformed)]
      : readRoot(deps, { tree: scan.tree, source, whole: start === 0 && next.start === null && !next.junk });
    for (const piece of found) pieces.push(moved(piece, before));
    if (next.junk) pieces.push(JUNK);
    counted += countedIn(found) + Number(next.junk);
    if (counted > limit || pieces.length > keysIn(source.bytes.length)) return [tooMany(limit)];
    if (next.start === null) break;
    const following = start + scan.rest + next.start;
    before = advance(before, source.bytes, start, following);
    start = following;
  }
  return pieces;
}

const DECLARACAO_NO_MEIO =
  'O arquivo traz a declaração <?xml … ?> no meio, onde não pode estar; ela foi deixada de fora.';

function readXml(deps: DepsDaLeitura, file: Arquivo): Peca[] {
  const decoded = decodeXml(file.bytes);
  if ('rejeicao' in decoded) return [refused(decoded.rejeicao)];
  const avisos = [...file.avisos, ...decoded.avisos];
  const blanked = semDeclaracoesNoMeio(decoded.bytes);
  if (blanked) {
    const original: Guardado = { bytes: blanked, codificacao: 'utf-8' };
    return readRoots(deps, { ...file, bytes: blanked, original, avisos: [...avisos, DECLARACAO_NO_MEIO] });
  }
  const original: Guardado = decoded.reescrito
    ? { bytes: decoded.bytes, codificacao: 'utf-8' }
    : { bytes: file.bytes, codificacao: decoded.codificacao };
  return readRoots(deps, { ...file, bytes: decoded.bytes, original, avisos });
}

/** Documents that a browser showed, in the page that was saved of them; null where it has none. */
function readPagina(deps: DepsDaLeitura, file: Arquivo): Peca[] | null {
  const found = xmlNaPagina(decodeText(file.bytes));
  const inside = found && deeper(file, 'O XML foi tirado da página da internet (HTML) que o mostrava.');
  if (!inside) return null;
  const pieces = readText(deps, found.escapado ? unescaped(found.texto) : found.texto, inside);
  const isNote = (piece: Peca) => piece.resultado === 'lida' || 'aEnsinar' in piece;
  return pieces.some(isNote) ? pieces : null;
}

/** Reads a file, or what was opened inside one, as what its bytes are. */
function readFile(deps: DepsDaLeitura, file: Arquivo): Peca[] {
  const plain = scanPlainFile(file.bytes, deps.camadas ?? 'ambas');
  if (plain) {
    const source: Fonte = {
      ...file,
      bytes: plain.bytes,
      original: { bytes: file.bytes, codificacao: 'utf-8' },
    };
    return readOne(deps, plain, source);
  }
  const formato = sniff(file.bytes);
  switch (formato) {
    case 'xml':
      return readXml(deps, file);
    case 'xml_escapado': {
      const inside = deeper(file, 'O arquivo traz o XML escapado (&lt; no lugar de <).');
      if (!inside) return [refused(reject('compactado_grande_demais', MAIS_FUNDO))];
      return readText(deps, unescaped(decodeText(file.bytes).replace(/^[\ufeff\s]+/, '')), inside);
    }
    case 'gzip':
    case 'gzip_base64':
      return readGzip(deps, file, formato === 'gzip_base64');
    case 'json':
      return readJson(deps, file);
    case 'nfe_txt':
      return readTxt(file);
    case 'html':
      return readPagina(deps, file) ?? tellNonXml(formato, file);
    default:
      return lerTabela(file) ?? readPosicoes(file) ?? tellNonXml(formato, file);
  }
}

const EM_UTF_32 = 'O arquivo veio em UTF-32; foi lido e guardado em UTF-8.';

/**
 * Reads one file (no zip): finds every document, event and inutilização in it, whatever it is wrapped in, and says
 * of everything else what it is. Faults of the content are values, never exceptions.
 *
 * @param input.bytes the file, untouched; at most what the caller's limits allow
 * @param input.nome its name or path, which only tells whether a person meant it to be a document (`.xml`, `.txt`)
 * @param deps.validador schema judge; its verdict is kept, it never refuses
 * @returns at least one piece, in the order of the file; no text of them is longer than `limites-de-texto.ts` says
 * @fonte docs/regras.md, uploads, kinds
 */
export function lerConteudo(input: { bytes: Uint8Array; nome: string }, deps: DepsDaLeitura): Peca[] {
  const orcamento: Orcamento = { bytes: COMPACTADOS.bytesDeTodos, pecas: PIECES_LIMIT };
  const { nome } = input;
  const utf8 = semUtf32(input.bytes);
  const bytes = semCabecalhoHttp(utf8 ?? input.bytes);
  const file: Arquivo = { bytes, nome, avisos: utf8 ? [EM_UTF_32] : [], profundidade: 0, orcamento };
  const pieces = semAlheios(
    withPassingTrees(() => readFile(deps, file)),
    nome,
  );
  return (orcamento.pecas < 0 ? [tooMany(PIECES_LIMIT)] : pieces).map(limitTextos);
}
