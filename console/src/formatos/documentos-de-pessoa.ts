/** `12ABC34501DE35` → `12.ABC.345/01DE-35`, `12345678909` → `123.456.789-09`; anything else as it is. */
export function formatarCpfCnpj(value: string | null | undefined): string {
  const id = cleanCpfCnpj(value ?? '');
  if (id.length === 14)
    return `${id.slice(0, 2)}.${id.slice(2, 5)}.${id.slice(5, 8)}/${id.slice(8, 12)}-${id.slice(12)}`;
  if (/^\d{11}$/.test(id)) return `${id.slice(0, 3)}.${id.slice(3, 6)}.${id.slice(6, 9)}-${id.slice(9)}`;
  return value ?? '';
}

/** Without mask, letters upper case. */
export function cleanCpfCnpj(text: string): string {
  return text.toUpperCase().replace(/[^0-9A-Z]/g, '');
}

/** Value of a character in the check digits: its code minus 48, so digits are themselves and `A` is 17. */
const valor = (character: string) => character.charCodeAt(0) - 48;

/** Modulo 11 with weights 2, 3, … `maior`, counted from the right. */
function digito(body: string, maior: number): number {
  let peso = 2;
  let soma = 0;
  for (const character of [...body].reverse()) {
    soma += valor(character) * peso;
    peso = peso === maior ? 2 : peso + 1;
  }
  const resto = soma % 11;
  return resto < 2 ? 0 : 11 - resto;
}

/** Form and both check digits; numeric CPF and CNPJ, and the CNPJ with letters of 2026. */
export function cpfCnpjValido(text: string): boolean {
  const id = cleanCpfCnpj(text);
  const isCnpj = /^[0-9A-Z]{12}\d{2}$/.test(id);
  if (!isCnpj && !/^\d{11}$/.test(id)) return false;
  if (/^(.)\1+$/.test(id)) return false;
  const maior = isCnpj ? 9 : 11;
  const body = id.slice(0, -2);
  const first = digito(body, maior);
  return id.endsWith(`${first}${digito(`${body}${first}`, maior)}`);
}

/** Groups of four, as they stand on a DANFE. */
export function formatChave(chave: string): string {
  return /^[0-9A-Z]{44}$/.test(chave) ? chave.replace(/(.{4})(?=.)/g, '$1 ') : chave;
}
