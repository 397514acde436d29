/**
 * A count with its noun: `1 documento`, `2 documentos`.
 * @param varios the plural where it is not just `um` and an s
 */
export function contar(quantos: number, um: string, varios = `${um}s`): string {
  return `${quantos} ${quantos === 1 ? um : varios}`;
}
