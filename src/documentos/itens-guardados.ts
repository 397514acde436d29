/**
 * Items of a document in the form in which its row keeps them: `cfop,ncm,vProd` for each, a comma alone where the item
 * before says the same, `;` between them. Nearly every row has some, and nobody asks the database for what is in them.
 */
import type { ItemFiscal } from '../fiscal/tipos.ts';

/** What none of the marks is part of; anything else of a document is kept as JSON. */
const SIMPLES = /^[0-9A-Za-z.]+$/;
const NADA = '-';
const COMO_O_ANTERIOR = '';

/** As JSON: `[nItem, cfop, ncm, vProd]`. */
type ItemEmJson = [number, string | null, string | null, string | null];

export function escreverItens(itens: readonly ItemFiscal[]): string {
  let [texto, cfopAnterior, ncmAnterior] = ['', COMO_O_ANTERIOR, COMO_O_ANTERIOR];
  for (const [at, { numero, cfop, ncm, valor }] of itens.entries()) {
    const simple = ehSimples(cfop) && ehSimples(ncm) && ehSimples(valor);
    if (numero !== at + 1 || !simple) return emJson(itens);
    const [escritoCfop, escritoNcm] = [cfop ?? NADA, ncm ?? NADA];
    if (at > 0) texto += ';';
    texto += escritoCfop === cfopAnterior ? COMO_O_ANTERIOR : escritoCfop;
    texto += `,${escritoNcm === ncmAnterior ? COMO_O_ANTERIOR : escritoNcm},${valor ?? NADA}`;
    [cfopAnterior, ncmAnterior] = [escritoCfop, escritoNcm];
  }
  return texto === '' ? emJson(itens) : texto;
}

function ehSimples(campo: string | null): boolean {
  return campo === null || SIMPLES.test(campo);
}

function emJson(itens: readonly ItemFiscal[]): string {
  return JSON.stringify(itens.map(({ numero, cfop, ncm, valor }): ItemEmJson => [numero, cfop, ncm, valor]));
}

/** Reads also what was written before: JSON, whatever is in it. @param texto null of what has no items */
export function lerItens(texto: string | null): ItemFiscal[] {
  if (texto === null) return [];
  if (texto.startsWith('[')) {
    const guardados = JSON.parse(texto) as ItemEmJson[];
    return guardados.map(([numero, cfop, ncm, valor]) => ({ numero, cfop, ncm, valor }));
  }
  let [cfop, ncm] = [NADA, NADA];
  return texto.split(';').map((escrito, at) => {
    const [escritoCfop = NADA, escritoNcm = NADA, valor = NADA] = escrito.split(',');
    if (escritoCfop !== COMO_O_ANTERIOR) cfop = escritoCfop;
    if (escritoNcm !== COMO_O_ANTERIOR) ncm = escritoNcm;
    return { numero: at + 1, cfop: ouNada(cfop), ncm: ouNada(ncm), valor: ouNada(valor) };
  });
}

function ouNada(campo: string): string | null {
  return campo === NADA ? null : campo;
}
