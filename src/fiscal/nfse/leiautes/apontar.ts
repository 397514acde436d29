/** Makes the description of a layout out of what somebody pointed at in one file of it. */
import { municipioPorNome } from '../cidades.ts';
import { normalise } from '../nomes.ts';
import { readMunicipio } from '../valores.ts';
import { APONTAVEIS, type Apontavel } from './apontaveis.ts';
import { CAMINHO_MAX } from './caminho.ts';
import type { AoRedor, Leiaute, MunicipioDescrito, NotaDescrita, SinalDescrito } from './leiaute.ts';
import { LEIAUTES } from './tabela.ts';
import { validateEnsinado } from './validar-ensinado.ts';

/** A place of a file: names from the root down, the last of which is an element or, after `@`, an attribute. */
export type Lugar = readonly string[];

const NECESSARIOS: readonly Apontavel[] = ['numero', 'data', 'prestador', 'valor'];
/** What may stand around the notes of a list, and be said once for all of them. */
const DE_FORA: readonly Apontavel[] = ['prestador', 'nomeDoPrestador', 'municipio'];

const NOMES: Readonly<Record<Apontavel, string>> = {
  numero: 'o número',
  data: 'a data de emissão',
  prestador: 'o CPF ou CNPJ do prestador',
  valor: 'o valor',
  tomador: 'o CPF ou CNPJ do tomador',
  nomeDoPrestador: 'o nome do prestador',
  nomeDoTomador: 'o nome do tomador',
  codigo: 'o código de verificação',
  serie: 'a série',
  municipio: 'o município',
};

export interface Apontado {
  /** What people call it. */
  nome: string;
  /** Where one note begins. */
  nota: Lugar;
  campos: Readonly<Partial<Record<Apontavel, Lugar>>>;
  /** The one city, where it is not pointed at: its IBGE code, or its name with the state (`Sorocaba - SP`). */
  cidade?: string;
  ordem: 'dia_mes' | 'mes_dia';
  /** What says that a note was cancelled, and with which texts. */
  cancelada?: {
    lugar: Lugar;
    tipo: 'situacao' | 'sim_nao' | 'data' | 'motivo';
    cancelada?: readonly string[];
    normal?: readonly string[];
  };
}

/** `Nota Carioca (Rio)` → `nota-carioca-rio`. */
export function idDoNome(nome: string): string {
  const bare = nome
    .normalize('NFD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 34)
    .replace(/^-+|-+$/g, '');
  const id = /^[a-z]/.test(bare) ? bare : `l-${bare}`;
  return LEIAUTES.some((leiaute) => leiaute.id === id) ? `${id}-2` : id;
}

const NOME = /^[A-Za-z_][A-Za-z0-9_.-]{0,79}$/;

/** A name as paths write it; null for one that paths cannot name. */
export function passoDe(name: string): string | null {
  if (NOME.test(name) && normalise(name) !== '') return name;
  const bare = normalise(name);
  return NOME.test(bare) ? bare : null;
}

const semArroba = (lugar: Lugar): string[] => lugar.map((name) => name.replace(/^@/, ''));
const isSame = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && normalise(one) === normalise(other);

function isInside(lugar: Lugar, nota: Lugar): boolean {
  return lugar.length > nota.length && nota.every((name, at) => isSame(name, lugar[at]));
}

/** `./a/b` from the note; its last names, wherever they stand in it, where it is deeper than a path reaches. */
function caminhoDentro(lugar: Lugar, nota: Lugar): string {
  const names = semArroba(lugar.slice(nota.length));
  return names.length <= CAMINHO_MAX.passos
    ? `./${names.join('/')}`
    : `.//${names.slice(-(CAMINHO_MAX.passos - 1)).join('/')}`;
}

/** `Cabecalho/Cnpj`, from the innermost element around both. */
function lugarAoRedor(lugar: Lugar, nota: Lugar): string {
  let common = 0;
  while (common < nota.length - 1 && isSame(lugar[common], nota[common])) common += 1;
  return semArroba(lugar.slice(common)).join('/');
}

/** What was pointed at, by where it stands. */
class Lugares {
  readonly #apontado: Apontado;
  readonly faltas: string[] = [];

  constructor(apontado: Apontado) {
    this.#apontado = apontado;
    for (const nome of NECESSARIOS)
      if (!apontado.campos[nome]) this.faltas.push(`Aponte ${NOMES[nome]} da nota.`);
    for (const nome of APONTAVEIS) this.#judge(nome);
  }

  #judge(nome: Apontavel): void {
    const lugar = this.#apontado.campos[nome];
    if (!lugar || isInside(lugar, this.#apontado.nota)) return;
    if (!DE_FORA.includes(nome))
      this.faltas.push(`${capital(NOMES[nome])} fica fora da nota: aponte um campo dentro dela.`);
  }

  dentro(nome: Apontavel): string[] {
    const lugar = this.#apontado.campos[nome];
    return lugar && isInside(lugar, this.#apontado.nota) ? [caminhoDentro(lugar, this.#apontado.nota)] : [];
  }

  fora(nome: Apontavel): string[] {
    const lugar = this.#apontado.campos[nome];
    return lugar && !isInside(lugar, this.#apontado.nota) ? [lugarAoRedor(lugar, this.#apontado.nota)] : [];
  }
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function notaDe({ nota }: Apontado, lugares: Lugares): NotaDescrita {
  const elemento = nota.at(-1) ?? '';
  return {
    elemento: [elemento],
    tem: (['numero', 'data', 'prestador', 'valor'] as const).flatMap((nome) => lugares.dentro(nome)),
  };
}

function municipioDe({ cidade = '', campos }: Apontado, lugares: Lugares): { municipio?: MunicipioDescrito } {
  const places = lugares.dentro('municipio');
  if (places.length > 0) return { municipio: { codigo: places, nome: places, daReceita: true } };
  if (campos.municipio || cidade.trim() === '') return {};
  const fixo = readMunicipio(cidade.trim()) ?? municipioPorNome(cidade.trim());
  if (fixo !== null) return { municipio: { fixo } };
  lugares.faltas.push(
    `A cidade "${cidade.trim().slice(0, 40)}" não foi encontrada: diga também o estado (Sorocaba - SP), ou o código do IBGE.`,
  );
  return {};
}

function aoRedorDe(lugares: Lugares): { aoRedor?: AoRedor } {
  const around = {
    cpfCnpj: lugares.fora('prestador'),
    nome: lugares.fora('nomeDoPrestador'),
    municipio: lugares.fora('municipio'),
  };
  const there = Object.entries(around).filter(([, places]) => places.length > 0);
  return there.length > 0 ? { aoRedor: Object.fromEntries(there) } : {};
}

function situacaoDe({ cancelada, nota }: Apontado, faltas: string[]): { situacao?: SinalDescrito[] } {
  if (!cancelada) return {};
  if (!isInside(cancelada.lugar, nota)) {
    faltas.push('O que diz que a nota foi cancelada fica fora dela: aponte um campo dentro da nota.');
    return {};
  }
  const campos = [caminhoDentro(cancelada.lugar, nota)];
  if (cancelada.tipo !== 'situacao') return { situacao: [{ tipo: cancelada.tipo, campos }] };
  const codes = (all: readonly string[] = []) => all.map((text) => text.trim().slice(0, 30)).filter(Boolean);
  const [cancel, normal] = [codes(cancelada.cancelada), codes(cancelada.normal)];
  return {
    situacao: [
      {
        tipo: 'situacao',
        campos,
        soCodigos: true,
        ...(cancel.length > 0 ? { cancelada: cancel } : {}),
        ...(normal.length > 0 ? { normal } : {}),
      },
    ],
  };
}

function parteDe(lugares: Lugares, quem: 'prestador' | 'tomador') {
  const nome = lugares.dentro(quem === 'prestador' ? 'nomeDoPrestador' : 'nomeDoTomador');
  return { cpfCnpj: lugares.dentro(quem), ...(nome.length > 0 ? { nome } : {}) };
}

/**
 * Describes the layout of what was pointed at.
 *
 * @returns a description that passes its check, or what is missing, in words for who points
 */
export function descrever(
  apontado: Apontado,
): { ok: true; leiaute: Leiaute } | { ok: false; faltas: string[] } {
  const lugares = new Lugares(apontado);
  const { faltas } = lugares;
  const opcional = (nome: 'codigo' | 'serie') => {
    const places = lugares.dentro(nome);
    return places.length > 0 ? { [nome]: places } : {};
  };
  if (apontado.nome.trim() === '') faltas.push('Dê um nome ao leiaute: o do sistema ou o da cidade.');
  const situacao = situacaoDe(apontado, faltas);
  const municipio = municipioDe(apontado, lugares);
  if (faltas.length > 0) return { ok: false, faltas };
  return validateEnsinado({
    id: idDoNome(apontado.nome),
    nome: apontado.nome.trim(),
    fonte: 'Ensinado a partir de notas recebidas',
    nota: notaDe(apontado, lugares),
    numero: lugares.dentro('numero'),
    ...opcional('serie'),
    ...opcional('codigo'),
    data: { campos: lugares.dentro('data'), ordem: apontado.ordem },
    prestador: parteDe(lugares, 'prestador'),
    ...(apontado.campos.tomador ? { tomador: parteDe(lugares, 'tomador') } : {}),
    ...aoRedorDe(lugares),
    valor: lugares.dentro('valor'),
    ...municipio,
    ...situacao,
  });
}
