/** Missing numbers as the console shows them: gaps with their reason, a grid of series and months, what was justified. */
import type { Db } from '../../banco/tabelas.ts';
import type { Cliente } from '../../contas/clientes.ts';
import {
  type Faltante,
  MOTIVO_DO_FALTANTE,
  type MotivoDoFaltante,
  paginaDeFaltantes,
  SERIES_DO_FISCO,
} from '../../documentos/read/faltantes.ts';
import { instanteDe } from '../tempo.ts';
import * as queries from './queries-faltantes-console.ts';

/** Models whose numbers are given one after the other by their issuer. */
export const MODELOS_NUMERADOS = ['55', '65', '57', '67'] as const;

/** As many numbers of a client and model are looked at; a jump of the numbering makes more. */
const NUMEROS_MAX = 40_000;
const DAY_MS = 86_400_000;
const END_OF_TIME = Date.UTC(2200, 0, 1);

interface Lacuna {
  modelo: string;
  serie: string;
  /** Where the issuer has a numbering in each state (CPF); else null. */
  uf: string | null;
  numero: string;
  numeroFinal: string;
  quantidade: number;
  chave: string | null;
  motivo: MotivoDoFaltante;
  explicacao: string;
  /** YYYY-MM in which the number must have been given; null when unknown. */
  mes: string | null;
  /** `numero` to `numeroFinal`: what was justified together, of which this gap may be a part. */
  justificativa: { motivo: string; por: string; em: string; numero: number; numeroFinal: number } | null;
}

interface MesDaSerie {
  mes: string;
  conhecidos: number;
  faltantes: number;
}

interface GradeDaSerie {
  modelo: string;
  serie: string;
  primeiro: number;
  ultimo: number;
  faltantes: number;
  meses: MesDaSerie[];
}

interface FaltantesDoCliente {
  /** Numbers, without the justified ones. */
  total: number;
  justificados: number;
  truncado: boolean;
  series: GradeDaSerie[];
  lacunas: Lacuna[];
  /** Series whose gaps are not looked for, and why. */
  foraDaConta: { modelo: string; serie: string; motivo: string }[];
}

interface Periodo {
  desde: number;
  ate: number | null;
}

/** Everything that is missing of what a client issued in a period. */
export async function faltantesDoCliente(
  db: Db,
  input: { cliente: Cliente; modelos: readonly string[]; periodo: Periodo },
): Promise<FaltantesDoCliente> {
  const { cliente, periodo } = input;
  const emitidos = new Set((await queries.findModelosEmitidos(db, [cliente.id])).map((row) => row.modelo));
  const justificados = await queries.findJustificados(db, {
    contadorId: cliente.contadorId,
    clienteId: cliente.id,
  });
  const partes: FaltantesDoCliente[] = [];
  for (const modelo of input.modelos) {
    if (!emitidos.has(modelo)) continue;
    const dias = await queries.countPorSerie(db, {
      contadorId: cliente.contadorId,
      emitente: cliente.cpfCnpj,
      modelo,
      desde: periodo.desde,
      ate: periodo.ate ?? END_OF_TIME,
    });
    const { faltantes, truncado, foraDaConta } = await paginaDeFaltantes(db, {
      contadorId: cliente.contadorId,
      cpfCnpj: cliente.cpfCnpj,
      modelo,
      ...periodo,
      pagina: 1,
      tamanho: NUMEROS_MAX,
    });
    partes.push(doModelo({ modelo, dias, faltantes, truncado, foraDaConta, justificados }));
  }
  return {
    total: sum(partes.map((parte) => parte.total)),
    justificados: sum(partes.map((parte) => parte.justificados)),
    truncado: partes.some((parte) => parte.truncado),
    series: partes.flatMap((parte) => parte.series),
    lacunas: partes.flatMap((parte) => parte.lacunas),
    foraDaConta: partes.flatMap((parte) => parte.foraDaConta),
  };
}

type Justificados = Awaited<ReturnType<typeof queries.findJustificados>>;

function doModelo(input: {
  modelo: string;
  dias: readonly queries.DiaDaSerie[];
  faltantes: readonly Faltante[];
  truncado: boolean;
  foraDaConta: readonly string[];
  justificados: Justificados;
}): FaltantesDoCliente {
  const { modelo, dias, truncado } = input;
  const justificados = input.justificados.filter((row) => row.modelo === modelo);
  const meses = porMes(dias);
  const lacunas = emFaixas(input.faltantes, { meses, justificados });
  const abertas = Map.groupBy(
    lacunas.filter((lacuna) => !lacuna.justificativa),
    ({ serie }) => serie,
  );
  const series = [...meses].map(([serie, lista]) => {
    const daSerie = abertas.get(serie) ?? [];
    const doMes = Map.groupBy(daSerie, ({ mes }) => mes);
    return {
      modelo,
      serie,
      primeiro: Math.min(...lista.map((mes) => mes.menor)),
      ultimo: Math.max(...lista.map((mes) => mes.maior)),
      faltantes: sum(daSerie.map((lacuna) => lacuna.quantidade)),
      meses: lista.map(({ mes, quantidade }) => ({
        mes,
        conhecidos: quantidade,
        faltantes: sum((doMes.get(mes) ?? []).map((lacuna) => lacuna.quantidade)),
      })),
    };
  });
  const total = sum(lacunas.filter((lacuna) => !lacuna.justificativa).map((lacuna) => lacuna.quantidade));
  const todos = sum(lacunas.map((lacuna) => lacuna.quantidade));
  const { motivo } = SERIES_DO_FISCO;
  const foraDaConta = input.foraDaConta.map((serie) => ({ modelo, serie, motivo }));
  return { total, justificados: todos - total, truncado, series, lacunas, foraDaConta };
}

interface Mes {
  mes: string;
  quantidade: number;
  menor: number;
  maior: number;
}

function porMes(dias: readonly queries.DiaDaSerie[]): Map<string, Mes[]> {
  const series = new Map<string, Map<string, Mes>>();
  for (const { serie, dia, quantidade, menor, maior } of dias) {
    const mes = new Date(dia * DAY_MS).toISOString().slice(0, 7);
    const lista = series.get(serie) ?? new Map<string, Mes>();
    const known = lista.get(mes);
    lista.set(mes, {
      mes,
      quantidade: (known?.quantidade ?? 0) + quantidade,
      menor: Math.min(known?.menor ?? menor, menor),
      maior: Math.max(known?.maior ?? maior, maior),
    });
    series.set(serie, lista);
  }
  const bySerie = [...series].sort(([a], [b]) => Number(a) - Number(b));
  return new Map(
    bySerie.map(([serie, lista]) => [serie, [...lista.values()].sort((a, b) => (a.mes < b.mes ? -1 : 1))]),
  );
}

/** Neighbours with the same reason are one gap. */
function emFaixas(
  faltantes: readonly Faltante[],
  context: { meses: Map<string, Mes[]>; justificados: Justificados },
): Lacuna[] {
  const lacunas: Lacuna[] = [];
  const passos = new Map([...context.meses].map(([serie, meses]) => [serie, passosDe(meses)]));
  for (const faltante of faltantes) {
    const { modelo, serie, uf, motivo, chave } = faltante;
    const numero = Number(faltante.numero);
    const mes = mesEmQuePassou(passos.get(serie) ?? [], numero);
    const justificativa = justificativaDe(context.justificados, { serie, numero });
    const last = lacunas.at(-1);
    const joins =
      last &&
      chave === null &&
      last.chave === null &&
      last.serie === serie &&
      last.uf === uf &&
      last.motivo === motivo &&
      last.mes === mes &&
      last.justificativa?.em === justificativa?.em &&
      last.justificativa?.motivo === justificativa?.motivo &&
      Number(last.numeroFinal) + 1 === numero;
    if (joins) {
      last.numeroFinal = faltante.numero;
      last.quantidade += 1;
    } else {
      const explicacao = MOTIVO_DO_FALTANTE[motivo];
      const { numero: texto } = faltante;
      lacunas.push({
        modelo,
        serie,
        uf,
        numero: texto,
        numeroFinal: texto,
        quantidade: 1,
        chave,
        motivo,
        explicacao,
        mes,
        justificativa,
      });
    }
  }
  return lacunas;
}

/** Months in which the numbering came further than before, in their order. */
function passosDe(meses: readonly Mes[]): Mes[] {
  const passos: Mes[] = [];
  for (const mes of meses) if (mes.maior > (passos.at(-1)?.maior ?? -1)) passos.push(mes);
  return passos;
}

/** The month in which the numbering had come past a number; null when it has not. */
function mesEmQuePassou(passos: readonly Mes[], numero: number): string | null {
  let [from, to] = [0, passos.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((passos[middle]?.maior ?? 0) > numero) to = middle;
    else from = middle + 1;
  }
  return passos[from]?.mes ?? null;
}

function justificativaDe(
  justificados: Justificados,
  input: { serie: string; numero: number },
): Lacuna['justificativa'] {
  const found = justificados.find(
    (row) =>
      row.serie === input.serie && row.numero_inicial <= input.numero && row.numero_final >= input.numero,
  );
  if (!found) return null;
  const { motivo, por, em, numero_inicial: numero, numero_final: numeroFinal } = found;
  return { motivo, por, em: instanteDe(em), numero, numeroFinal };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
