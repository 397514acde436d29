/** Reads what was found in a file into pieces that can be kept. */
import type { Prova } from './assinatura/provas.ts';
import { verifySignature } from './assinatura/verify.ts';
import { type Camadas, placedBy, scanSlice, withPassingTrees } from './camadas.ts';
import type { Autoridades } from './certificado/autoridades.ts';
import type { Achado } from './desmontar.ts';
import { anotar } from './dfe/anotar.ts';
import { compor } from './envelopes/compor.ts';
import { type Leitor, leitorDe, type Reconhecedor } from './familias.ts';
import type { Leitura } from './leitura.ts';
import type { Dano, Origem } from './origem.ts';
import { judgeProva } from './prova.ts';
import { type Recorte, recortar } from './recortar.ts';
import type {
  Codificacao,
  Peca,
  Registro,
  Rejeicao,
  VeredictoAssinatura,
  VeredictoEsquema,
} from './tipos.ts';
import type { XmlElement, XmlTree } from './xml/tree.ts';

/** Judges a document against the official schema of its kind and layout. */
export interface ValidadorDeEsquema {
  validar(tree: XmlTree, root: XmlElement): VeredictoEsquema;
}

/** Judges no schema, where nobody asks for the verdict. */
export const SEM_JULGAR: ValidadorDeEsquema = {
  validar: () => ({ resultado: 'nao_verificado', esquema: null, motivo: null }),
};

export interface DepsDaLeitura {
  validador: ValidadorDeEsquema;
  /** Which tiers read; both where nothing is said. */
  camadas?: Camadas;
  /** Takes the proofs of signatures that are put off; by default none is. */
  provas?: Prova[] | undefined;
  /** What is read; by default what everybody reads (`familias.ts`). */
  familias?: readonly Reconhecedor[] | undefined;
  /** Who answers for certificates; by default nobody, so that no chain is proven. */
  autoridades?: Autoridades | undefined;
}

/** Bytes as they are kept. */
export interface Guardado {
  bytes: Uint8Array;
  codificacao: Codificacao;
}

/** A refusal as a piece, without a key: for what was refused before one was read. */
export function refused(rejeicao: Rejeicao): Peca {
  return { resultado: 'rejeitada', especie: 'Outro', chave: null, rejeicao };
}

/** The verdict on the signature of an element of this tree: the last one is kept, so that a document's is made once. */
function verdicts(deps: DepsDaLeitura, tree: XmlTree): (signed: XmlElement) => VeredictoAssinatura {
  let last: { signed: XmlElement; verdict: VeredictoAssinatura } | null = null;
  return (signed) => {
    if (last?.signed !== signed) last = { signed, verdict: verifySignature(tree, signed, deps) };
    return last.verdict;
  };
}

/** Reads one document out of a tree of its own: every answer comes from the very bytes that are kept. */
export function readPiece(
  deps: DepsDaLeitura,
  input: {
    ler: Leitor;
    tree: XmlTree;
    bytes: Uint8Array;
    codificacao: Codificacao;
    avisos: readonly string[];
    /** Where it stood in the file, when it is a slice of it. */
    origem?: Origem;
  },
): Peca {
  const { tree, bytes, codificacao } = input;
  const { root } = tree;
  const verdictOn = verdicts(deps, tree);
  const reading: Leitura<Registro> = input.ler({
    tree,
    root,
    digest: (signed) => verdictOn(signed).digestCalculado,
    ...(input.origem ? { origem: input.origem } : {}),
  });
  if (!reading.ok) {
    const { especie, chave, rejeicao } = reading;
    return { resultado: 'rejeitada', especie, chave, rejeicao };
  }
  const registro = anotar({
    ...reading.registro,
    avisos: [...input.avisos, ...reading.registro.avisos],
  });
  const assinatura = verdictOn(reading.assinado);
  return {
    resultado: 'lida',
    especie: registro.especie,
    registro,
    bytes,
    codificacao,
    esquema: deps.validador.validar(tree, root),
    assinatura,
    prova: judgeProva(registro, assinatura),
  };
}

interface Embutido {
  ler: Leitor;
  tree: XmlTree;
  element: XmlElement;
  avisos: readonly string[];
  dano?: Dano | undefined;
}

/** Reads a slice as a document of its own. */
function readCut(deps: DepsDaLeitura, input: Embutido, slice: Recorte): Peca {
  const scan = scanSlice(slice.bytes, deps.camadas ?? 'ambas');
  if (!scan.ok) return refused(scan.rejeicao);
  // Places are told as they stand in the file that the person has, not in the slice.
  const tree = placedBy(scan.tree, (offset) => input.tree.position(slice.offsetNoArquivo(offset)));
  const { ler, avisos, element } = input;
  const origem: Origem = { tree: input.tree, element, ...(input.dano && { dano: input.dano }) };
  return readPiece(deps, { ler, avisos, tree, bytes: slice.bytes, codificacao: 'utf-8', origem });
}

/**
 * Cuts a document out of its wrapper and reads it. Where its signature does not hold without the wrapper's unused
 * prefixes, it may have been signed among them.
 */
export function readSlice(deps: DepsDaLeitura, input: Embutido): Peca {
  return withPassingTrees(() => readAsCut(deps, input));
}

function readAsCut(deps: DepsDaLeitura, input: Embutido): Peca {
  const slice = recortar(input.tree, input.element);
  const piece = readCut(deps, input, slice);
  const broken = piece.resultado === 'lida' && piece.assinatura.resultado === 'alterada';
  if (!broken || !slice.deixouPrefixos) return piece;
  const whole = readCut(deps, input, recortar(input.tree, input.element, 'todos'));
  return whole.resultado === 'lida' && whole.assinatura.resultado === 'integra' ? whole : piece;
}

type Pareado = Extract<Achado, { tipo: 'pareado' }>;

const JUNTOS =
  'O pedido e a resposta da SEFAZ vieram separados; foi guardado o trecho do arquivo que traz os dois.';
const SEPARADOS =
  'A resposta da SEFAZ veio à parte no mesmo arquivo, com outros documentos; o XML guardado é o do documento, sem ela.';

/**
 * Reads a request together with its answer. What is kept are bytes of the file as they stand there
 * (`Achado.guardar`); what is read of them is the document that the two make.
 *
 * @param input.original the file's own bytes, where the pair is all that it holds
 * @returns null when the two make nothing that is read
 */
export function readPair(
  deps: DepsDaLeitura,
  input: { tree: XmlTree; pareado: Pareado; original: Guardado | null; avisos: readonly string[] },
): Peca | null {
  const { tree, pareado } = input;
  const { pedido, guardar } = pareado;
  const avisos = [...input.avisos, guardar === pedido ? SEPARADOS : JUNTOS];
  const attempt = (prefixos: 'usados' | 'todos'): { piece: Peca; deixouPrefixos: boolean } | null => {
    const composed = compor(tree, { ...pareado, prefixos, camadas: deps.camadas ?? 'ambas' });
    const ler = composed ? leitorDe(composed.tree.root) : null;
    if (!composed || !ler) return null;
    const kept = input.original ?? {
      bytes: recortar(tree, guardar, prefixos).bytes,
      codificacao: 'utf-8',
    };
    const piece = readPiece(deps, { ler, tree: composed.tree, ...kept, avisos });
    return { piece, deixouPrefixos: composed.deixouPrefixos };
  };
  const first = attempt('usados');
  if (!first?.deixouPrefixos || !isBroken(first.piece)) return first?.piece ?? null;
  const whole = attempt('todos');
  return whole?.piece.resultado === 'lida' && !isBroken(whole.piece) ? whole.piece : first.piece;
}

function isBroken(piece: Peca): boolean {
  return piece.resultado === 'lida' && piece.assinatura.resultado === 'alterada';
}
