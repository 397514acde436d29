/** A real city with its IBGE code, the start of its CEP range and its telephone area. */
export interface Municipio {
  /** IBGE code, 7 digits; the first two are the code of the UF. */
  codigo: string;
  nome: string;
  uf: string;
  /** First three digits of its CEPs. */
  cep: string;
  ddd: string;
}

const ROWS = `
3550308 São Paulo SP 013 11|3509502 Campinas SP 130 19|3518800 Guarulhos SP 070 11|3543402 Ribeirão Preto SP 140 16
3552205 Sorocaba SP 180 15|3548500 Santos SP 110 13|3534401 Osasco SP 060 11|3304557 Rio de Janeiro RJ 200 21
3303302 Niterói RJ 240 21|3106200 Belo Horizonte MG 301 31|3170206 Uberlândia MG 384 34|3118601 Contagem MG 320 31
3136702 Juiz de Fora MG 360 32|3205309 Vitória ES 290 27|3205200 Vila Velha ES 291 27|4106902 Curitiba PR 800 41
4113700 Londrina PR 860 43|4115200 Maringá PR 870 44|4104808 Cascavel PR 858 45|4205407 Florianópolis SC 880 48
4209102 Joinville SC 892 47|4202404 Blumenau SC 890 47|4204202 Chapecó SC 898 49|4314902 Porto Alegre RS 900 51
4305108 Caxias do Sul RS 950 54|4314100 Passo Fundo RS 990 54|4314407 Pelotas RS 960 53|2927408 Salvador BA 400 71
2910800 Feira de Santana BA 440 75|2611606 Recife PE 500 81|2304400 Fortaleza CE 600 85|5208707 Goiânia GO 740 62
5201108 Anápolis GO 750 62|5300108 Brasília DF 700 61|5103403 Cuiabá MT 780 65|5107602 Rondonópolis MT 787 66
5002704 Campo Grande MS 790 67|5003702 Dourados MS 798 67|1302603 Manaus AM 690 92|1501402 Belém PA 660 91
2111300 São Luís MA 650 98|2408102 Natal RN 590 84|2507507 João Pessoa PB 580 83|2704302 Maceió AL 570 82
2800308 Aracaju SE 490 79|2211001 Teresina PI 640 86|1721000 Palmas TO 770 63|1100205 Porto Velho RO 768 69
1200401 Rio Branco AC 699 68|1400100 Boa Vista RR 693 95|1600303 Macapá AP 689 96
`;

function parseRow(row: string): Municipio {
  const words = row.trim().split(' ');
  const [codigo = '', ...rest] = words;
  const [uf = '', cep = '', ddd = ''] = rest.slice(-3);
  return { codigo, nome: rest.slice(0, -3).join(' '), uf, cep, ddd };
}

/** Cities of all 27 UFs, the larger economies with several. */
export const MUNICIPIOS: readonly Municipio[] = ROWS.trim().split(/[|\n]/).map(parseRow);

const FOUR_HOURS_WEST = new Set(['AM', 'MT', 'MS', 'RO', 'RR']);

/**
 * Hours from UTC of the legal time of a UF, negative to the west. Good for dates since 2019, when Brazil gave up
 * daylight saving time.
 * @fonte MOC CT-e 4.00, 3.8, and the tz database (time zones of the states)
 */
function offsetHours(uf: string): number {
  if (uf === 'AC') return -5;
  return FOUR_HOURS_WEST.has(uf) ? -4 : -3;
}

/** ISO 8601 in the legal time of the UF, such as `2026-03-01T10:00:00-03:00`. */
export function localIso(moment: Date, uf: string): string {
  const hours = offsetHours(uf);
  const local = new Date(moment.getTime() + hours * 3_600_000).toISOString().slice(0, 19);
  return `${local}-0${-hours}:00`;
}

const SOUTH_EAST = new Set(['SP', 'RJ', 'MG', 'PR', 'SC', 'RS']);

/**
 * Interstate ICMS rate of national goods, in percent: 7 from the South and Southeast (but ES) to the other
 * regions and ES, else 12.
 * @fonte Resolução do Senado Federal 22/1989
 */
export function interstateRate(from: string, to: string): 7 | 12 {
  return SOUTH_EAST.has(from) && !SOUTH_EAST.has(to) ? 7 : 12;
}

/** Plausible internal ICMS rate of a UF, in percent. */
export function internalRate(uf: string): number {
  if (uf === 'SP' || uf === 'MG') return 18;
  if (uf === 'SC' || uf === 'RS' || uf === 'ES' || uf === 'MT' || uf === 'MS') return 17;
  return uf === 'PR' ? 19.5 : 20;
}
