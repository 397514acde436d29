/** XML as text, for changes that no XML library would make: it need not be well-formed, before or after. */
import type { Aleatorio } from '../../src/gerador/aleatorio.ts';

export interface Trecho {
  nome: string;
  /** From the start tag's `<` … */
  inicio: number;
  fimAbertura: number;
  inicioFecho: number;
  /** … to behind the end tag. */
  fim: number;
}

const TAG = /<(\/?)([A-Za-z_][\w.:-]*)([^<>]*?)(\/?)>/g;

/** All elements that are opened and closed, in the order of their end tags. */
export function elementos(text: string): Trecho[] {
  const open: Trecho[] = [];
  const found: Trecho[] = [];
  for (const tag of text.matchAll(TAG)) {
    const [whole, closing, nome = '', , empty] = tag;
    const end = tag.index + whole.length;
    if (closing) {
      const at = open.findLastIndex((element) => element.nome === nome);
      const element = open[at];
      if (!element) continue;
      open.length = at;
      found.push({ ...element, inicioFecho: tag.index, fim: end });
      continue;
    }
    const element = { nome, inicio: tag.index, fimAbertura: end, inicioFecho: end, fim: end };
    if (empty) found.push(element);
    else open.push(element);
  }
  return found;
}

export function localName(nome: string): string {
  return nome.slice(nome.indexOf(':') + 1);
}

/** Elements that hold text and no element. */
export function folhas(text: string): Trecho[] {
  return elementos(text).filter(
    ({ fimAbertura, inicioFecho }) =>
      inicioFecho > fimAbertura && !text.slice(fimAbertura, inicioFecho).includes('<'),
  );
}

export function trocar(text: string, inicio: number, fim: number, por: string): string {
  return text.slice(0, inicio) + por + text.slice(fim);
}

export const inteiro = (text: string, { inicio, fim }: Trecho): string => text.slice(inicio, fim);

/** An element of the text, or null where there is none. */
export function sortear(random: Aleatorio, text: string): Trecho | null {
  const all = elementos(text);
  return all.length === 0 ? null : random.pick(all);
}

/** What documents of these families sign. */
export const ANCORAS: readonly string[] = [
  'infNFe',
  'infCte',
  'infCTe',
  'infEvento',
  'infInut',
  'infCFe',
  'infNFSe',
  'InfNfse',
  'infPedReg',
];

export function ancora(text: string): Trecho | null {
  return elementos(text).findLast(({ nome }) => ANCORAS.includes(localName(nome))) ?? null;
}

export function assinaturaEm(text: string): Trecho | null {
  return elementos(text).findLast(({ nome }) => localName(nome) === 'Signature') ?? null;
}
