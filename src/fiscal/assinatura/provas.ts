/**
 * RSA is calculated for many documents one after the other. Between two documents OpenSSL and the rest of the reading
 * push each other out of the processor's caches: a proof costs 44 us there and 25 behind another one.
 */

/** Whether a signature holds, not yet calculated. It never throws. */
export type Prova = () => boolean;

/**
 * Reads items that may take signatures for intact as long as it hands in what is still to be proven. Where one then
 * does not hold, the item is read once more, with nothing put off, and only that counts: no answer leaves unproven.
 *
 * @param ler reads one item; without `provas` it proves on the spot
 */
export function readTogether<Item, Lido>(
  itens: Iterable<Item>,
  ler: (item: Item, provas?: Prova[]) => Lido,
): Lido[] {
  return Array.from(itens, (item) => {
    const provas: Prova[] = [];
    return { item, provas, lido: ler(item, provas) };
  }).map(({ item, provas, lido }) => (provas.every((prova) => prova()) ? lido : ler(item)));
}
