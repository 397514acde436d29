import type { Particle } from './content-model.ts';
import { Unsupported } from './unsupported.ts';

/**
 * Glushkov's construction: each place of the content model at which a child can stand becomes a state, "the child
 * before stood here". Schemas must be deterministic, so this automaton is: from a state, a name leads to one place.
 */
export interface Positions {
  /** By position: the particle that stands there, an element or a wildcard. */
  particles: readonly Leaf[];
  /** Positions at which content may begin. */
  first: readonly number[];
  /** By position: those that may come next. Its own repetitions are counted, and are not among them. */
  follow: readonly (readonly number[])[];
  /** Positions at which content may end. */
  last: ReadonlySet<number>;
  /** Whether there may be no content at all. */
  nullable: boolean;
}

export type Leaf = Extract<Particle, { kind: 'element' | 'any' }>;

/** Groups that repeat are written out, up to this size. */
const MAX_POSITIONS = 20_000;

interface Fragment {
  first: readonly number[];
  last: readonly number[];
  nullable: boolean;
}

const NOTHING: Fragment = { first: [], last: [], nullable: true };

/** @throws Unsupported when it would be too large */
export function positionsOf(particle: Particle): Positions {
  const builder = new Builder();
  const whole = builder.add(particle);
  return {
    particles: builder.particles,
    first: whole.first,
    follow: builder.follow.map((set) => [...set].sort((a, b) => a - b)),
    last: new Set(whole.last),
    nullable: whole.nullable,
  };
}

class Builder {
  readonly particles: Leaf[] = [];
  readonly follow: Set<number>[] = [];

  add(particle: Particle): Fragment {
    if (particle.kind === 'element' || particle.kind === 'any') return this.#leaf(particle);
    const { min, max } = particle;
    const loops = max === Number.POSITIVE_INFINITY;
    const copies = loops ? Math.max(min, 1) : max;
    let whole = NOTHING;
    for (let i = 0; i < copies; i++) {
      const copy = this.#group(particle);
      // Valid by XSD, but not by libxml2 once it has counted the empty copies.
      if (copy.nullable && (min > 1 || (max > 1 && !loops))) throw new Unsupported('counted empty groups');
      if (loops && i === copies - 1) this.#connect(copy.last, copy.first);
      const one = i < min ? copy : { ...copy, nullable: true };
      whole = this.#behind(whole, one);
    }
    return whole;
  }

  #leaf(particle: Leaf): Fragment {
    const position = this.particles.length;
    if (position >= MAX_POSITIONS) throw new Unsupported('content model too large');
    this.particles.push(particle);
    this.follow.push(new Set());
    return { first: [position], last: [position], nullable: particle.min === 0 };
  }

  #group(particle: Extract<Particle, { kind: 'sequence' | 'choice' }>): Fragment {
    const fragments = particle.parts.map((part) => this.add(part));
    if (particle.kind === 'sequence') {
      return fragments.reduce((before, next) => this.#behind(before, next), NOTHING);
    }
    return {
      first: fragments.flatMap(({ first }) => first),
      last: fragments.flatMap(({ last }) => last),
      nullable: fragments.length === 0 || fragments.some(({ nullable }) => nullable),
    };
  }

  #behind(before: Fragment, next: Fragment): Fragment {
    this.#connect(before.last, next.first);
    return {
      first: before.nullable ? [...before.first, ...next.first] : before.first,
      last: next.nullable ? [...before.last, ...next.last] : next.last,
      nullable: before.nullable && next.nullable,
    };
  }

  #connect(from: readonly number[], to: readonly number[]): void {
    for (const a of from) for (const b of to) this.follow[a]?.add(b);
  }
}
