/**
 * The date of issue in the form in which its row keeps it: beside the instant only the offset that it was written with,
 * and nothing of the offset that nearly all have, where the two give the text back character by character; else the text.
 */

/** The offset of nearly all of the country. It is kept as nothing, since a document always has a date. */
const USUAL = '-03:00';
const USUAL_MS = -3 * 3_600_000;

const COM_DESLOCAMENTO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}([+-]\d{2}:\d{2})$/;
const DESLOCAMENTO = /^([+-])(\d{2}):(\d{2})$/;

/** @param emitidoEm the instant that the text names, ms UTC */
export function writeEmissao(texto: string, emitidoEm: number): string {
  const deslocamento = COM_DESLOCAMENTO.exec(texto)?.[1];
  if (deslocamento === undefined || !Number.isFinite(emitidoEm)) return texto;
  const guardada = deslocamento === USUAL ? '' : deslocamento;
  return lerEmissao({ data_emissao: guardada, emitido_em: emitidoEm }) === texto ? guardada : texto;
}

/** The text as it stands in the document. Reads also what was written before: every offset, or always the text. */
export function lerEmissao(row: { data_emissao: string; emitido_em: number }): string {
  const { data_emissao: guardada, emitido_em: emitidoEm } = row;
  if (guardada === '') return comDeslocamento(emitidoEm, USUAL_MS, USUAL);
  const [, sinal, horas, minutos] = DESLOCAMENTO.exec(guardada) ?? [];
  if (sinal === undefined) return guardada;
  const deslocado = (Number(horas) * 60 + Number(minutos)) * (sinal === '-' ? -60_000 : 60_000);
  return comDeslocamento(emitidoEm, deslocado, guardada);
}

const comDeslocamento = (instante: number, deslocado: number, deslocamento: string): string =>
  new Date(instante + deslocado).toISOString().slice(0, 19) + deslocamento;
