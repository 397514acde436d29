/** Elements, attributes and namespaces in other places, numbers and forms than anybody should write. */
import type { Aleatorio } from '../../src/gerador/aleatorio.ts';
import type { Mutador } from './mutacoes.ts';
import { ancora, elementos, folhas, inteiro, sortear, type Trecho, trocar } from './texto.ts';

const withoutDeclaration = (text: string) => text.replace(/^[^<]*<\?xml[^>]*\?>/, '');

/** A change at one drawn element; nothing where there is none. */
function atElement(act: (text: string, element: Trecho, random: Aleatorio) => string): Mutador {
  return (text, { random }) => {
    const element = sortear(random, text);
    return element ? act(text, element, random) : text;
  };
}

function atLeaf(act: (value: string, random: Aleatorio) => string): Mutador {
  return (text, { random }) => {
    const all = folhas(text);
    if (all.length === 0) return text;
    const { fimAbertura, inicioFecho } = random.pick(all);
    return trocar(text, fimAbertura, inicioFecho, act(text.slice(fimAbertura, inicioFecho), random));
  };
}

const half = (value: string) => Math.floor(value.length / 2);
const between = (piece: string) => (value: string) =>
  value.slice(0, half(value)) + piece + value.slice(half(value));

/** Inside the start tag, behind its name. */
function withAttribute(text: string, { inicio, nome }: Trecho, attribute: string): string {
  const at = inicio + 1 + nome.length;
  return trocar(text, at, at, ` ${attribute}`);
}

const LAUGHS = Array.from({ length: 12 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join('');

const DOCTYPES = [
  '<!DOCTYPE x [<!ENTITY a0 "rs">]>',
  `<!DOCTYPE x [<!ENTITY a0 "rs">${LAUGHS}]>`,
  '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">',
  '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>',
  '<!DOCTYPE x [<!ENTITY % p SYSTEM "http://127.0.0.1:9/p">%p;]>',
];

const NAMESPACES = [
  'http://www.portalfiscal.inf.br/nfe',
  'http://www.portalfiscal.inf.br/cte',
  'http://www.sped.fazenda.gov.br/nfse',
  'http://www.w3.org/2000/09/xmldsig#',
  'urn:x',
  '',
];

export const ESTRUTURA: Readonly<Record<string, Mutador>> = {
  duplicar: atElement((text, element) => trocar(text, element.fim, element.fim, inteiro(text, element))),
  apagar: atElement((text, { inicio, fim }) => trocar(text, inicio, fim, '')),
  esvaziar: atElement((text, { fimAbertura, inicioFecho }) => trocar(text, fimAbertura, inicioFecho, '')),
  mover: atElement((text, element, random) => {
    const rest = trocar(text, element.inicio, element.fim, '');
    const target = sortear(random, rest);
    const at = target ? random.pick([target.inicio, target.fimAbertura, target.inicioFecho, target.fim]) : 0;
    return trocar(rest, at, at, inteiro(text, element));
  }),
  copiarPara: atElement((text, element, random) => {
    const target = sortear(random, text);
    const at = target ? random.pick([target.inicio, target.fimAbertura, target.fim]) : 0;
    return trocar(text, at, at, inteiro(text, element));
  }),
  deOutra: (text, { random, outra }) => {
    const [here, there] = [sortear(random, text), sortear(random, outra)];
    if (!here || !there) return text;
    return random.chance(0.5)
      ? trocar(text, here.inicio, here.fim, inteiro(outra, there))
      : trocar(text, here.fim, here.fim, inteiro(outra, there));
  },
  renomear: atElement((text, element, random) => {
    const nome = random.pick([
      element.nome.toUpperCase(),
      element.nome.toLowerCase(),
      `x:${element.nome}`,
      'infNFe',
      'Signature',
      'x',
    ]);
    const closed = text.slice(element.inicioFecho, element.fim).replace(element.nome, nome);
    const body = text.slice(element.inicio + 1 + element.nome.length, element.inicioFecho);
    return trocar(text, element.inicio, element.fim, `<${nome}${body}${closed}`);
  }),
  trocarFolhas: (text, { random }) => {
    const all = folhas(text);
    if (all.length < 2) return text;
    const [a, b] = [random.pick(all), random.pick(all)].sort((x, y) => x.inicio - y.inicio);
    if (!a || !b || a.inicio === b.inicio) return text;
    const value = (leaf: Trecho) => text.slice(leaf.fimAbertura, leaf.inicioFecho);
    const second = trocar(text, b.fimAbertura, b.inicioFecho, value(a));
    return trocar(second, a.fimAbertura, a.inicioFecho, value(b));
  },
  embrulhar: (text, { random }) => {
    const [open, close] = random.pick([
      ['<x>', '</x>'],
      ['<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>', '</s:Body></s:Envelope>'],
      ['<x xmlns:p="urn:p" xml:lang="pt" xml:base="http://x/">', '</x>'],
      ['<nfeProcB2B><x/>', '</nfeProcB2B>'],
      ['<a><![CDATA[', ']]></a>'],
      ['<lista xmlns="urn:lista">', '</lista>'],
    ] as const);
    return open + withoutDeclaration(text) + close;
  },
  comentario: atLeaf(between('<!-- x -->')),
  instrucao: atLeaf(between('<?x y?>')),
  cdata: atLeaf((value) => `<![CDATA[${value}]]>`),
  cdataParcial: atLeaf(between('<![CDATA[9]]>')),
  referencia: atLeaf((value) => value.replace(/^./, (c) => `&#${c.charCodeAt(0)};`)),
  referenciaRuim: atLeaf(
    (value, random) => value + random.pick(['&#0;', '&#x110000;', '&nada;', '&', '&#xD800;', '&a9;']),
  ),
  espacos: atLeaf((value, random) => random.pick([` ${value}`, `${value}\n`, `\u00a0${value}`, ''])),
  valorEstranho: atLeaf((_, random) =>
    random.pick([
      '-1',
      '1e9',
      'NaN',
      '99999999999999999999',
      '0',
      '2026-13-45T99:99:99',
      '__proto__',
      '9'.repeat(5_000),
      "'; drop table--",
    ]),
  ),
  elementoNoTexto: atLeaf(between('<x/>')),
  atributoDuplicado: atElement((text, element) => withAttribute(text, element, 'Id="x" Id="y"')),
  idDeOutroJeito: (text, { random }) =>
    text.replace(/\bId="/, random.pick(['ID="', 'id="', 'xml:id="', 'x:Id="', 'Id ="', "Id='x' id=\""])),
  idRepetido: atElement((text, element, random) => {
    const ids = [...text.matchAll(/\bId="([^"]*)"/g)];
    return ids.length === 0 ? text : withAttribute(text, element, `Id="${random.pick(ids)[1]}"`);
  }),
  semAtributo: (text, { random }) => {
    const all = [...text.matchAll(/\s[\w:]+="[^"]*"/g)];
    if (all.length === 0) return text;
    const { index, 0: whole } = random.pick(all);
    return trocar(text, index, index + whole.length, '');
  },
  namespaceNovo: atElement((text, element, random) =>
    withAttribute(text, element, `xmlns="${random.pick(NAMESPACES)}"`),
  ),
  prefixoNovo: atElement((text, element, random) =>
    withAttribute(
      text,
      element,
      `xmlns:${random.pick(['a', 'nfe', 'xml', 'xmlns'])}="${random.pick(NAMESPACES)}"`,
    ),
  ),
  atributoXml: atElement((text, element, random) =>
    withAttribute(
      text,
      element,
      random.pick(['xml:lang="pt"', 'xml:space="preserve"', 'xml:base="x"', 'xml:id="y"', 'xsi:nil="true"']),
    ),
  ),
  semNamespace: (text) => text.replace(/\sxmlns="[^"]*"/, ''),
  prefixado: (text, { random }) => {
    const prefix = random.pick(['ns2', 'nfe', 'p']);
    return text
      .replaceAll(/<(\/?)(?=[A-Za-z])(?![^>]*:)/g, `<$1${prefix}:`)
      .replace(/\sxmlns="/, ` xmlns:${prefix}="`);
  },
  doctype: (text, { random }) => {
    const body = withoutDeclaration(text);
    const called = random.chance(0.5) ? body.replace(/>([^<]+)</, '>&a12;<') : body;
    return random.pick(DOCTYPES) + called;
  },
  fundo: (text, { random }) => {
    const depth = random.pick([90, 101, 1_000, 20_000]);
    return '<x>'.repeat(depth) + withoutDeclaration(text) + '</x>'.repeat(depth);
  },
  muitosAtributos: atElement((text, element, random) => {
    const count = random.pick([200, 257, 5_000]);
    return withAttribute(text, element, Array.from({ length: count }, (_, i) => `a${i}="1"`).join(' '));
  }),
  muitosFilhos: atElement((text, element, random) =>
    trocar(
      text,
      element.fim,
      element.fim,
      inteiro(text, element).repeat(random.integer(10, 300)).slice(0, 2_000_000),
    ),
  ),
  ancoraAlterada: (text, { random }) => {
    const signed = ancora(text);
    if (!signed) return text;
    const copy = inteiro(text, signed).replace(/(>[^<]*?)\d(?=[^<>]*<)/, '$19');
    const at = random.pick([
      signed.inicio,
      signed.fim,
      signed.fimAbertura,
      signed.inicioFecho,
      0,
      text.length,
    ]);
    return trocar(text, at, at, copy);
  },
  dentroDeSi: (text) => {
    const all = elementos(text);
    const root = all.at(-1);
    return root ? trocar(text, root.fimAbertura, root.fimAbertura, inteiro(text, root)) : text;
  },
};
