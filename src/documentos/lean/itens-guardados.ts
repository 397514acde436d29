/**
 * Items of a document in the form in which its row keeps them: `cfop,ncm,vProd` for each, a comma alone where the item
 * before says the same, `;` between them; without the marks and in half of the room where all is digits, as in nearly
 * every row. Nobody asks the database for what is in them.
 */
import type { ItemFiscal, Registro } from '../../fiscal/tipos.ts';
import type { RegistroAGuardar } from '../tipos.ts';
import { apertar, soltar } from './algarismos.ts';

/** What none of the marks is part of; anything else of a document is kept as JSON. */
const SIMPLES = /^[0-9A-Za-z.]+$/;
const NADA = '-';
const COMO_O_ANTERIOR = '';

/** Begins what is written in half of the room; neither JSON nor the readable form begins so. */
const APERTADO = '!';
const CAMPOS_DO_ITEM = 3;
/** Digits, and amounts in reais and centavos: what half of the room is enough for. */
const APERTAVEIS = /^\d*,\d*,\d+\.\d\d(?:;\d*,\d*,\d+\.\d\d)*$/;

/** As JSON: `[nItem, cfop, ncm, vProd]`. */
type ItemEmJson = [number, string | null, string | null, string | null];

/** Made in a reader thread: one text goes to the store, not an object for each item. */
export function comItensEscritos(registro: Registro): RegistroAGuardar {
  return registro.classe === 'documento' ? { ...registro, itens: writeItens(registro.itens) } : registro;
}

/** Items as one text; what does not fit its short form is written as JSON. @param itens in the order of the document */
export function writeItens(itens: readonly ItemFiscal[]): string {
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
  return texto === '' ? emJson(itens) : apertarItens(texto);
}

/** @param texto in the readable form. @returns it as it is when there is more in it than digits */
function apertarItens(texto: string): string {
  if (!APERTAVEIS.test(texto)) return texto;
  return APERTADO + apertar(texto.replaceAll('.', '').replaceAll(';', ','));
}

function releaseItens(apertado: string): string {
  const campos = soltar(apertado).split(',');
  let texto = '';
  for (let at = 0; at < campos.length; at += CAMPOS_DO_ITEM) {
    const [cfop, ncm, centavos = ''] = campos.slice(at, at + CAMPOS_DO_ITEM);
    texto += `${at > 0 ? ';' : ''}${cfop},${ncm},${centavos.slice(0, -2)}.${centavos.slice(-2)}`;
  }
  return texto;
}

function ehSimples(campo: string | null): boolean {
  return campo === null || SIMPLES.test(campo);
}

function emJson(itens: readonly ItemFiscal[]): string {
  return JSON.stringify(itens.map(({ numero, cfop, ncm, valor }): ItemEmJson => [numero, cfop, ncm, valor]));
}

/** Reads also what was written before: JSON, whatever is in it. @param guardado null of what has no items */
export function lerItens(guardado: string | null): ItemFiscal[] {
  if (guardado === null) return [];
  const texto = guardado.startsWith(APERTADO) ? releaseItens(guardado.slice(APERTADO.length)) : guardado;
  if (texto.startsWith('[')) {
    return (JSON.parse(texto) as ItemEmJson[]).map(([numero, cfop, ncm, valor]) => ({
      numero,
      cfop,
      ncm,
      valor,
    }));
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
