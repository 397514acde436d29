/** What belongs to the person at the screen but is kept outside of any: it goes when that person goes. */
interface Pertence {
  esquecer: () => void;
  /** What would be lost by going now, as a sentence; null: nothing. */
  perda: () => string | null;
}

const pertences: Pertence[] = [];

export function aoEsquecer(pertence: Pertence): void {
  pertences.push(pertence);
}

export function esquecerPertences(): void {
  for (const { esquecer } of pertences) esquecer();
}

export const perdasAoSair = (): string[] => pertences.flatMap(({ perda }) => perda() ?? []);
