/** The first page: what happened, and what somebody should look at. */

import type { Db } from '../../banco/tabelas.ts';
import { diasRestantes, fimDosDias } from '../../contas/certificado/vigia.ts';
import { listClientes } from '../../contas/clientes.ts';
import { diaDe, inicioDoDia } from '../../fiscal/dia.ts';
import type { Alcance } from '../acesso.ts';
import { MODELOS_DA_ESPECIE } from '../documentos/filtro.ts';
import { faltantesDoCliente } from '../faltantes/faltantes-console.ts';
import { falhasAbertas } from '../importacoes/falhas.ts';
import { resumoDosRetidos } from '../importacoes/retidos.ts';
import { instanteDe } from '../tempo.ts';
import { type Habitos, NUNCA_ANTES_MS, silencioDe } from './habito.ts';
import * as queries from './queries-inicio.ts';

const DAY_MS = 86_400_000;
const AVISO_DE_CERTIFICADO_DIAS = 60;
/** Missing numbers of the last months; what is older has been asked for long ago. */
const FALTANTES_MESES_MS = 92 * DAY_MS;
const FALTANTES_MODELOS = ['55', '65'];
const LISTADOS = 50;
const CLIENTES_POR_PAGINA = 500;

interface EscopoDoInicio {
  contadorId: number;
  alcance: Alcance;
}

const ESPECIE_DO_MODELO = new Map(
  (['nfe', 'nfce', 'cfe', 'cte', 'nfse', 'outras'] as const).flatMap((especie) =>
    MODELOS_DA_ESPECIE[especie].map((modelo): [string, string] => [modelo, especie]),
  ),
);

/** Every tile but the missing numbers, which are counted beside (`Faltas`). */
export async function inicioDe(
  db: Db,
  input: EscopoDoInicio & { agora: number; dias: number; habitos: Habitos },
) {
  const { contadorId, alcance, agora, dias, habitos } = input;
  const escopo = { contadorId, alcance };
  const desde = diaDe(agora - (dias - 1) * DAY_MS);
  const doEscritorio = alcance === null;
  const pendentes = doEscritorio ? await falhasAbertas(db, { contadorId, agora }) : null;
  return {
    documentosPorDia: joinByEspecie(await queries.sumPorDia(db, { ...escopo, desde })),
    entradas: await queries.sumEntradas(db, escopo),
    importacoesHoje: doEscritorio
      ? await importacoes(db, { contadorId, desde: inicioDoDia(diaDe(agora)) })
      : null,
    passos: doEscritorio ? await queries.findPassos(db, contadorId) : null,
    retidos: doEscritorio ? await resumoDosRetidos(db, { contadorId }) : null,
    falhasPendentes: pendentes?.arquivos ?? null,
    falhasHaMais: pendentes?.haMais ?? false,
    clientesQuietos: osPrimeiros(await quietos(db, { ...escopo, agora, habitos })),
    certificados: osPrimeiros(
      (
        await queries.findCertificados(db, { ...escopo, ate: fimDosDias(AVISO_DE_CERTIFICADO_DIAS, agora) })
      ).map(({ validoAte, ...cliente }) => ({
        ...cliente,
        validoAte: instanteDe(validoAte),
        dias: diasRestantes(validoAte, agora),
      })),
    ),
    consumidores: osPrimeiros(
      (await queries.findLeituras(db, escopo))
        .map(({ nsu, em, ...leitura }) => ({
          ...leitura,
          nsuLido: nsu,
          atraso: Math.max(0, leitura.ultimoNsu - nsu),
          lidoEm: instanteDe(em),
        }))
        .sort((a, b) => b.atraso - a.atraso),
    ),
    armazenamento: doEscritorio ? await queries.sumArquivos(db, contadorId) : null,
  };
}

function joinByEspecie(rows: readonly { dia: string; modelo: string; quantidade: number }[]) {
  const sums = new Map<string, { dia: string; especie: string; quantidade: number }>();
  for (const { dia, modelo, quantidade } of rows) {
    const especie = ESPECIE_DO_MODELO.get(modelo) ?? modelo;
    const known = sums.get(`${dia} ${especie}`);
    if (known) known.quantidade += quantidade;
    else sums.set(`${dia} ${especie}`, { dia, especie, quantidade });
  }
  return [...sums.values()].filter(({ quantidade }) => quantidade > 0);
}

async function importacoes(db: Db, input: { contadorId: number; desde: number }) {
  const rows = await queries.countImportacoes(db, input);
  const sum = (pick: (row: (typeof rows)[number]) => number) =>
    rows.reduce((total, row) => total + pick(row), 0);
  return {
    arquivos: sum(({ arquivos }) => arquivos),
    documentos: sum(({ documentos }) => documentos),
    comErro: sum(({ comErro }) => comErro),
  };
}

async function quietos(db: Db, input: EscopoDoInicio & { agora: number; habitos: Habitos }) {
  const { agora } = input;
  // Most of thousands of clients were heard of today.
  const parados = await queries.findParadosDesde(db, { ...input, antesDe: agora - NUNCA_ANTES_MS });
  const habitos = await input.habitos.de(db, parados);
  const found = [];
  for (const { id, cpfCnpj, nome } of parados) {
    const habito = habitos.get(id);
    const silencio = habito && silencioDe(habito, agora);
    if (silencio) found.push({ cpfCnpj, nome, ...silencio, ultimoEm: instanteDe(silencio.ultimoEm) });
  }
  return found.sort((a, b) => b.dias - a.dias);
}

/** A list as the page has it: who must be looked at first, and how many there are. */
function osPrimeiros<T>(todos: readonly T[]): { total: number; itens: T[] } {
  return { total: todos.length, itens: todos.slice(0, LISTADOS) };
}

interface FaltasDoEscritorio {
  total: number;
  /** How many clients they are of; `porCliente` has those that lack most. */
  clientes: number;
  porCliente: { cpfCnpj: string; nome: string; total: number }[];
  calculadoEm: string;
}

/** Missing numbers of all clients are counted beside the page, and asked for again after some minutes. */
export class Faltas {
  readonly #known = new Map<string, { em: number; faltas: FaltasDoEscritorio | null; work: Promise<void> }>();
  readonly #valeMs: number;

  constructor(options: { valeMs?: number } = {}) {
    this.#valeMs = options.valeMs ?? 5 * 60_000;
  }

  /** What is known by now, at once; null while it is counted for the first time. */
  async get(
    db: Db,
    input: EscopoDoInicio & { agora: number; esperaMs: number },
  ): Promise<FaltasDoEscritorio | null> {
    const key = `${input.contadorId}/${input.alcance?.join() ?? 'todos'}`;
    let entry = this.#known.get(key);
    if (!entry || input.agora - entry.em > this.#valeMs) {
      const made = { em: input.agora, faltas: entry?.faltas ?? null, work: Promise.resolve() };
      made.work = countFaltas(db, input)
        .then((faltas) => {
          made.faltas = faltas;
        })
        .catch(() => {
          this.#known.delete(key);
        });
      entry = made;
      this.#known.set(key, made);
    }
    await Promise.race([entry.work, new Promise((resolve) => setTimeout(resolve, input.esperaMs).unref())]);
    return entry.faltas;
  }
}

async function countFaltas(db: Db, input: EscopoDoInicio & { agora: number }): Promise<FaltasDoEscritorio> {
  const desde = inicioDoDia(`${diaDe(input.agora - FALTANTES_MESES_MS).slice(0, 7)}-01`);
  const porCliente: FaltasDoEscritorio['porCliente'] = [];
  let depoisDe = '';
  for (;;) {
    const clientes = await listClientes(db, {
      contadorId: input.contadorId,
      depoisDe,
      limite: CLIENTES_POR_PAGINA,
    });
    for (const cliente of clientes) {
      if (input.alcance?.includes(cliente.id) === false) continue;
      const { total } = await faltantesDoCliente(db, {
        cliente,
        modelos: FALTANTES_MODELOS,
        periodo: { desde, ate: null },
      });
      if (total > 0) porCliente.push({ cpfCnpj: cliente.cpfCnpj, nome: cliente.nome, total });
    }
    const last = clientes.at(-1);
    if (!last || clientes.length < CLIENTES_POR_PAGINA) break;
    depoisDe = last.cpfCnpj;
  }
  return {
    total: porCliente.reduce((sum, { total }) => sum + total, 0),
    clientes: porCliente.length,
    porCliente: porCliente.sort((a, b) => b.total - a.total).slice(0, LISTADOS),
    calculadoEm: instanteDe(input.agora),
  };
}
