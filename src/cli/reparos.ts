/** What `malote verificar --reparar` mends, and from what: the database's indexes first, then rows, then what follows from them. */

import { refazerSePossivel } from '../documentos/bytes/envios.ts';
import { LeiturasDosEscritorios } from '../documentos/leiautes/leituras.ts';
import type { Achado as AchadoNoCofre, Reparo } from '../documentos/verify/achados.ts';
import { type Envio, repairCofre } from '../documentos/verify/reparar.ts';
import { ehDeLinha, repairLinhas } from '../documentos/verify/reparar-linhas.ts';
import { recuperarDoEnvio, recuperarProtocolos } from '../importacao/again/recuperar.ts';
import { loadEsquemas } from '../importacao/standards/esquemas-instalados.ts';
import { isSurroundings } from '../importacao/storing/surroundings.ts';
import { JOB_IMPORTAR } from '../importacao/tipos.ts';
import { rebuildIndexes } from '../platform/db/engine-check.ts';
import type { EngineFault } from '../platform/db/engine-fault.ts';
import { addJob } from '../platform/jobs/queue.ts';
import { getOrNull } from '../platform/storage/blob-store.ts';
import { checkCofre, conferir, type Relatorio } from './conferencias.ts';
import { findOrfaos } from './conferir-arquivos.ts';
import { contar } from './contar.ts';
import type { DepsComArquivos } from './deps.ts';
import { autoridadesDe, readEnvioDe } from './ler-envio.ts';
import { destinoDe, tendOrfao } from './orfaos.ts';
import * as queries from './queries-verificar.ts';
import { FalhaDoComando, type Saida } from './saida.ts';

/** What a repair has done; the rest of the report is how things are since. */
export interface RelatorioDoReparo extends Relatorio {
  reparos: { alvo: string; mensagem: string }[];
}

type Feito = Pick<Reparo, 'alvo' | 'mensagem'>;

/** What one repair brings to light another may mend; nothing needs more of them. */
const ROUNDS = 4;

/**
 * Looks, repairs what can be repaired, and looks again: what is left is named. May run beside the server.
 * @param aceitar tables whose rows a person has found right, against their copies
 */
export async function verifyAndRepair(
  deps: DepsComArquivos,
  { saida, aceitar }: { saida: Saida; aceitar: readonly string[] },
): Promise<RelatorioDoReparo> {
  const before = await conferir(deps, saida);
  await refuseForeignStore(deps);
  const reparos: Feito[] = await mendIndexes(deps, before.doBanco, aceitar);
  const now = reparos.length > 0 ? await conferir(deps, saida) : before;
  // What is written into a damaged database, or follows from it, would be damage too.
  if (now.doBanco.length > 0) return { ...semMais(now.relatorio), reparos };
  let { doCofre } = now;
  for (let round = 0; round < ROUNDS; round++) {
    const done = await mendVault(deps, doCofre);
    if (done.length === 0) break;
    reparos.push(...done);
    doCofre = await checkCofre(deps, { saida, versoes: now.relatorio.versoes, part: asFarAsItGoes });
  }
  reparos.push(...(await queueAgain(deps)), ...(await tendFiles(deps)));
  if (reparos.length === 0) return { ...now.relatorio, reparos };
  return { ...(await conferir(deps, saida)).relatorio, reparos };
}

/** What cannot be read is told at the end. */
async function asFarAsItGoes(_conferencia: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (isSurroundings(error)) throw error;
  }
}

function semMais(relatorio: Relatorio): Relatorio {
  const aviso = 'Enquanto o banco tiver danos que não se consertam, nada mais é reparado.';
  return { ...relatorio, avisos: [...relatorio.avisos, aviso] };
}

async function mendIndexes(
  { config }: DepsComArquivos,
  faults: readonly EngineFault[],
  aceitar: readonly string[],
): Promise<Feito[]> {
  const wanted = faults.filter(
    ({ remedio, table }) =>
      remedio === 'refazer_indice' || (remedio === 'escolher' && table !== null && aceitar.includes(table)),
  );
  const indexes = [...new Set(wanted.flatMap(({ index }) => index ?? []))];
  const done = await rebuildIndexes(config, indexes);
  return done.map((index) => ({ alvo: `índice ${index}`, mensagem: 'Foi refeito a partir da sua tabela.' }));
}

/** Rows first. What is derived from a row that is still wrong would be wrong too, and is left. */
async function mendVault(deps: DepsComArquivos, achados: readonly AchadoNoCofre[]): Promise<Feito[]> {
  const done: Feito[] = [];
  const rows = repairLinhas(
    {
      db: deps.db.write,
      lerEnvio: readEnvioDe(deps),
      validador: loadEsquemas(deps.config),
      autoridades: await autoridadesDe(deps),
    },
    achados.filter(ehDeLinha),
  );
  for await (const { alvo, mensagem } of rows) done.push({ alvo, mensagem });
  // What they have changed is looked at anew before anything follows from it.
  if (done.length > 0) return done;
  const wrong = achados.filter(ehDeLinha).flatMap(({ ref }) => ref ?? []);
  const documentos = new Set(wrong.map(({ documentoId }) => documentoId));
  const clientes = new Set(wrong.map(({ clienteId }) => clienteId));
  const outros = achados.filter(
    ({ ref }) =>
      !ref ||
      ((ref.documentoId === undefined || !documentos.has(ref.documentoId)) &&
        (ref.clienteId === undefined || !clientes.has(ref.clienteId))),
  );
  for await (const { alvo, mensagem } of repairVault(deps, outros)) done.push({ alvo, mensagem });
  return done;
}

function repairVault(deps: DepsComArquivos, achados: readonly AchadoNoCofre[]): AsyncGenerator<Reparo> {
  const validador = loadEsquemas(deps.config);
  const { db, storage } = deps;
  const leituras = new LeiturasDosEscritorios();
  /** Of a recipe, as long as the documents that it needs are sound. */
  const bytesDe = ({ arquivoId, blob }: Envio) =>
    blob === null ? refazerSePossivel(db.read, arquivoId) : getOrNull(storage, blob);
  return repairCofre(
    {
      db: db.write,
      agora: () => deps.clock.now(),
      homologacao: deps.config.homologacao,
      async *findInEnvio({ documentos, ...arquivo }) {
        const envio = await bytesDe(arquivo);
        const dele = await leituras.doArquivo(db.read, arquivo.arquivoId);
        if (envio !== null) yield* recuperarDoEnvio({ envio, documentos }, { validador, leituras: dele });
      },
      async acharProtocolos({ chave, ...arquivo }) {
        const envio = await bytesDe(arquivo);
        return envio === null ? [] : recuperarProtocolos({ envio, chave }, { validador });
      },
    },
    achados,
  );
}

/** An upload whose job is gone would wait for ever. */
async function queueAgain({ db, clock }: DepsComArquivos): Promise<Feito[]> {
  const waiting = await db.write.transaction().execute(async (trx) => {
    const now = clock.now();
    const found = await queries.findSemTrabalho(trx);
    for (const { id, contador_id: contadorId, tamanho } of found) {
      const pesoBytes = tamanho ?? 0;
      await addJob(trx, { tipo: JOB_IMPORTAR, arquivoId: id, contadorId, pesoBytes, now });
    }
    return found;
  });
  return waiting.map(({ id }) => ({
    alvo: `arquivo ${id}`,
    mensagem: 'Foi posto de novo na fila, para ser importado.',
  }));
}

async function tendFiles(deps: DepsComArquivos): Promise<Feito[]> {
  const done: Feito[] = [];
  for await (const key of findOrfaos(deps)) {
    const orfao = await destinoDe(deps, key);
    const mensagem = orfao && (await tendOrfao(deps, orfao));
    if (mensagem) done.push({ alvo: `arquivo ${key}`, mensagem });
  }
  const leftovers = await deps.storage.sweep();
  if (leftovers > 0) {
    const mensagem = `${contar(leftovers, 'envio interrompido foi apagado', 'envios interrompidos foram apagados')}.`;
    done.push({ alvo: 'armazenamento', mensagem });
  }
  return done;
}

/**
 * A database that knows of no upload beside a full store is the wrong one, unless something in the store is of one of its
 * offices: then it has lost them.
 */
async function refuseForeignStore(deps: DepsComArquivos): Promise<void> {
  if (await queries.hasArquivos(deps.db.read)) return;
  let foreign = 0;
  for await (const key of findOrfaos(deps)) {
    if ((await destinoDe(deps, key))?.destino === 'importar') return;
    foreign += 1;
  }
  if (foreign === 0) return;
  throw new FalhaDoComando(
    'banco_de_outra_instalacao',
    'Há arquivos guardados, e este banco não conhece envio algum: é o banco desta instalação? Confira MALOTE_DATA, DATABASE_URL e MALOTE_ARQUIVOS. Nada foi apagado nem reparado.',
  );
}
