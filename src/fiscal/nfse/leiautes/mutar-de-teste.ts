/**
 * Notes of all layouts with something wrong in them, each with what its bytes say: the text at the place at which the sound
 * note has the field. What is read must be that, or nothing.
 */
import assert from 'node:assert/strict';
import { isCnpj } from '../../cpf-cnpj.ts';
import { ler } from '../../leitura-de-teste.ts';
import type { Documento, Peca } from '../../tipos.ts';
import { PRESTADOR, TOMADOR } from '../amostras-de-teste.ts';
import { readNumeroNfse } from '../chave-composta.ts';
import { readDecimal, readParty } from '../valores.ts';
import { AMOSTRAS, type Amostra, PADRAO } from './amostras-de-teste.ts';
import { type Elemento, parse, sorteio } from './variar-de-teste.ts';

const OUTRO_CNPJ = '53535353000152';
const TEXTOS = ['', '0', 'abc', '123', '9.876,54', OUTRO_CNPJ, '52998224725', '2024-01-31', 'S', '2', ' '];
const NUMERO = '770077';

interface No {
  element: Elemento;
  pai: Elemento | null;
  /** Names from the root. */
  caminho: string;
}

/** An element that knows where it stood before anything was done. */
type Marcado = Elemento & { origem?: string };

function marcar(root: Elemento): Elemento {
  for (const { element, caminho } of nodesOf(root)) (element as Marcado).origem = caminho;
  return root;
}

function nodesOf(root: Elemento): No[] {
  const found: No[] = [];
  const visit = (element: Elemento, pai: Elemento | null, above: string): void => {
    const caminho = `${above}/${element.nome}`;
    found.push({ element, pai, caminho });
    for (const inner of element.filhos) visit(inner, element, caminho);
  };
  visit(root, null, '');
  return found;
}

function write({ nome, atributos, filhos, texto }: Elemento): string {
  return `<${nome}${atributos}>${texto}${filhos.map(write).join('')}</${nome}>`;
}

/** Where a sound note has its fields. */
interface Lugares {
  numero: string;
  prestador: string;
  tomador: string;
  /** Null where the value is a sum, or stands in several places. */
  valor: string | null;
}

function placesOf(root: Elemento): Lugares | null {
  const leaves = nodesOf(root).filter(({ element }) => element.filhos.length === 0);
  const at = (isOne: (texto: string) => boolean) =>
    leaves.filter(({ element }) => isOne(element.texto)).map(({ caminho }) => caminho);
  const [numero, ...outros] = at((texto) => texto.replace(/^0+/, '') === NUMERO);
  const [prestador] = at((texto) => texto.includes(PRESTADOR));
  const [tomador] = at((texto) => texto === TOMADOR);
  const [valor, ...maisValores] = at((texto) => Number(readDecimal(texto)) === 1500);
  if (!numero || outros.length > 0 || !prestador || !tomador) return null;
  return { numero, prestador, tomador, valor: valor && maisValores.length === 0 ? valor : null };
}

/** A mutant, with what was done to it. */
interface Julgada {
  lugares: Lugares;
  /** Places in which the sound note says that it was cancelled; none: it was not. */
  situacao: readonly string[];
  oQue: string;
}

type Mutacao = (root: Elemento, draw: (until: number) => number) => string;

const pick = <T>(items: readonly T[], draw: (until: number) => number): T => items[draw(items.length)] as T;

const inner = (root: Elemento): No[] => nodesOf(root).filter(({ pai }) => pai !== null);
const leavesOf = (root: Elemento): No[] => inner(root).filter(({ element }) => element.filhos.length === 0);

const MUTACOES: readonly Mutacao[] = [
  function apagar(root, draw) {
    const { element, pai, caminho } = pick(inner(root), draw);
    (pai as Elemento).filhos = (pai as Elemento).filhos.filter((one) => one !== element);
    return `apaga ${caminho}`;
  },
  function swapTexto(root, draw) {
    const { element, caminho } = pick(leavesOf(root), draw);
    element.texto = pick(TEXTOS, draw);
    return `troca ${caminho} por "${element.texto}"`;
  },
  function swapDigito(root, draw) {
    const { element, caminho } = pick(leavesOf(root), draw);
    const at = draw(Math.max(1, element.texto.length));
    if (/\d/.test(element.texto.charAt(at)))
      element.texto = element.texto.slice(0, at) + draw(10) + element.texto.slice(at + 1);
    return `troca um dígito de ${caminho}: ${element.texto}`;
  },
  function repetir(root, draw) {
    const { element, pai, caminho } = pick(leavesOf(root), draw);
    (pai as Elemento).filhos.splice(draw((pai as Elemento).filhos.length + 1), 0, {
      ...element,
      texto: pick(TEXTOS, draw),
    });
    return `repete ${caminho}`;
  },
  function renomear(root, draw) {
    const { element, caminho } = pick(inner(root), draw);
    element.nome = pick(['outro', `${element.nome}X`, 'obra'], draw);
    return `renomeia ${caminho} para ${element.nome}`;
  },
  function porGrupoEstranho(root, draw) {
    const { element, caminho } = pick(
      nodesOf(root).filter((one) => one.element.filhos.length > 0),
      draw,
    );
    const leaf = (nome: string, texto: string): Elemento => ({ nome, atributos: '', filhos: [], texto });
    const filhos = leavesOf(root)
      .slice(0, 30)
      .map((one) => leaf(one.element.nome, pick(TEXTOS, draw)));
    element.filhos.splice(draw(element.filhos.length + 1), 0, { ...leaf('dadosDaObra', ''), filhos });
    return `põe um grupo estranho em ${caminho}`;
  },
  function changeOrdem(root, draw) {
    const { element, caminho } = pick(nodesOf(root), draw);
    element.filhos = [...element.filhos].reverse();
    return `vira ${caminho}`;
  },
];

/** What the bytes say in the field that stood at a place, wherever it stands now: null for nothing, `varios` for two things. */
function saidAt(root: Elemento, caminho: string): string | null {
  const texts = new Set(
    nodesOf(root)
      .filter(({ element }) => (element as Marcado).origem === caminho && element.filhos.length === 0)
      .map(({ element }) => element.texto.trim())
      .filter((texto) => texto !== ''),
  );
  if (texts.size > 1) return 'varios';
  return [...texts][0] ?? null;
}

const DE_STATUS = /cancel|situac|status|sit_?nf|anulad|substitu|lancamento|sitcod|codigo$/i;

function parteDe(nota: Documento, papel: string): string | null {
  return nota.participantes.find((one) => one.papel === papel)?.cpfCnpj ?? null;
}

/** Whether one of two places stands in the other, or is it. */
function isOneWay(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

/** Why a note that was read is not what its bytes say; null where it is. */
function faultOf(nota: Documento, root: Elemento, input: Julgada): string | null {
  const { lugares, oQue } = input;
  // A name that no layout has hides the field: then it may not be found, but nothing else may be taken for it.
  const foiRenomeado = oQue.startsWith('renomeia');
  const podeTerMudadoStatus = DE_STATUS.test(oQue) || oQue.includes('estranho');
  const numero = saidAt(root, lugares.numero);
  if (nota.numero !== readNumeroNfse(numero)) return `número ${nota.numero}, diz ${numero}`;
  const prestador = saidAt(root, lugares.prestador);
  const readable = /\d{11,}/.exec(prestador ?? '')?.[0] ?? prestador;
  if (parteDe(nota, 'prestador') !== readParty(readable))
    return `prestador ${parteDe(nota, 'prestador')}, diz ${prestador}`;
  const tomador = saidAt(root, lugares.tomador);
  const lido = parteDe(nota, 'tomador');
  if (lido !== null && lido !== readParty(tomador)) return `tomador ${lido}, diz ${tomador}`;
  const isLost = !foiRenomeado && lido === null && tomador !== null && /[A-Za-z1-9]/.test(tomador);
  if (isLost && !nota.avisos.some((aviso) => aviso.includes(tomador))) return `tomador "${tomador}" perdido`;
  if (lugares.valor !== null) {
    const said = readDecimal(saidAt(root, lugares.valor));
    const isOther = nota.avisos.some((aviso) => aviso.includes('valor'));
    if (nota.valor !== said && !isOther && !(foiRenomeado && nota.valor === null))
      return `valor ${nota.valor}, diz ${said}`;
  }
  const certo = input.situacao.length > 0 ? 'Cancelada' : 'Autorizada';
  const tocada =
    podeTerMudadoStatus || input.situacao.some((caminho) => isOneWay(caminho, /\/\S+/.exec(oQue)?.[0] ?? ''));
  return nota.statusProtocolo !== certo && !tocada ? `status ${nota.statusProtocolo}, não ${certo}` : null;
}

function judge(pieces: readonly Peca[], root: Elemento, input: Julgada): string | null {
  if (pieces.length === 0) return 'nenhuma peça';
  for (const piece of pieces) {
    if (piece.resultado !== 'lida' || piece.registro.classe !== 'documento') continue;
    const fault = faultOf(piece.registro, root, input);
    if (fault !== null) return fault;
  }
  return null;
}

/** The same note, cancelled in each of the ways of its layout. */
function canceladasDe({ cancelada }: Amostra, xml: string): string[] {
  return cancelada.map(([from, to]) => xml.replace(from, to)).filter((one) => one !== xml);
}

/** Places that one of two notes has and the other has not, or with another text. */
function changedIn(sound: string, cancelled: string): string[] {
  const before = new Map(nodesOf(parse(sound)).map(({ caminho, element }) => [caminho, element.texto]));
  return nodesOf(parse(cancelled))
    .filter(({ caminho, element }) => before.get(caminho) !== element.texto)
    .map(({ caminho }) => caminho);
}

/**
 * Makes and reads so many mutants.
 *
 * @returns what is wrong, each with what was done to which layout's note
 */
export function readMutantes(quantos: number, semente: number): string[] {
  assert.ok(isCnpj(OUTRO_CNPJ));
  const draw = sorteio(semente);
  const faults: string[] = [];
  const samples = AMOSTRAS.flatMap((amostra: Amostra) => {
    const xml = amostra.xml({ ...PADRAO, numero: NUMERO });
    return [xml, ...canceladasDe(amostra, xml)].flatMap((one) => {
      const lugares = placesOf(parse(one));
      return lugares
        ? [{ amostra, xml: one, lugares, situacao: one === xml ? [] : changedIn(xml, one) }]
        : [];
    });
  });
  for (let at = 0; at < quantos; at++) {
    const { amostra, xml, lugares, situacao } = pick(samples, draw);
    const root = marcar(parse(xml));
    const oQue = pick(MUTACOES, draw)(root, draw);
    const fault = judge(ler(write(root)), root, { lugares, situacao, oQue });
    if (fault !== null) faults.push(`${amostra.leiaute}, ${amostra.nome}: ${oQue}: ${fault}`);
  }
  return faults;
}
