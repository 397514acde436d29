/**
 * Content models made by chance: groups in groups that repeat, each judged on contents near and far from it. Whatever
 * schema version is installed later, its constructs have stood here before.
 */
import { Aleatorio } from '../../src/gerador/aleatorio.ts';
import { confrontar, RAIZ } from './confronto.ts';

export interface ModelosJulgados {
  /** Those that both tiers take. */
  modelos: number;
  conteudos: number;
  aceitos: number;
  faltas: { modelo: string; conteudo: string }[];
}

const NAMESPACE = 'https://malote.invalid/modelos';
const NAMES = ['a', 'b', 'c'];
const OCCURS = [
  '',
  '',
  'minOccurs="0"',
  'minOccurs="0" maxOccurs="unbounded"',
  'maxOccurs="unbounded"',
  'minOccurs="2" maxOccurs="2"',
  'minOccurs="0" maxOccurs="2"',
  'maxOccurs="2"',
  'minOccurs="2" maxOccurs="3"',
  'minOccurs="2" maxOccurs="unbounded"',
];
/** A counted group that may be empty: `caaaa` fits it by XSD, and libxml2 refuses that. */
const KNOWN =
  '<choice minOccurs="2" maxOccurs="3"><element name="b" type="string" minOccurs="0" maxOccurs="2"/><sequence maxOccurs="2"><choice maxOccurs="2"><element name="c" type="string" maxOccurs="2"/><element name="a" type="string" minOccurs="0"/></choice></sequence></choice>';
const MAX_DEPTH = 3;
const MAX_LENGTH = 7;
const MAX_FAULTS = 20;

export function judgeModelos({
  semente,
  quantos,
  conteudosPorModelo,
}: {
  semente: string;
  quantos: number;
  conteudosPorModelo: number;
}): ModelosJulgados {
  const total: ModelosJulgados = { modelos: 0, conteudos: 0, aceitos: 0, faltas: [] };
  for (let i = 0; i < quantos; i++) {
    const random = new Aleatorio(`modelos/${semente}/${i}`);
    const modelo = i === 0 ? KNOWN : model(random, MAX_DEPTH);
    judgeModel(modelo, { random, conteudosPorModelo, total });
  }
  return total;
}

function model(random: Aleatorio, depth: number): string {
  const kind = random.pick(['sequence', 'choice']);
  const parts = Array.from({ length: random.integer(1, 3) }, () =>
    depth === 1 || random.chance(0.4)
      ? `<element name="${random.pick(NAMES)}" type="string" ${random.pick(OCCURS)}/>`
      : model(random, depth - 1),
  );
  return `<${kind} ${random.pick(OCCURS)}>${parts.join('')}</${kind}>`;
}

function judgeModel(
  modelo: string,
  input: { random: Aleatorio; conteudosPorModelo: number; total: ModelosJulgados },
): void {
  const { random, conteudosPorModelo, total } = input;
  const schema = `<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="${NAMESPACE}" elementFormDefault="qualified"><element name="${RAIZ}"><complexType>${modelo}</complexType></element></schema>`;
  using confronto = confrontar(new Map(), { schema, namespace: NAMESPACE });
  if (!confronto) return;
  total.modelos++;
  for (let i = 0; i < conteudosPorModelo; i++) {
    const conteudo = Array.from({ length: random.integer(0, MAX_LENGTH) }, () => random.pick(NAMES)).join('');
    const inner = [...conteudo].map((name) => `<${name}/>`).join('');
    const { aceito, valido } = confronto.julgar(
      Buffer.from(`<${RAIZ} xmlns="${NAMESPACE}">${inner}</${RAIZ}>`),
    );
    total.conteudos++;
    if (!aceito) continue;
    total.aceitos++;
    if (!valido() && total.faltas.length < MAX_FAULTS) total.faltas.push({ modelo, conteudo });
  }
}
