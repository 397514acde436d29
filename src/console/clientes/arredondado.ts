/** A CPF or CNPJ as a spreadsheet shows a long number in a narrow column. */
const ARREDONDADO = /^\d+(?:[.,]\d+)?E\+?\d+$/i;

/** What to do about a number whose last digits a spreadsheet left out; null of any other text. */
export function dizArredondado(texto: string): string | null {
  if (!ARREDONDADO.test(texto)) return null;
  return `O Excel trocou este número por ${texto}, e os últimos dígitos não estão no arquivo. Formate a coluna como Número sem casas decimais e salve de novo, ou envie a própria planilha (.xlsx).`;
}
