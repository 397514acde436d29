/**
 * Cities that the DSF layout numbers by the table of the Receita (SIAFI/TOM), with their IBGE codes: all the cities
 * that ever used that layout.
 * @fonte DSF, list of CodCidade of the web service; IBGE, códigos de municípios
 */
const IBGE_POR_TOM: Readonly<Record<string, string>> = {
  '0427': '1501402', // Belém
  '0921': '2111300', // São Luís
  '1219': '2211001', // Teresina
  '5403': '3170206', // Uberlândia
  '5869': '3303500', // Nova Iguaçu
  '6291': '3509502', // Campinas
  '7145': '3552205', // Sorocaba
  '9051': '5002704', // Campo Grande
};

/** IBGE code of a city of either table; null for one that is not known. */
export function municipioDe(codigo: string | null): string | null {
  if (codigo === null) return null;
  if (/^[1-5]\d{6}$/.test(codigo)) return codigo;
  return /^\d{1,4}$/.test(codigo) ? (IBGE_POR_TOM[codigo.padStart(4, '0')] ?? null) : null;
}

/** Code for a composed key: IBGE, or `000` and the four digits of the other table, which IBGE never gives. */
export function municipioDaChave(codigo: string | null): string | null {
  const known = municipioDe(codigo);
  if (known !== null || codigo === null) return known;
  return /^\d{1,4}$/.test(codigo) && Number(codigo) > 0 ? codigo.padStart(7, '0') : null;
}

/** IBGE code of the city whose notes give its name alone. */
export function municipioPorNome(nome: string | null): string | null {
  return /^florian[oó]polis$/i.test(nome ?? '') ? '4205407' : null;
}
