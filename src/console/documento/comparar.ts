/** What two versions of a document say differently: both trees are gone through side by side, once. */
import { treeOf } from '../../fiscal/xml/scan.ts';
import { pathOf, shownName, type XmlElement, type XmlTree } from '../../fiscal/xml/tree.ts';
import { Espaco } from './espaco.ts';

import { rotuloDe } from './rotulos.ts';

export interface Diferenca {
  campo: string;
  elemento: string;
  servida: string | null;
  outra: string | null;
}

const DIFERENCAS_MAX = 200;
/** Characters of all values together. */
const TEXTO_MAX = 200_000;

/** Something of each version; null where a version has none. */
interface Par<T> {
  servida: T | null;
  outra: T | null;
}

interface Comparacao {
  arvores: Par<XmlTree>;
  /** Names from the root down to where it is. */
  passos: string[];
  espaco: Espaco;
  encontradas: Diferenca[];
}

/** The differences, element by element; what is no XML has none. */
export function diferencas(servida: Uint8Array, outra: Uint8Array): Diferenca[] {
  const arvores = { servida: treeOf(servida), outra: treeOf(outra) };
  const comparacao: Comparacao = { arvores, passos: [], espaco: new Espaco(TEXTO_MAX), encontradas: [] };
  const roots = { servida: arvores.servida?.root ?? null, outra: arvores.outra?.root ?? null };
  for (const par of pares(listed(roots.servida), listed(roots.outra))) compareDocumentos(comparacao, par);
  return comparacao.encontradas;
}

function listed(root: XmlElement | null): XmlElement[] {
  return root ? [root] : [];
}

interface ParNomeado extends Par<XmlElement> {
  passo: string;
}

/** Elements of one name are compared in their order: the second with the second. */
function* pares(servidas: readonly XmlElement[], outras: readonly XmlElement[]): Generator<ParNomeado> {
  const porNome = Map.groupBy(outras, ({ localName }) => localName);
  const quantas = new Map<string, number>();
  for (const servida of servidas) {
    const { localName } = servida;
    const nth = quantas.get(localName) ?? 0;
    quantas.set(localName, nth + 1);
    yield { servida, outra: porNome.get(localName)?.[nth] ?? null, passo: passoDe(localName, nth) };
  }
  for (const [localName, iguais] of porNome) {
    const from = quantas.get(localName) ?? 0;
    for (const [at, outra] of iguais.slice(from).entries())
      yield { servida: null, outra, passo: passoDe(localName, from + at) };
  }
}

function passoDe(localName: string, nth: number): string {
  return nth === 0 ? shownName(localName) : `${shownName(localName)}[${nth + 1}]`;
}

function compareDocumentos(comparacao: Comparacao, { servida, outra, passo }: ParNomeado): void {
  const { arvores, passos, encontradas, espaco } = comparacao;
  const name = (servida ?? outra)?.localName ?? '';
  if (name === 'Signature' || encontradas.length >= DIFERENCAS_MAX || espaco.cheio) return;
  passos.push(passo);
  const valores = { servida: valorDe(arvores.servida, servida), outra: valorDe(arvores.outra, outra) };
  if (valores.servida !== valores.outra) {
    encontradas.push({
      campo: rotuloDe(espaco.nome(name)),
      elemento: pathOf(passos),
      servida: valores.servida === null ? null : espaco.texto(valores.servida),
      outra: valores.outra === null ? null : espaco.texto(valores.outra),
    });
  }
  for (const inner of pares(servida?.children ?? [], outra?.children ?? []))
    compareDocumentos(comparacao, inner);
  passos.pop();
}

/** Text of an element without others in it; null of any other. */
function valorDe(tree: XmlTree | null, element: XmlElement | null): string | null {
  return tree && element && element.children.length === 0 ? tree.text(element).trim() : null;
}
