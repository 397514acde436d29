import { attribute, type XmlElement } from '../../xml/tree.ts';
import * as automatonConsts from './automaton.ts';
import { type AttributeRule, type Automaton, StepTable, type TypeRule, type Unique } from './automaton.ts';
import * as componentsConsts from './components.ts';
import {
  type Component,
  type Components,
  inside,
  parts,
  qualified,
  readComponents,
  reference,
} from './components.ts';
import { type Particle, readParticle, referredElement, wildcard } from './content-model.ts';
import { type Leaf, positionsOf } from './positions.ts';
import { SimpleTypes } from './simple-types.ts';
import { Unsupported } from './unsupported.ts';

const { MAX_STATES, MAX_SYMBOLS, NOWHERE, TYPE_SKIP, TYPE_UNKNOWN } = automatonConsts;
const { XSD } = componentsConsts;

/**
 * Compiles the official schema of one root: components → content models → positions → tables. Each element's type
 * becomes a {@link TypeRule}; a type that has something unknown here becomes TYPE_UNKNOWN, and documents that use it
 * are left to libxml2.
 *
 * @param files file name → bytes of the package; `main` is one of the names
 * @returns null when the schema cannot judge documents with this root here
 */
export function compileAutomaton(
  files: ReadonlyMap<string, Uint8Array>,
  input: { main: string; root: { namespace: string; localName: string } },
): Automaton | null {
  try {
    return new Compiler(readComponents(files, input.main)).compile(input.root);
  } catch (error) {
    if (error instanceof Unsupported) return null;
    throw error;
  }
}

/** What is known of a type while it is compiled: its own attributes, and its content, base included. */
interface Definition {
  particle: Particle | null;
  text: TypeRule['text'];
  mixed: boolean;
  attributes: AttributeRule[];
  anyAttribute: boolean;
}

class Compiler {
  readonly #components: Components;
  readonly #simple: SimpleTypes;
  readonly #symbols = new Map<string, number>();
  readonly #types: TypeRule[] = [];
  /** Type numbers by the schema element that defines the type: `complexType`, `simpleType`. */
  readonly #known = new Map<XmlElement, number>();
  readonly #builtIn = new Map<string, number>();
  /** Types whose content is still to be compiled: they may contain themselves. */
  readonly #pending: { type: number; particle: Particle }[] = [];

  readonly #stateType: number[] = [];
  readonly #stateMin: number[] = [];
  readonly #stateMax: number[] = [];
  readonly #accepts: number[] = [];
  readonly #wild: number[] = [];
  readonly #wildOtherThan: (string | null)[] = [];
  readonly #unique: (readonly Unique[] | null)[] = [];
  readonly #steps = new StepTable();

  constructor(components: Components) {
    this.#components = components;
    this.#simple = new SimpleTypes(components);
  }

  compile(name: { namespace: string; localName: string }): Automaton | null {
    const root = this.#components.elements.get(qualified(name.namespace, name.localName));
    if (!root) return null;
    const type = this.#typeOfElement(root);
    if (type === TYPE_UNKNOWN) return null;
    for (let next = this.#pending.pop(); next; next = this.#pending.pop())
      this.#content(next.type, next.particle);
    return {
      symbols: this.#symbols,
      root: { symbol: this.#symbol(name.namespace, name.localName), type, unique: this.#uniqueOf(root) },
      types: this.#types,
      stateType: Int32Array.from(this.#stateType),
      stateMin: Int32Array.from(this.#stateMin),
      stateMax: Int32Array.from(this.#stateMax),
      stateAccepts: Uint8Array.from(this.#accepts),
      stateWild: Int32Array.from(this.#wild),
      wildOtherThan: this.#wildOtherThan,
      stateUnique: this.#unique,
      steps: this.#steps,
      patterns: this.#simple.tables,
    };
  }

  #symbol(namespace: string, localName: string): number {
    const key = qualified(namespace, localName);
    const known = this.#symbols.get(key) ?? this.#symbols.size;
    if (known >= MAX_SYMBOLS) throw new Unsupported('too many names');
    this.#symbols.set(key, known);
    return known;
  }

  // ---- elements ----

  /** Number of the type of an element, or TYPE_UNKNOWN. */
  #typeOfElement(component: Component): number {
    try {
      return this.#definedType(component);
    } catch (error) {
      if (error instanceof Unsupported) return TYPE_UNKNOWN;
      throw error;
    }
  }

  #definedType(component: Component): number {
    const { element } = component;
    for (const name of ['nillable', 'abstract', 'fixed', 'default', 'substitutionGroup', 'block', 'final'])
      if (attribute(element, name) !== null) throw new Unsupported(name);
    const name = reference(component, 'type');
    const inner = parts(element).filter(
      ({ localName }) => localName === 'simpleType' || localName === 'complexType',
    );
    const [own, more] = inner;
    if (more || (own === undefined) === (name === null)) throw new Unsupported('element without one type');
    this.#uniqueOf(component);
    return name ? this.#namedType(name) : this.#typeIn(inside(component, own as XmlElement));
  }

  #namedType(name: { namespace: string; localName: string }): number {
    if (name.namespace === XSD) {
      const known = this.#builtIn.get(name.localName) ?? this.#addType(textOnly(this.#simple.named(name)));
      this.#builtIn.set(name.localName, known);
      return known;
    }
    const component = this.#components.types.get(qualified(name.namespace, name.localName));
    if (!component) throw new Unsupported(`type ${name.localName}`);
    return this.#typeIn(component);
  }

  #typeIn(component: Component): number {
    const known = this.#known.get(component.element);
    if (known !== undefined) return known;
    if (component.element.localName === 'simpleType') {
      const type = this.#addType(textOnly(this.#simple.anonymous(component)));
      this.#known.set(component.element, type);
      return type;
    }
    const { particle, ...rest } = this.#definition(component);
    const required = rest.attributes.filter((rule) => rule.required).length;
    const type = this.#addType({ start: NOWHERE, ...rest, required });
    this.#known.set(component.element, type);
    if (particle) this.#pending.push({ type, particle });
    return type;
  }

  #addType(rule: TypeRule): number {
    this.#types.push(rule);
    return this.#types.length - 1;
  }

  // ---- complex types ----

  #definition(component: Component): Definition {
    const { element } = component;
    for (const name of ['abstract', 'block', 'final'])
      if (attribute(element, name) !== null) throw new Unsupported(name);
    const definition: Definition = {
      particle: null,
      text: null,
      mixed: isTrue(element, 'mixed'),
      attributes: [],
      anyAttribute: false,
    };
    for (const part of parts(element)) this.#addPart(definition, inside(component, part));
    return definition;
  }

  #addPart(definition: Definition, part: Component): void {
    switch (part.element.localName) {
      case 'attribute':
        this.#addAttribute(definition, part);
        break;
      case 'anyAttribute': {
        const { skips, otherThan } = wildcard(part);
        // What is not certain is only not taken: the listed attributes still are.
        definition.anyAttribute = skips && otherThan === null;
        break;
      }
      case 'simpleContent':
      case 'complexContent':
        this.#extend(definition, part);
        break;
      default:
        definition.particle = inSequence(definition.particle, readParticle(part));
    }
  }

  /** An extension: what the base has, and then its own. */
  #extend(definition: Definition, content: Component): void {
    if (isTrue(content.element, 'mixed')) throw new Unsupported('mixed extension');
    const [derivation, more] = parts(content.element);
    if (derivation?.localName !== 'extension' || more) throw new Unsupported('complex type by restriction');
    const extension = inside(content, derivation);
    const base = reference(extension, 'base');
    if (!base) throw new Unsupported('extension without base');
    if (this.#simple.has(base)) {
      if (content.element.localName !== 'simpleContent') throw new Unsupported('extension of a simple type');
      definition.text = this.#simple.named(base);
    } else {
      const component = this.#components.types.get(qualified(base.namespace, base.localName));
      if (!component) throw new Unsupported(`base ${base.localName}`);
      const inherited = this.#definition(component);
      if (inherited.anyAttribute || inherited.mixed) throw new Unsupported('extension of an open type');
      Object.assign(definition, inherited);
    }
    for (const part of parts(derivation)) this.#addPart(definition, inside(extension, part));
  }

  #addAttribute(definition: Definition, component: Component): void {
    const { element, file } = component;
    const use = attribute(element, 'use') ?? 'optional';
    const name = attribute(element, 'name');
    const type = reference(component, 'type');
    const [own] = parts(element);
    if (name === null || (use !== 'optional' && use !== 'required') || attribute(element, 'default') !== null)
      throw new Unsupported(`attribute ${name ?? ''}`);
    if ((type === null) === (own === undefined)) throw new Unsupported(`attribute ${name} without one type`);
    const form = attribute(element, 'form') ?? (file.qualifiedAttributes ? 'qualified' : 'unqualified');
    const fixed = attribute(element, 'fixed');
    definition.attributes.push({
      symbol: this.#symbol(form === 'qualified' ? file.namespace : '', name),
      required: use === 'required',
      fixed: fixed === null ? null : Buffer.from(fixed, 'utf8'),
      type: type ? this.#simple.named(type) : this.#simple.anonymous(inside(component, own as XmlElement)),
    });
  }

  // ---- content ----

  #content(type: number, particle: Particle): void {
    const rule = this.#types[type];
    if (!rule) return;
    const { particles, first, follow, last, nullable } = positionsOf(particle);
    // An empty group is no content at all: then not even white space may stand there.
    if (particles.length === 0) return;
    const offset = this.#stateType.length + 1;
    const start = this.#state({ type: TYPE_UNKNOWN, min: 0, max: 0, accepts: nullable });
    for (const [i, leaf] of particles.entries())
      this.#leafState(leaf, { loops: follow[i]?.includes(i) === true, accepts: last.has(i) });
    this.#link(
      start,
      first.map((i) => i + offset),
      particles,
      offset,
    );
    for (const [i, next] of follow.entries()) {
      const repeats = (particles[i]?.max ?? 1) > 1 && !next.includes(i) ? [i] : [];
      this.#link(
        offset + i,
        [...repeats, ...next].map((j) => j + offset),
        particles,
        offset,
      );
    }
    rule.start = start;
  }

  #state(rule: { type: number; min: number; max: number; accepts: boolean }): number {
    if (this.#stateType.length >= MAX_STATES) throw new Unsupported('too many states');
    this.#stateType.push(rule.type);
    this.#stateMin.push(Math.max(rule.min, 1));
    this.#stateMax.push(Math.min(rule.max, 0x7fffffff));
    this.#accepts.push(rule.accepts ? 1 : 0);
    this.#wild.push(NOWHERE);
    this.#wildOtherThan.push(null);
    this.#unique.push(null);
    return this.#stateType.length - 1;
  }

  #leafState(leaf: Leaf, place: { loops: boolean; accepts: boolean }): void {
    // A group around it repeats: then its own count cannot be told from the group's.
    if (place.loops && leaf.min > 1) throw new Unsupported('repeated element in a repeated group');
    const max = place.loops ? Number.POSITIVE_INFINITY : leaf.max;
    const type = this.#typeOfLeaf(leaf);
    const state = this.#state({ type, min: leaf.min, max, accepts: place.accepts });
    if (leaf.kind === 'any') this.#wildOtherThan[state] = leaf.otherThan;
    else if (type !== TYPE_UNKNOWN) {
      const unique = this.#uniqueOf(this.#declaration(leaf.component).component);
      if (unique.length > 0) this.#unique[state] = unique;
    }
  }

  #typeOfLeaf(leaf: Leaf): number {
    if (leaf.kind === 'any') return leaf.skips ? TYPE_SKIP : TYPE_UNKNOWN;
    return this.#typeOfElement(this.#declaration(leaf.component).component);
  }

  /** The element that a particle stands for: defined there, or referred to. */
  #declaration(component: Component): { component: Component; symbol: number } {
    const { element, file } = component;
    const name = referredElement(component);
    if (name) {
      const referred = this.#components.elements.get(qualified(name.namespace, name.localName));
      if (!referred) throw new Unsupported(`element ${name.localName}`);
      return { component: referred, symbol: this.#symbol(name.namespace, name.localName) };
    }
    const form = attribute(element, 'form') ?? (file.qualifiedElements ? 'qualified' : 'unqualified');
    const localName = attribute(element, 'name') ?? '';
    return { component, symbol: this.#symbol(form === 'qualified' ? file.namespace : '', localName) };
  }

  /** Steps from a state to those that may come next. */
  #link(from: number, targets: readonly number[], particles: readonly Leaf[], offset: number): void {
    const taken = new Map<number, Leaf>();
    for (const target of targets) {
      const leaf = particles[target - offset];
      if (!leaf) continue;
      if (leaf.kind === 'any') {
        if (this.#wild[from] !== NOWHERE) throw new Unsupported('two wildcards at one place');
        this.#wild[from] = target;
        continue;
      }
      const { symbol } = this.#declaration(leaf.component);
      const other = taken.get(symbol);
      // Copies of one particle: the first leaves the most room behind it.
      if (other === leaf) continue;
      if (other) throw new Unsupported('content model that is not deterministic');
      taken.set(symbol, leaf);
      this.#steps.set(from, symbol, target);
    }
  }

  // ---- xs:unique ----

  #uniqueOf(component: Component): Unique[] {
    return parts(component.element)
      .filter(({ localName }) => localName !== 'simpleType' && localName !== 'complexType')
      .map((constraint) => {
        const [selector, field, more] = parts(constraint);
        const path = attribute(field, 'xpath')?.trim() ?? '';
        const name = /^@([\w.-]+)$/.exec(path)?.[1];
        const isKnown = constraint.localName === 'unique' && attribute(selector, 'xpath')?.trim() === './*';
        if (!isKnown || name === undefined || more) throw new Unsupported(`${constraint.localName} ${path}`);
        return { attribute: this.#symbol('', name) };
      });
  }
}

function textOnly(text: TypeRule['text']): TypeRule {
  return { start: NOWHERE, text, mixed: false, attributes: [], required: 0, anyAttribute: false };
}

function inSequence(before: Particle | null, next: Particle): Particle {
  return before === null ? next : { kind: 'sequence', min: 1, max: 1, parts: [before, next] };
}

function isTrue(element: XmlElement, name: string): boolean {
  const value = attribute(element, name);
  return value === 'true' || value === '1';
}
