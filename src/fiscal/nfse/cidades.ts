import { NOMES_DOS_MUNICIPIOS } from './municipios.ts';

/**
 * Cities that layouts number by the table of the Receita (SIAFI/TOM), with their IBGE codes.
 * @fonte DSF, list of CodCidade of the web service; Receita Federal, tabela TOM; IBGE, códigos de municípios
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
  // In the states where IPM is used most, and some capitals.
  '8001': '4200101', // Abelardo Luz
  '8003': '4200200', // Agrolândia
  '8005': '4200309', // Agronômica
  '8007': '4200408', // Água Doce
  '8009': '4200507', // Águas de Chapecó
  '8011': '4200606', // Águas Mornas
  '8013': '4200705', // Alfredo Wagner
  '9939': '4200051', // Abdon Batista
  '0934': '4214151', // Princesa
  '8279': '4214201', // Quilombo
  '8281': '4214300', // Rancho Queimado
  '8283': '4214409', // Rio das Antas
  '8285': '4214508', // Rio do Campo
  '8287': '4214607', // Rio do Oeste
  '8289': '4214706', // Rio dos Cedros
  '8291': '4214805', // Rio do Sul
  '8293': '4214904', // Rio Fortuna
  '7403': '4100202', // Adrianópolis
  '7407': '4100400', // Almirante Tamandaré
  '7409': '4100608', // Alto Paraná
  '7411': '4100707', // Alto Piquiri
  '7951': '4100509', // Altônia
  '7791': '4120606', // Prudentópolis
  '7795': '4120804', // Quatro Barras
  '7955': '4120903', // Quedas do Iguaçu
  '7801': '4121208', // Quitandinha
  '7805': '4121406', // Realeza
  '7807': '4121505', // Rebouças
  '7809': '4121604', // Renascença
  '7811': '4121703', // Reserva
  '7813': '4121802', // Ribeirão Claro
  '7817': '4122008', // Rio Azul
  '7821': '4122206', // Rio Branco do Sul
  '8507': '4300406', // Alegrete
  '8509': '4300505', // Alpestre
  '8511': '4300604', // Alvorada
  '8541': '4302105', // Bento Gonçalves
  '8809': '4315305', // Quaraí
  '8813': '4315503', // Restinga Sêca
  '8815': '4315602', // Rio Grande
  '0139': '1200401', // Rio Branco
  '2531': '2611606', // Recife
  '6001': '3304557', // Rio de Janeiro
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

/** A name as the table has it: letters and digits without accents, in lower case. */
function plain(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^A-Za-z0-9]/g, '')
    .toLowerCase();
}

/** UF and code by name; made when a name is first asked for. */
let porNome: Map<string, { uf: string; codigo: string }[]> | null = null;

function readNames(): Map<string, { uf: string; codigo: string }[]> {
  const names = new Map<string, { uf: string; codigo: string }[]>();
  for (const row of NOMES_DOS_MUNICIPIOS.trim().split('\n')) {
    const [uf = '', digits = '', ...cities] = row.split(' ');
    for (const city of cities) {
      const name = city.slice(0, -5);
      names.set(name, [...(names.get(name) ?? []), { uf, codigo: digits + city.slice(-5) }]);
    }
  }
  return names;
}

/** `CUBATAO - SP`, `Cubatão/SP`, `CUBATAO (SP)`. */
const COM_UF = /^(.*?)[\s\-/,(]+([A-Za-z]{2})\)?$/;

/**
 * IBGE code of a city that is given by name. Where no state is said, in a place of its own or behind the name, the name
 * must be that of one city only.
 */
export function municipioPorNome(nome: string | null, uf: string | null = null): string | null {
  if (nome === null) return null;
  porNome ??= readNames();
  const inState = COM_UF.exec(nome.trim());
  const readings: readonly (readonly [string, string | null])[] = [
    [nome, uf],
    ...(inState ? [[inState[1] ?? '', inState[2] ?? null] as const] : []),
  ];
  for (const [name, state] of readings) {
    const found =
      porNome.get(
        plain(name.replace(/^(?:prefeitura|munic[ií]pio|cidade)(?:\s+municipal)?\s+d[aeo]\s+/i, '')),
      ) ?? [];
    const there = state === null ? found : found.filter((city) => city.uf === state.trim().toUpperCase());
    if (there.length === 1) return there[0]?.codigo ?? null;
  }
  return null;
}
