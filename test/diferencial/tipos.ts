/**
 * Every simple type of the packages by itself: texts near its rules, judged by the fast tier and by libxml2. The type
 * stands as it is written, in a small schema that includes its own file.
 */
import { widenPackage } from '../../src/fiscal/esquemas/cnpj-alfanumerico.ts';
import type { PacoteDeEsquemas } from '../../src/fiscal/esquemas/pacote.ts';
import { decodeXml } from '../../src/fiscal/xml/decode.ts';
import { scanXml } from '../../src/fiscal/xml/scan.ts';
import { attribute, walk } from '../../src/fiscal/xml/tree.ts';
import { Aleatorio } from '../../src/gerador/aleatorio.ts';
import { confrontar, RAIZ } from './confronto.ts';
import { textoDoPadrao } from './textos.ts';

export interface Julgados {
  tipos: number;
  textos: number;
  aceitos: number;
  /** Of these, the ones that were judged while they were scanned. */
  noCaminho: number;
  faltas: { arquivo: string; tipo: string; texto: string }[];
}

interface TipoEscrito {
  arquivo: string;
  namespace: string;
  /** The `simpleType` as it stands, without its name. */
  escrito: string;
  /** Values of its facets, from which texts are made. */
  padroes: string[];
  valores: string[];
  tamanhos: number[];
}

const XSD = 'http://www.w3.org/2001/XMLSchema';
const MAX_FAULTS = 20;

export function judgeTipos(
  pacotes: readonly PacoteDeEsquemas[],
  { semente, textosPorTipo }: { semente: string; textosPorTipo: number },
): Julgados {
  const total: Julgados = { tipos: 0, textos: 0, aceitos: 0, noCaminho: 0, faltas: [] };
  for (const { arquivos } of pacotes) {
    const files = widenPackage(arquivos);
    for (const tipo of typesOf(files)) {
      const random = new Aleatorio(`tipos/${semente}/${tipo.escrito}`);
      judgeType(
        files,
        tipo,
        Array.from({ length: textosPorTipo }, () => textFor(tipo, random)),
        total,
      );
    }
  }
  return total;
}

/** Each different type once, wherever it stands. */
function typesOf(files: ReadonlyMap<string, Uint8Array>): TipoEscrito[] {
  const found = new Map<string, TipoEscrito>();
  for (const [arquivo, bytes] of files) {
    const decoded = decodeXml(bytes);
    const scan = 'rejeicao' in decoded ? null : scanXml(decoded.bytes);
    if (!scan?.ok) continue;
    const { tree } = scan;
    const namespace = attribute(tree.root, 'targetNamespace');
    if (namespace === null) continue;
    for (const element of walk(tree.root)) {
      if (element.localName !== 'simpleType' || element.namespace !== XSD) continue;
      const text = Buffer.from(tree.bytes.subarray(element.start, element.end)).toString();
      const escrito = text.replace(/^(<[\w:]*simpleType)[^>]*>/, '$1>');
      if (found.has(escrito)) continue;
      const facets = [...walk(element)];
      const values = (names: readonly string[]) =>
        facets
          .filter(({ localName }) => names.includes(localName))
          .map((facet) => attribute(facet, 'value') ?? '');
      found.set(escrito, {
        arquivo,
        namespace,
        escrito,
        padroes: values(['pattern']),
        valores: values(['enumeration', 'minInclusive', 'maxInclusive']),
        tamanhos: values(['length', 'minLength', 'maxLength']).map(Number),
      });
    }
  }
  return [...found.values()];
}

const PLAIN = [
  '',
  ' ',
  '0',
  '1',
  'A',
  '1.00',
  '0.00',
  '12',
  '123',
  '-1',
  '-0',
  'abc',
  'ISENTO',
  '2026-01-01',
  '2026-01-01T00:00:00-03:00',
  'AAAA',
  'QQ==',
  '2026-02',
  '65535',
  '65536',
  'a b',
  '\u00e7',
  '\u0100',
];

/** A text that fits a facet of the type, often with one character changed. */
function textFor(tipo: TipoEscrito, random: Aleatorio): string {
  const { padroes, valores, tamanhos } = tipo;
  const sources = [
    ...(padroes.length > 0 ? [() => textoDoPadrao(random.pick(padroes), random)] : []),
    ...(valores.length > 0 ? [() => random.pick(valores)] : []),
    ...(tamanhos.length > 0
      ? [
          () =>
            random
              .pick(['A', '1', '\u00e7'])
              .repeat(Math.min(4000, Math.max(0, random.pick(tamanhos) + random.integer(-1, 1)))),
        ]
      : []),
    ...(tipo.escrito.includes('base64Binary')
      ? [
          () =>
            Buffer.alloc(
              Math.max(0, random.pick([1, ...tamanhos]) + random.integer(-2, 2)),
              random.integer(0, 255),
            ).toString('base64'),
        ]
      : []),
    ...(padroes.length + valores.length + tamanhos.length === 0 ? [() => random.pick(PLAIN)] : []),
  ];
  const text = random.chance(0.05) ? random.pick(PLAIN) : random.pick(sources)();
  return random.chance(0.35) ? spoiled(text, random) : text;
}

const SPOILERS = [
  '0',
  '9',
  'A',
  'z',
  ' ',
  '.',
  ',',
  '-',
  '\t',
  '\n',
  '\u00e7',
  '\u00ff',
  '\u0100',
  '\u0660',
  '/',
  '~',
];

function spoiled(text: string, random: Aleatorio): string {
  const at = random.integer(0, text.length);
  const removed = random.integer(0, 1);
  return text.slice(0, at) + random.pick(['', ...SPOILERS]) + text.slice(at + removed);
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\r', '&#13;');

function judgeType(
  files: ReadonlyMap<string, Uint8Array>,
  tipo: TipoEscrito,
  texts: readonly string[],
  total: Julgados,
): void {
  const prefix = /^<([\w-]+):/.exec(tipo.escrito)?.[1];
  const declared = prefix ? `xmlns:${prefix}="${XSD}" xmlns="${tipo.namespace}"` : `xmlns="${XSD}"`;
  const q = prefix ? `${prefix}:` : '';
  const schema = `<${q}schema ${declared} xmlns:ds="http://www.w3.org/2000/09/xmldsig#" xmlns:nfe="${tipo.namespace}" targetNamespace="${tipo.namespace}" elementFormDefault="qualified"><${q}include schemaLocation="${tipo.arquivo}"/><${q}element name="${RAIZ}"><${q}complexType><${q}sequence><${q}element name="valorDeTeste">${tipo.escrito}</${q}element></${q}sequence></${q}complexType></${q}element></${q}schema>`;
  using confronto = confrontar(files, { schema, namespace: tipo.namespace });
  if (!confronto) return;
  total.tipos++;
  for (const texto of texts) {
    const xml = Buffer.from(
      `<${RAIZ} xmlns="${tipo.namespace}"><valorDeTeste>${escaped(texto)}</valorDeTeste></${RAIZ}>`,
    );
    total.textos++;
    const { aceito, noCaminho, valido } = confronto.julgar(xml);
    if (!aceito) continue;
    total.aceitos++;
    if (noCaminho) total.noCaminho++;
    if (!valido() && total.faltas.length < MAX_FAULTS)
      total.faltas.push({ arquivo: tipo.arquivo, tipo: tipo.escrito, texto });
  }
}
