/** A state (or national environment) as its two-digit IBGE code names it. */
interface Uf {
  codigo: string;
  sigla: string;
  /** IANA time zone, which knows the daylight saving times of the past. */
  zona: string;
}

/** @fonte IBGE codes: XSD TCodUfIBGE; zones: MOC CT-e 4.00, 3.8, and the tz database */
const UFS: readonly Uf[] = [
  { codigo: '11', sigla: 'RO', zona: 'America/Porto_Velho' },
  { codigo: '12', sigla: 'AC', zona: 'America/Rio_Branco' },
  { codigo: '13', sigla: 'AM', zona: 'America/Manaus' },
  { codigo: '14', sigla: 'RR', zona: 'America/Boa_Vista' },
  { codigo: '15', sigla: 'PA', zona: 'America/Belem' },
  { codigo: '16', sigla: 'AP', zona: 'America/Belem' },
  { codigo: '17', sigla: 'TO', zona: 'America/Araguaina' },
  { codigo: '21', sigla: 'MA', zona: 'America/Fortaleza' },
  { codigo: '22', sigla: 'PI', zona: 'America/Fortaleza' },
  { codigo: '23', sigla: 'CE', zona: 'America/Fortaleza' },
  { codigo: '24', sigla: 'RN', zona: 'America/Fortaleza' },
  { codigo: '25', sigla: 'PB', zona: 'America/Fortaleza' },
  { codigo: '26', sigla: 'PE', zona: 'America/Recife' },
  { codigo: '27', sigla: 'AL', zona: 'America/Maceio' },
  { codigo: '28', sigla: 'SE', zona: 'America/Maceio' },
  { codigo: '29', sigla: 'BA', zona: 'America/Bahia' },
  { codigo: '31', sigla: 'MG', zona: 'America/Sao_Paulo' },
  { codigo: '32', sigla: 'ES', zona: 'America/Sao_Paulo' },
  { codigo: '33', sigla: 'RJ', zona: 'America/Sao_Paulo' },
  { codigo: '35', sigla: 'SP', zona: 'America/Sao_Paulo' },
  { codigo: '41', sigla: 'PR', zona: 'America/Sao_Paulo' },
  { codigo: '42', sigla: 'SC', zona: 'America/Sao_Paulo' },
  { codigo: '43', sigla: 'RS', zona: 'America/Sao_Paulo' },
  { codigo: '50', sigla: 'MS', zona: 'America/Campo_Grande' },
  { codigo: '51', sigla: 'MT', zona: 'America/Cuiaba' },
  { codigo: '52', sigla: 'GO', zona: 'America/Sao_Paulo' },
  { codigo: '53', sigla: 'DF', zona: 'America/Sao_Paulo' },
];

const BY_CODE = new Map(UFS.map((uf) => [uf.codigo, uf]));

/** Zone of everything that belongs to no state: the national environment speaks Brasília time. */
export const ZONA_NACIONAL = 'America/Sao_Paulo';

/** The state of an IBGE code (`35` → SP); null for anything else, such as 91 (national environment). */
export function ufByCode(codigo: string | null): Uf | null {
  return BY_CODE.get(codigo ?? '') ?? null;
}

/** Time zone of a cUF; Brasília time where the code names no state. */
export function zoneOfUf(codigo: string | null): string {
  return ufByCode(codigo)?.zona ?? ZONA_NACIONAL;
}

const BY_SIGLA = new Map(UFS.map((uf) => [uf.sigla, uf]));

/** The state that a person or program names: by its letters in any case (`sp`) or by its IBGE code (`35`). */
export function readUf(text: string): Uf | null {
  const name = text.trim().toUpperCase();
  return BY_SIGLA.get(name) ?? ufByCode(name);
}
