import { attribute, type XmlElement } from '../../xml/tree.ts';
import * as componentsConsts from './components.ts';
import { type Component, type Components, inside, parts, qualified, reference } from './components.ts';
import { PatternTables } from './dfa.ts';
import * as lexical from './lexical.ts';
import { type Expression, literal, readPattern } from './pattern.ts';
import { type SimpleRules, SimpleType, type WhiteSpace } from './simple-type.ts';
import { Unsupported } from './unsupported.ts';

const { XSD } = componentsConsts;

const ANY_LENGTH = { minLength: 0, maxLength: Number.POSITIVE_INFINITY };

function builtIn(
  judge: lexical.Lexical | null,
  more: Partial<Pick<SimpleRules, 'whiteSpace' | 'isId' | 'ignoresSpace'>> = {},
): SimpleRules {
  return {
    lexical: judge,
    whiteSpace: 'collapse',
    ignoresSpace: false,
    ...ANY_LENGTH,
    patterns: [],
    bounds: null,
    isId: false,
    ...more,
  };
}

const MAX_INTEGER = 10 ** 15;

/** The built-in types that fiscal schemas use. @fonte XML Schema Part 2, 3 */
const BUILT_IN: Readonly<Record<string, SimpleRules>> = {
  string: builtIn(null, { whiteSpace: 'preserve' }),
  normalizedString: builtIn(null, { whiteSpace: 'replace' }),
  token: builtIn(null),
  ID: builtIn(lexical.ncName, { isId: true }),
  anyURI: builtIn(lexical.anyUri),
  base64Binary: builtIn(lexical.base64, { ignoresSpace: true }),
  dateTime: builtIn(lexical.dateTime),
  date: builtIn(lexical.date),
  gYearMonth: builtIn(lexical.gYearMonth),
  decimal: builtIn(lexical.decimal),
  integer: builtIn(lexical.integer(-MAX_INTEGER, MAX_INTEGER)),
  nonNegativeInteger: builtIn(lexical.integer(0, MAX_INTEGER)),
  positiveInteger: builtIn(lexical.integer(1, MAX_INTEGER)),
  int: builtIn(lexical.integer(-2_147_483_648, 2_147_483_647)),
  short: builtIn(lexical.integer(-32_768, 32_767)),
  unsignedInt: builtIn(lexical.unsigned(4_294_967_295)),
  unsignedShort: builtIn(lexical.unsigned(65_535)),
  unsignedByte: builtIn(lexical.unsigned(255)),
};

/** Types whose values are numbers, so that bounds compare numbers. */
const NUMERIC: ReadonlySet<lexical.Lexical | null> = new Set(
  [
    'decimal',
    'integer',
    'nonNegativeInteger',
    'positiveInteger',
    'int',
    'short',
    'unsignedInt',
    'unsignedShort',
    'unsignedByte',
  ].map((name) => BUILT_IN[name]?.lexical ?? null),
);

/** Finds the simple types of a schema, each compiled once. */
export class SimpleTypes {
  readonly #components: Components;
  readonly #rules = new Map<XmlElement, SimpleRules>();
  readonly #types = new Map<SimpleRules, SimpleType>();
  readonly tables: PatternTables = new PatternTables();

  constructor(components: Components) {
    this.#components = components;
  }

  /** Whether a name means a simple type: built in, or defined by the schema. */
  has({ namespace, localName }: { namespace: string; localName: string }): boolean {
    if (namespace === XSD) return true;
    return this.#components.types.get(qualified(namespace, localName))?.element.localName === 'simpleType';
  }

  /** @throws Unsupported when something in it is not known here */
  named(name: { namespace: string; localName: string }): SimpleType {
    return this.#compiled(this.#rulesOf(name));
  }

  /** A `simpleType` that stands where it is used. */
  anonymous(component: Component): SimpleType {
    return this.#compiled(this.#rulesIn(component));
  }

  #compiled(rules: SimpleRules): SimpleType {
    const known = this.#types.get(rules) ?? new SimpleType(rules, this.tables);
    this.#types.set(rules, known);
    return known;
  }

  #rulesOf({ namespace, localName }: { namespace: string; localName: string }): SimpleRules {
    if (namespace === XSD) {
      const rules = Object.hasOwn(BUILT_IN, localName) ? BUILT_IN[localName] : undefined;
      if (!rules) throw new Unsupported(`type xs:${localName}`);
      return rules;
    }
    const component = this.#components.types.get(qualified(namespace, localName));
    if (component?.element.localName !== 'simpleType') throw new Unsupported(`simple type ${localName}`);
    return this.#rulesIn(component);
  }

  #rulesIn(component: Component): SimpleRules {
    const known = this.#rules.get(component.element);
    if (known) return known;
    const [derivation, more] = parts(component.element);
    // Lists and unions are used by no fiscal schema.
    if (derivation?.localName !== 'restriction' || more)
      throw new Unsupported('simple type that is no restriction');
    const rules = this.#restricted(inside(component, derivation));
    this.#rules.set(component.element, rules);
    return rules;
  }

  #restricted(component: Component): SimpleRules {
    const base = reference(component, 'base');
    const [first, ...others] = parts(component.element);
    const hasOwnBase = first?.localName === 'simpleType';
    if (hasOwnBase === (base !== null)) throw new Unsupported('restriction without one base');
    const rules = base ? this.#rulesOf(base) : this.#rulesIn(inside(component, first as XmlElement));
    const facets = hasOwnBase ? others : [first, ...others].filter((facet) => facet !== undefined);
    return withFacets(rules, facets, this.tables);
  }
}

function withFacets(base: SimpleRules, facets: readonly XmlElement[], tables: PatternTables): SimpleRules {
  const rules = { ...base, patterns: [...base.patterns] };
  const patterns: Expression[] = [];
  const literals: string[] = [];
  for (const facet of facets) {
    const value = attribute(facet, 'value');
    if (value === null) throw new Unsupported(`${facet.localName} without value`);
    switch (facet.localName) {
      case 'pattern':
        patterns.push(readPattern(value));
        break;
      case 'enumeration':
        literals.push(value);
        break;
      default:
        applyFacet(rules, facet.localName, value);
    }
  }
  // Patterns of one restriction are alternatives, and so are the values of one enumeration.
  if (patterns.length > 0) rules.patterns.push({ kind: 'choice', parts: patterns });
  if (literals.length > 0) addEnumeration(rules, literals, tables);
  return rules;
}

/**
 * Texts of the type itself need no look at the built-in type and at other patterns any more: theirs has been taken
 * here.
 */
function addEnumeration(
  rules: SimpleRules & { patterns: Expression[] },
  literals: readonly string[],
  tables: PatternTables,
): void {
  const { lexical: judge } = rules;
  const others = rules.patterns.map((pattern) => tables.of(pattern));
  const known = literals.filter((text) => {
    const bytes = Buffer.from(text, 'utf8');
    return (
      (judge === null || judge(bytes, 0, bytes.length)) &&
      others.every((pattern) => pattern.matches(bytes, 0, bytes.length))
    );
  });
  rules.patterns = [{ kind: 'choice', parts: known.map(literal) }];
  rules.lexical = rules.bounds === null ? null : judge;
}

function applyFacet(rules: SimpleRules & { patterns: Expression[] }, name: string, value: string): void {
  switch (name) {
    case 'whiteSpace':
      if (value !== 'preserve' && value !== 'replace' && value !== 'collapse') throw new Unsupported(value);
      rules.whiteSpace = stricter(rules.whiteSpace, value);
      return;
    case 'length':
    case 'minLength':
    case 'maxLength': {
      if (!/^\d{1,9}$/.test(value)) throw new Unsupported(`${name} ${value}`);
      if (rules.ignoresSpace) {
        ofSoManyBytes(rules, name, Number(value));
        return;
      }
      if (name !== 'maxLength') rules.minLength = Math.max(rules.minLength, Number(value));
      if (name !== 'minLength') rules.maxLength = Math.min(rules.maxLength, Number(value));
      return;
    }
    case 'totalDigits':
    case 'fractionDigits':
      rules.patterns.push(digits(rules, name, value));
      return;
    case 'minInclusive':
    case 'maxInclusive':
    case 'minExclusive':
    case 'maxExclusive':
      rules.bounds = bound(rules, name, value);
      return;
    default:
      throw new Unsupported(`facet ${name}`);
  }
}

/** The length of Base64 counts bytes, not characters. */
function ofSoManyBytes(rules: SimpleRules, name: string, length: number): void {
  if (name !== 'length' || length === 0 || rules.lexical !== lexical.base64)
    throw new Unsupported(`${name} ${length} of Base64`);
  rules.lexical = lexical.base64Of(length);
  rules.ignoresSpace = false;
}

const STRICTNESS: readonly WhiteSpace[] = ['preserve', 'replace', 'collapse'];

function stricter(a: WhiteSpace, b: WhiteSpace): WhiteSpace {
  return STRICTNESS.indexOf(a) > STRICTNESS.indexOf(b) ? a : b;
}

/** Written digits, zeros in front included: never more than the standard counts, which leaves those out. */
function digits(rules: SimpleRules, name: string, value: string): Expression {
  if (!NUMERIC.has(rules.lexical) || !/^[1-9]\d?$/.test(value)) throw new Unsupported(`${name} ${value}`);
  const limit = Number(value);
  if (name === 'fractionDigits') return readPattern(`-?[0-9]+(\\.[0-9]{1,${limit}})?`);
  const shapes = Array.from(
    { length: limit - 1 },
    (_, i) => `-?[0-9]{1,${i + 1}}\\.[0-9]{1,${limit - i - 1}}`,
  );
  return readPattern([`-?[0-9]{1,${limit}}`, ...shapes].join('|'));
}

function bound(rules: SimpleRules, name: string, value: string): (text: string) => boolean {
  const outer = rules.bounds ?? (() => true);
  // Months of years with four digits compare as texts.
  if (rules.lexical === lexical.gYearMonth && name === 'minInclusive' && /^\d{4}-\d\d$/.test(value)) {
    return (text) => text >= value && outer(text);
  }
  if (!NUMERIC.has(rules.lexical) || !/^-?\d{1,15}$/.test(value)) throw new Unsupported(`${name} ${value}`);
  const limit = Number(value);
  switch (name) {
    case 'minInclusive':
      return (text) => Number(text) >= limit && outer(text);
    case 'maxInclusive':
      return (text) => Number(text) <= limit && outer(text);
    case 'minExclusive':
      return (text) => Number(text) > limit && outer(text);
    default:
      return (text) => Number(text) < limit && outer(text);
  }
}
