/** Texts that a pattern of a schema describes, or nearly does: drawn from its own tree. */
import { type Expression, readPattern } from '../../src/fiscal/rapido/esquema/pattern.ts';
import { Unsupported } from '../../src/fiscal/rapido/esquema/unsupported.ts';
import type { Aleatorio } from '../../src/gerador/aleatorio.ts';

const trees = new Map<string, Expression | null>();

/** A text of the pattern; the pattern itself where the fast tier does not know it. */
export function textoDoPadrao(pattern: string, random: Aleatorio): string {
  const known = trees.get(pattern);
  const tree = known === undefined ? parsed(pattern) : known;
  trees.set(pattern, tree);
  return tree ? drawn(tree, random) : pattern;
}

function parsed(pattern: string): Expression | null {
  try {
    return readPattern(pattern);
  } catch (error) {
    if (error instanceof Unsupported) return null;
    throw error;
  }
}

/** Repeats without an end are drawn up to this many. */
const MOST = 6;

function drawn(expression: Expression, random: Aleatorio): string {
  switch (expression.kind) {
    case 'chars': {
      const [first, last] = random.pick(expression.ranges);
      // Bounds of ranges are where mistakes are.
      const code = random.pick([
        first,
        Math.min(last, 0x2fff),
        random.integer(first, Math.min(last, first + 200)),
      ]);
      return code < 0x20 && ![9, 10, 13].includes(code) ? ' ' : String.fromCodePoint(code);
    }
    case 'sequence':
      return expression.parts.map((part) => drawn(part, random)).join('');
    case 'choice':
      return drawn(random.pick(expression.parts), random);
    case 'repeat': {
      const { part, min, max } = expression;
      const most = Math.min(max, min + MOST);
      const count = random.pick([
        min,
        max === Number.POSITIVE_INFINITY ? most : Math.min(max, 200),
        random.integer(min, most),
      ]);
      return Array.from({ length: count }, () => drawn(part, random)).join('');
    }
  }
}
