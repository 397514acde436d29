/** Values as people read them on paper. Numbers are handled as the texts that they are: no digit is lost or made up. */

/** `1234.5` → `1.234,50`. @param casas how many decimals at least and at most; further zeros are left out */
export function decimal(valor: string, { min = 2, max = 2 }: { min?: number; max?: number } = {}): string {
  const [, sinal = '', inteiro, fracao = ''] = /^\s*([+-]?)(\d+)(?:\.(\d*))?\s*$/.exec(valor) ?? [];
  if (inteiro === undefined) return valor.trim();
  let casas = fracao.slice(0, max).replace(/0+$/, '');
  // What is beyond the last decimal is never left out in silence, unless it is nothing.
  if (/[1-9]/.test(fracao.slice(max))) casas = fracao.replace(/0+$/, '');
  casas = casas.padEnd(min, '0');
  const milhares = inteiro.replace(/^0+(?=\d)/, '').replaceAll(/\B(?=(\d{3})+$)/g, '.');
  return `${sinal === '-' ? '-' : ''}${milhares}${casas === '' ? '' : `,${casas}`}`;
}

export const dinheiro = (valor: string): string => (valor === '' ? '' : decimal(valor));
/** A quantity, a price of one, a rate: as many decimals as it has. */
export const quantidade = (valor: string, min = 0): string =>
  valor === '' ? '' : decimal(valor, { min, max: 10 });

/** `2026-10-01…`, or the `20261001` of CF-e → `01/10/2026`; else what it is. */
export function dia(valor: string): string {
  const [, ano, mes, dois] = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(valor) ?? [];
  return ano === undefined ? valor : `${dois}/${mes}/${ano}`;
}

/** `…T09:00:05-03:00`, `09:00:05` or the `090005` of CF-e → `09:00:05`; '' when there is no time in it. */
export function hora(valor: string): string {
  const so = valor.slice(valor.indexOf('T') + 1).replace(/(?:[.Z]|[+-]\d{2}:).*$/, '');
  const [, h, m, s] = /^(\d{2}):?(\d{2})(?::?(\d{2}))?$/.exec(so) ?? [];
  return [h, m, s].filter(Boolean).join(':');
}

export const instante = (valor: string): string => [dia(valor), hora(valor)].filter(Boolean).join(' ');

/** CNPJ (with letters too) and CPF with their marks. */
export function cpfCnpj(valor: string): string {
  if (valor.length === 14) return valor.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');
  return valor.length === 11 ? valor.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4') : valor;
}

export const cep = (valor: string): string => valor.replace(/^(\d{5})(\d{3})$/, '$1-$2');

export function fone(valor: string): string {
  return valor.replace(/^(\d{2})(\d{4,5})(\d{4})$/, '($1) $2-$3');
}

/** Eleven groups of four. */
export const chaveEmGrupos = (chave: string): string => chave.replaceAll(/(.{4})(?=.)/g, '$1 ');

/** `000.001.234`, as numbers of notes stand on their sheets. */
export const numeroDeNota = (numero: string): string =>
  /^\d{1,9}$/.test(numero) ? numero.padStart(9, '0').replace(/^(...)(...)(...)$/, '$1.$2.$3') : numero;
