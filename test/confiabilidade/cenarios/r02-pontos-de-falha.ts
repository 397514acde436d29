/** R02: a kill at each named step; the next start meets the next point at once, so recoveries are killed too. */
import { FAILPOINTS } from '../../../src/platform/failpoint.ts';
import { empacotar, generateRemessa } from '../../support/remessa.ts';
import { Bancada } from '../bancada.ts';
import { type Cenario, type Contexto, quanto } from '../cenario.ts';
import type { Violacao } from '../julgar.ts';

/**
 * Of a zip: six batches for the readers, so that there is a commit before the last one. Of two the first may be the later one to be
 * read, whenever two threads share them, and both go into one commit.
 */
const POR_ARQUIVO = 180;
/** The only points that need such a zip: a commit that is not the last one. */
const ENTRE_LOTES: ReadonlySet<string> = new Set(['lote_antes_do_commit', 'lote_depois_do_commit']);
/** Of a zip for the others, in the short form. */
const POUCOS = 12;
/** A point that is not passed by then, on however busy a machine, is none. */
const DIES_WITHIN_MS = 120_000;
/** Rounds take turns between the first and the second time that a process comes by. */
const PASSAGENS = 2;
/** What a process does but once: it takes over what the one before held when it starts. */
const UMA_VEZ: ReadonlySet<string> = new Set(['job_retomado']);
const FEED_EVERY_MS = 1_000;

export const pontosDeFalha: Cenario = {
  id: 'R02',
  titulo: 'kill -9 em cada passo nomeado, do envio ao último commit, também durante a retomada',
  motores: ['sqlite', 'postgres'],
  async rodar(contexto) {
    const times = quanto(contexto, 1, 5);
    const points = pontosDe(contexto);
    const plan = Array.from({ length: times }, (_, at) =>
      points.map((name) => `${name}:${UMA_VEZ.has(name) ? 1 : 1 + (at % PASSAGENS)}`),
    ).flat();
    const { clientes, grandes, pequenos } = await arquivosPara(contexto, plan);
    await using bancada = await Bancada.abrir({ motor: contexto.motor, remessa: { clientes } });
    const sending: Promise<unknown>[] = [];
    const missed: Violacao[] = [];
    for (const point of plan) {
      // It may die before it is ready: what it takes up from the one before is work too.
      void bancada.iniciar({ env: { MALOTE_PONTO_DE_FALHA: point } });
      const feed = () => {
        const from = isEntreLotes(point) ? grandes : pequenos;
        for (const extension of ['.zip', '.xml']) {
          const at = from.findIndex((arquivo) => arquivo.extension === extension);
          for (const arquivo of from.splice(at, at < 0 ? 0 : 1)) sending.push(bancada.enviar(arquivo));
        }
      };
      const hasWork = () => bancada.aceitos.length < sending.length || bancada.vigia.abertos > 0;
      feed();
      const died = await endedByItself(bancada, () => hasWork() || feed());
      if (!died) missed.push({ regra: 'R02', detalhe: `${point} não foi alcançado` });
      await bancada.matar();
      contexto.aoAvancar(point);
    }
    await bancada.iniciar();
    await Promise.all(sending);
    return {
      feito: `${plan.length} quedas em ${points.length} pontos`,
      medido: `${bancada.aceitos.length} arquivos aceitos`,
      violacoes: [...missed, ...(await bancada.concluir())],
    };
  },
};

const isEntreLotes = (point: string) => ENTRE_LOTES.has(point.split(':')[0] ?? '');

/** Two zips for each point, since some have to be fed again, and bare documents. What is left in the end was never sent. */
async function arquivosPara(contexto: Contexto, plan: readonly string[]) {
  const porArquivo = quanto(contexto, POUCOS, POR_ARQUIVO);
  const between = 2 * POR_ARQUIVO * plan.filter(isEntreLotes).length;
  const { clientes, itens } = await generateRemessa({
    semente: `${contexto.semente}/r02`,
    clientes: 3,
    documentos: between + 2 * porArquivo * plan.length,
    porArquivo,
  });
  return {
    clientes,
    grandes: await empacotar(itens.slice(0, between), {
      porArquivo: POR_ARQUIVO,
      prefixo: 'grande',
      soZips: true,
    }),
    pequenos: await empacotar(itens.slice(between), { porArquivo }),
  };
}

/**
 * In the short form SQLite has the points up to the opening of a file, PostgreSQL those from there on. Not every other one
 * each: what is taken up again must have been interrupted at the point before.
 */
function pontosDe({ curta, motor }: Contexto): readonly string[] {
  const half = FAILPOINTS.indexOf('arquivo_aberto') + 1;
  if (!curta) return FAILPOINTS;
  return motor === 'sqlite' ? FAILPOINTS.slice(0, half) : FAILPOINTS.slice(half);
}

/** Some points are passed only when commits fall in a certain way: more files come until they do. */
async function endedByItself(bancada: Bancada, feed: () => unknown): Promise<boolean> {
  const { terminou, child } = bancada.processo();
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, DIES_WITHIN_MS);
  const feeding = setInterval(feed, FEED_EVERY_MS);
  await Promise.race([terminou, late.promise]);
  clearTimeout(timer);
  clearInterval(feeding);
  return child.signalCode === 'SIGKILL';
}
