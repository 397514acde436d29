/** What waits for a layout, and what one would read of it, for the screens on which an office teaches one. */
import type { Deps } from '../../deps.ts';
import { abrirGuardado } from '../../documentos/leiautes/a-ensinar.ts';
import { listEnsinados } from '../../documentos/leiautes/ensinados.ts';
import { leiauteDemorado, leiauteNaoEncontrado } from '../../documentos/leiautes/errors.ts';
import * as queries from '../../documentos/leiautes/queries-leiautes.ts';
import { type Apontado, descrever } from '../../fiscal/nfse/leiautes/apontar.ts';
import type { Leiaute } from '../../fiscal/nfse/leiautes/leiaute.ts';
import { DocumentoIlegivel, type LeitorDeDocumentos } from '../documento/leitor-de-documentos.ts';
import { instanteDe } from '../tempo.ts';

type DepsDasTelas = Pick<Deps, 'db'> & { leitor: LeitorDeDocumentos };

/** Files that are read for one look, and their bytes: a person waits for the answer. */
const PROVADOS_MAX = 1_000;
const PROVADOS_BYTES = 20_000_000;
const POR_VEZ = 200;

/** The groups that wait, the largest first. */
export async function listEsperando({ db }: Pick<Deps, 'db'>, contadorId: number) {
  const revisao = await queries.findRevisao(db.read, contadorId);
  const [porTentar] = await queries.findPorTentar(db.read, { contadorId, revisao, limite: 1 });
  const formas = await queries.findFormas(db.read, contadorId);
  return Promise.all(
    formas.map(async ({ forma, arquivos, primeira, desde, ate }) => ({
      forma,
      arquivos,
      primeiro: primeira,
      caminho: (await notaDe({ db }, { contadorId, id: primeira }))?.caminho ?? '',
      desde: instanteDe(desde),
      ate: instanteDe(ate),
      emLeitura: porTentar !== undefined,
    })),
  );
}

async function notaDe({ db }: Pick<Deps, 'db'>, { contadorId, id }: { contadorId: number; id: number }) {
  const [nota] = await queries.findNotas(db.read, { contadorId, depoisDe: id - 1, limite: 1 });
  return nota?.id === id ? nota : null;
}

/** One that waits, as a tree. @throws leiaute_nao_encontrado, leiaute_demorado */
export async function arvoreDoQueEspera(deps: DepsDasTelas, input: { contadorId: number; id: number }) {
  const nota = await notaDe(deps, input);
  const bytes = nota && abrirGuardado(nota);
  if (!nota || !bytes) throw leiauteNaoEncontrado();
  const arvore = await inTime(deps.leitor.run<'arvore'>({ kind: 'arvore', bytes }));
  if (!arvore) throw leiauteNaoEncontrado();
  const formas = await queries.findFormas(deps.db.read, input.contadorId);
  const arquivos = formas.find(({ forma }) => forma === nota.forma)?.arquivos ?? 0;
  return { caminho: nota.caminho, forma: nota.forma, arquivos, ...arvore };
}

const NADA = { arquivos: 0, arquivosLidos: 0, notas: 0, linhas: [], falhas: [], situacoes: [] };

/** What a layout as far as it is pointed at reads from all that waits. @throws leiaute_demorado */
export async function avaliar(deps: DepsDasTelas, input: { contadorId: number; apontado: Apontado }) {
  const { contadorId, apontado } = input;
  const { quantas } = await queries.sumEsperando(deps.db.read, contadorId);
  const described = descrever(apontado);
  if (!described.ok) return { ...NADA, faltas: described.faltas, esperam: quantas };
  const { leiaute } = described;
  const avaliacao = await inTime(
    deps.leitor.run<'avaliar'>({
      kind: 'avaliar',
      bytes: new Uint8Array(),
      id: leiaute.id,
      textos: await comOsOutros(deps, { contadorId, leiaute }),
      situacao: leiaute.situacao?.[0]?.campos[0] ?? null,
      guardados: await aProvar(deps, contadorId),
    }),
  );
  return { ...avaliacao, faltas: [], esperam: quantas };
}

/** As they are tried once it is saved: it stands behind the others, and takes the place of one with its id. */
async function comOsOutros(
  { db }: Pick<Deps, 'db'>,
  { contadorId, leiaute }: { contadorId: number; leiaute: Leiaute },
): Promise<string[]> {
  const outros = (await listEnsinados(db.read, contadorId)).filter((um) => um.leiaute.id !== leiaute.id);
  return [...outros.map((um) => um.leiaute), leiaute].map((um) => JSON.stringify(um));
}

async function aProvar({ db }: Pick<Deps, 'db'>, contadorId: number) {
  const guardados: { caminho: string; digest: string; bytes: Uint8Array }[] = [];
  for (let [depoisDe, weight] = [0, 0]; guardados.length < PROVADOS_MAX; ) {
    const rows = await queries.findNotas(db.read, { contadorId, depoisDe, limite: POR_VEZ });
    for (const { caminho, digest, bytes, tamanho } of rows) {
      weight += tamanho;
      if (weight > PROVADOS_BYTES && guardados.length > 0) return guardados;
      guardados.push({ caminho, digest, bytes });
    }
    if (rows.length < POR_VEZ) break;
    depoisDe = rows.at(-1)?.id ?? depoisDe;
  }
  return guardados;
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof DocumentoIlegivel ? leiauteDemorado() : error;
  }
}
