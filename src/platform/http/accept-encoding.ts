/** Which codings of an answer a request takes, and how much it likes them (RFC 9110 §12.5.3). */

/** What answers are compressed with. */
const OURS = ['br', 'gzip'] as const;
export type Coding = (typeof OURS)[number] | 'identity';
/** What the compressor reads otherwise than it is meant: it takes `*` for gzip, and does not know `identity`. */
const MISREAD = /\*|identity/i;

/** The weight of each coding that is named. */
export function weightsOf(accepted: string): Map<string, number> {
  return new Map(
    accepted.split(',').map((one) => {
      const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
      const q = parameters.find((parameter) => parameter.startsWith('q='));
      const weight = q === undefined ? 1 : Number(q.slice('q='.length));
      return [name, Number.isFinite(weight) ? weight : 0];
    }),
  );
}

function weighed(accepted: string): { weigh: (name: (typeof OURS)[number]) => number; plain: number } {
  const weights = weightsOf(accepted);
  return {
    weigh: (name) =>
      weights.get(name) ?? (name === 'gzip' ? weights.get('x-gzip') : undefined) ?? weights.get('*') ?? 0,
    plain: weights.get('identity') ?? 0,
  };
}

/** The smallest of those that are as welcome as any. */
export function bestCoding(accepted: string): Coding {
  const { weigh, plain } = weighed(accepted);
  const best = Math.max(...OURS.map(weigh), plain);
  return OURS.find((coding) => weigh(coding) > 0 && weigh(coding) === best) ?? 'identity';
}

/** The same wish in words that the compressor reads right: only codings of ours, none that is less welcome than no coding. */
export function inPlainWords(accepted: string): string {
  if (!MISREAD.test(accepted)) return accepted;
  const { weigh, plain } = weighed(accepted);
  const welcome = OURS.filter((name) => weigh(name) > 0 && weigh(name) >= plain);
  return welcome.length > 0 ? welcome.map((name) => `${name};q=${weigh(name)}`).join(', ') : 'identity';
}
