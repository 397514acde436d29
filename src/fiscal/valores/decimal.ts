/** Amounts as XML writes them, added without ever becoming floating point. */

/** As many places as any layout has (vUnCom, qCom: 10). */
const CASAS = 10;
const DECIMAL = /^-?\d{1,18}(?:\.\d{1,10})?$/;

/** The text where it is an amount; null of anything else, also of nothing. */
export function readDecimal(text: string | null): string | null {
  return text !== null && DECIMAL.test(text) ? text : null;
}

/** Adds amounts; what is null counts for nothing. */
export class Soma {
  #unidades = 0n;
  #alguma = false;

  add(decimal: string | null): void {
    if (decimal === null) return;
    this.#alguma = true;
    this.#unidades += unidadesDe(decimal);
  }

  /** With two places, more where they are needed; null where nothing was added. */
  get valor(): string | null {
    return this.#alguma ? textoDe(this.#unidades) : null;
  }
}

/** The sum of those that are there; null where none is. */
export function sumDecimals(...decimais: readonly (string | null)[]): string | null {
  const soma = new Soma();
  for (const decimal of decimais) soma.add(decimal);
  return soma.valor;
}

function unidadesDe(decimal: string): bigint {
  const negative = decimal.startsWith('-');
  const [inteiro = '0', fracao = ''] = (negative ? decimal.slice(1) : decimal).split('.');
  const unidades = BigInt(inteiro + fracao.padEnd(CASAS, '0'));
  return negative ? -unidades : unidades;
}

function textoDe(unidades: bigint): string {
  const digitos = String(unidades < 0n ? -unidades : unidades).padStart(CASAS + 1, '0');
  const fracao = digitos.slice(-CASAS).replace(/0{1,8}$/, '');
  return `${unidades < 0n ? '-' : ''}${digitos.slice(0, -CASAS)}.${fracao}`;
}
