/**
 * The date of issue in the form in which its row keeps it: beside the instant only the offset that it was written with,
 * where the two give the text back character by character; else the text.
 */

const COM_DESLOCAMENTO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}([+-]\d{2}:\d{2})$/;
const DESLOCAMENTO = /^([+-])(\d{2}):(\d{2})$/;

/** @param emitidoEm the instant that the text names, ms UTC */
export function escreverEmissao(texto: string, emitidoEm: number): string {
  const deslocamento = COM_DESLOCAMENTO.exec(texto)?.[1];
  if (deslocamento === undefined || !Number.isFinite(emitidoEm)) return texto;
  return lerEmissao({ data_emissao: deslocamento, emitido_em: emitidoEm }) === texto ? deslocamento : texto;
}

/** The text as it stands in the document. Reads also what was written before: always the text. */
export function lerEmissao(row: { data_emissao: string; emitido_em: number }): string {
  const [, sinal, horas, minutos] = DESLOCAMENTO.exec(row.data_emissao) ?? [];
  if (sinal === undefined) return row.data_emissao;
  const deslocado = (Number(horas) * 60 + Number(minutos)) * (sinal === '-' ? -60_000 : 60_000);
  return new Date(row.emitido_em + deslocado).toISOString().slice(0, 19) + row.data_emissao;
}
