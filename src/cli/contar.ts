/**
 * A count with its noun: `1 documento`, `2 documentos`.
 * @param varios the plural where it is not just `um` and an s
 */
export function contar(quantos: number, um: string, varios = `${um}s`): string {
  return `${quantos} ${quantos === 1 ? um : varios}`;
}

/** Uploads that a copy has as files of their own; the others are made of what is in the database (recipes). */
export function envios(quantos: number): string {
  return contar(quantos, 'arquivo enviado guardado como veio', 'arquivos enviados guardados como vieram');
}
