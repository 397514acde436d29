/** The same XML in other words: order of siblings, prefixes, spaces, case of names, attributes in the place of elements. */

export interface Elemento {
  nome: string;
  atributos: string;
  filhos: Elemento[];
  texto: string;
}

const TAG = /<!--[^>]*-->|<(\/?)([^\s/>]+)([^>]*?)(\/?)>|([^<]+)/g;

export function parse(xml: string): Elemento {
  const root: Elemento = { nome: '', atributos: '', filhos: [], texto: '' };
  const open: Elemento[] = [root];
  for (const [, close, nome, atributos = '', empty, texto] of xml.matchAll(TAG)) {
    const current = open.at(-1) as Elemento;
    if (texto !== undefined) current.texto += texto;
    else if (close) open.pop();
    else if (nome) {
      const element = { nome, atributos, filhos: [], texto: '' };
      current.filhos.push(element);
      if (!empty) open.push(element);
    }
  }
  return root.filhos[0] as Elemento;
}

/** Small and the same everywhere: a test that fails can be repeated. */
export function sorteio(semente: number): (until: number) => number {
  let state = semente * 2_654_435_761 + 1;
  return (until) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % until;
  };
}

function shuffle<T>(items: readonly T[], draw: (until: number) => number): T[] {
  const mixed = [...items];
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = draw(at + 1);
    [mixed[at], mixed[other]] = [mixed[other] as T, mixed[at] as T];
  }
  return mixed;
}

/** Names that decide of the file's own kind are left as they are: cases differ only inside. */
export function variar(xml: string, semente: number): string {
  const draw = sorteio(semente);
  const prefixo = xml.includes('xmlns') || semente % 3 !== 0 ? '' : 'zz:';
  const asAttributes = semente % 4 === 1 && !xml.includes(':');
  const spaced = semente % 2 === 0;
  const write = (element: Elemento, depth: number): string => {
    const { nome, texto } = element;
    let { atributos, filhos } = element;
    const named = prefixo + nome;
    if (asAttributes && depth > 0) {
      const [leaf] = filhos.filter(
        (one) =>
          one.filhos.length === 0 &&
          one.atributos === '' &&
          one.texto !== '' &&
          !/["<&]/.test(one.texto) &&
          filhos.filter((other) => other.nome === one.nome).length === 1,
      );
      if (leaf && filhos.length > 1) {
        filhos = filhos.filter((one) => one !== leaf);
        atributos += ` ${leaf.nome}="${leaf.texto}"`;
      }
    }
    const around = spaced && filhos.length > 0 ? '\n  ' : '';
    const inside = shuffle(filhos, draw).map((one) => around + write(one, depth + 1));
    return `<${named}${atributos}>${texto.trim() === '' ? '' : texto}${inside.join('')}${around}</${named}>`;
  };
  const written = write(parse(xml), 0);
  return prefixo === '' ? written : written.replace(/^<[^ >]+/, '$& xmlns:zz="u:outro"');
}
