/** Reads what is well-formed by itself in XML that is malformed in some places. */
import { placedBy } from './camadas.ts';
import { parseChave44 } from './chave.ts';
import type { Achado } from './desmontar.ts';
import { type DepsDaLeitura, readSlice, refused } from './ler-peca.ts';
import type { Dano } from './origem.ts';
import { piecesIn, tooManyPieces } from './pecas.ts';
import { findNext, scanWindow } from './raizes.ts';
import { reject } from './rejeicoes.ts';
import { ESPECIE, type Peca, type Registro, type Rejeicao } from './tipos.ts';
import { checkWellFormed } from './xml/libxml.ts';
import { type Consertado, type Falha, Falhas, mendXml, PECA_DE_NOVO } from './xml/mend.ts';
import { elementAt } from './xml/scan.ts';
import { positioner } from './xml/text.ts';
import { elementPath, type XmlElement, type XmlTree } from './xml/tree.ts';

const FORA =
  'O trecho não faz parte de nenhum documento reconhecido; os documentos bem formados do arquivo foram lidos. Confira na origem se não falta nenhum.';

const NO_CABECALHO =
  'O trecho não faz parte de nenhuma nota, mas é dele que as notas do arquivo tiram de quem ou de que cidade são. Baixe o arquivo de novo.';

/** How one root of a mended copy is read. */
type LerRaiz = (input: { tree: XmlTree; falhas: Falhas }) => Peca[];

/**
 * Reads the rest of a file from a root on that could not be scanned: every document that holds no fault as always, each
 * that holds one as a refusal that names its place.
 * @param input.start where the root stands in `bytes`
 * @param input.recusa why it could not be scanned: what is told where nothing can be mended
 */
export function readMalformed(
  input: { bytes: Uint8Array; start: number; recusa: Rejeicao },
  ler: LerRaiz,
): Peca[] {
  const { bytes, start, recusa } = input;
  const mended = recusa.codigo === 'xml_mal_formado' ? mendXml(bytes.subarray(start)) : null;
  if (!mended) return [refused(recusa)];
  const place = positioner(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  const pieces = readRootsOf(
    mended,
    { place: (offset) => place(start + offset), limit: piecesIn(bytes.length) },
    ler,
  );
  return pieces ?? [refused(recusa)];
}

/** @returns null where the copy is not well-formed either */
function readRootsOf(
  mended: Consertado,
  input: { place: XmlTree['position']; limit: number },
  ler: LerRaiz,
): Peca[] | null {
  const { bytes, falhas } = mended;
  const pieces: Peca[] = [];
  const folga = { bytes: 2 * bytes.length };
  let start = 0;
  for (;;) {
    const scan = scanWindow(bytes.subarray(start), folga);
    if (!scan.ok || checkWellFormed(bytes.subarray(start, start + scan.rest))) return null;
    const from = start;
    const end = start + scan.rest;
    const tree = placedBy(scan.tree, (offset) => input.place(mended.original(from + offset)));
    const next = findNext(bytes.subarray(end));
    const following = next.start === null ? bytes.length : end + next.start;
    const here = falhas.filter(({ at }) => at >= from && at < Math.max(following, from + 1));
    pieces.push(
      ...ler({ tree, falhas: new Falhas(here.map((falha) => ({ ...falha, at: falha.at - from }))) }),
    );
    if (pieces.length > input.limit) return [refused(tooManyPieces(input.limit))];
    if (next.start === null) return pieces;
    start = following;
  }
}

/** The faults of a root that are in none of these. */
export function semDono(falhas: Falhas, achados: readonly Achado[]): readonly Falha[] {
  const quebrados = achados.flatMap((achado) => (achado.tipo === 'quebrado' ? [achado.element] : []));
  let next = 0;
  let end = 0;
  return falhas.todas.filter(({ at }) => {
    for (let element = quebrados[next]; element && element.start <= at; element = quebrados[++next])
      end = Math.max(end, element.end);
    return at >= end;
  });
}

const UNREADABLE = 0x3f;

/**
 * What these faults, which no document holds, do to what stands around the documents: a bad character spoils the field that
 * it is in, a tag that is missing what is in the same element. Fields that are spoilt are made unreadable, so that nothing is
 * read of them; where a document stands in an element whose tags are in doubt, nobody knows what stands around it.
 */
export function danoAoRedor(
  tree: XmlTree,
  { falhas, achados }: { falhas: readonly Falha[]; achados: readonly Achado[] },
): Dano {
  const starts = achados.flatMap((achado) =>
    'element' in achado ? [achado.element.start] : 'pedido' in achado ? [achado.pedido.start] : [],
  );
  const dano: Dano = { semCampos: false, nasMarcas: false };
  for (const { at, deEstrutura } of falhas) {
    const around = elementAt(tree.root, at) ?? tree.root;
    const holds = starts.some((start) => start >= around.start && start < around.end);
    if (deEstrutura && holds) dano.semCampos = true;
    if (holds && at < around.contentStart) dano.nasMarcas = true;
    if (around.children.length === 0) tree.bytes.fill(UNREADABLE, around.contentStart, around.contentEnd);
  }
  return dano;
}

/** A note of which nothing tells the layout, in a file whose other parts are damaged: its header would have told. */
export function semCabecalho(piece: Peca): Peca {
  if (piece.resultado !== 'rejeitada' || piece.rejeicao.codigo !== 'nfse_layout_desconhecido') return piece;
  const mensagem = `Falta o que diz de quem é esta nota, ou de que cidade: o cabeçalho do arquivo está danificado. ${PECA_DE_NOVO}`;
  return { ...piece, rejeicao: { ...piece.rejeicao, codigo: 'xml_mal_formado', mensagem } };
}

/** A fault that no document holds. @param isHeaderLost notes could not be read for it */
export function looseFault(tree: XmlTree, falha: Falha, isHeaderLost: boolean): Peca {
  return refused(rejeicaoDe(tree, falha, `${falha.mensagem} ${isHeaderLost ? NO_CABECALHO : FORA}`));
}

/** A fault of a root in which nothing was found. */
export function onlyFault(tree: XmlTree, falha: Falha): Peca {
  return refused(rejeicaoDe(tree, falha, `${falha.mensagem} ${PECA_DE_NOVO}`));
}

function rejeicaoDe(tree: XmlTree, falha: Falha, mensagem: string, within: XmlElement = tree.root): Rejeicao {
  return {
    ...reject('xml_mal_formado', mensagem),
    elemento: elementPath(elementAt(within, falha.at) ?? within),
    ...tree.position(falha.at),
  };
}

/**
 * A document that holds a fault, as a refusal. It is read from the mended copy for its name alone: to say which note is
 * missing.
 */
export function readBroken(
  deps: DepsDaLeitura,
  input: { achado: Extract<Achado, { tipo: 'quebrado' }>; tree: XmlTree },
): Peca {
  const { tree, achado } = input;
  const { element, falha, ler } = achado;
  const piece = ler ? readSlice({ ...deps, provas: undefined }, { ler, tree, element, avisos: [] }) : null;
  const registro = piece?.resultado === 'lida' ? piece.registro : null;
  const mensagem = `${falha.mensagem} ${registro ? nameOf(registro) : ''}${PECA_DE_NOVO}`;
  return {
    resultado: 'rejeitada',
    especie: piece?.especie ?? ESPECIE.outro,
    // With a check digit a key says of itself that it is whole; what is composed does not.
    chave: registro ? parseChave44(registro.chave) : null,
    rejeicao: rejeicaoDe(tree, falha, mensagem, element),
  };
}

function nameOf(registro: Registro): string {
  return registro.classe === 'documento' && registro.numero !== ''
    ? `Parece ser o documento de número ${registro.numero}. `
    : '';
}
