import { refazerSePossivel } from '../documentos/bytes/envios.ts';
import type { Achado as AchadoNoCofre } from '../documentos/verify/achados.ts';
import { type Envio, type Reparo, repararCofre } from '../documentos/verify/reparar.ts';
import { verificarCofre } from '../documentos/verify/verificar.ts';
import { recuperarDoEnvio, recuperarProtocolos } from '../importacao/again/recuperar.ts';
import { carregarEsquemas } from '../importacao/standards/esquemas-instalados.ts';
import { JOB_IMPORTAR } from '../importacao/tipos.ts';
import { addJob } from '../platform/jobs/queue.ts';
import { type BlobStore, getOrNull } from '../platform/storage/blob-store.ts';
import { acharOrfaos, conferirEnvios } from './conferir-arquivos.ts';
import { contar } from './contar.ts';
import type { DepsDoComando } from './deps.ts';
import { cuidarDoOrfao, destinoDe, faltaDoOrfao } from './orfaos.ts';
import { criarProgresso } from './progresso.ts';
import * as queries from './queries-verificar.ts';
import { FalhaDoComando, type Saida } from './saida.ts';

/** Something that must not be. */
export interface Achado {
  conferencia: string;
  mensagem: string;
}

export interface Relatorio {
  clientes: number;
  documentos: number;
  entradas: number;
  versoes: number;
  /** Uploaded files whose bytes were read and compared. */
  arquivos: number;
  achados: Achado[];
  /** Oddities that lose nothing, such as bytes that are stored a second time. */
  avisos: string[];
}

/** What a repair has done; the rest of the report is how things are since. */
export interface RelatorioDoReparo extends Relatorio {
  reparos: { alvo: string; mensagem: string }[];
}

type Deps = DepsDoComando & { storage: BlobStore };
/** Under which name a finding of the vault is shown: what a person would look into. */
const CONFERENCIA_DO_CODIGO: Readonly<Record<string, string>> = {
  nsu_com_lacuna: 'nsu',
  contagem_errada: 'contagem',
  entrada_de_outro_escritorio: 'escritorio',
  entrada_sem_listagem: 'listagem',
  listagem_com_nsu_antigo: 'listagem',
  listagem_sem_entrada: 'listagem',
  listagem_divergente: 'listagem',
  papel_errado: 'listagem',
  versao_servida: 'versoes',
  conteudo_ausente: 'versoes',
  conteudo_danificado: 'sha256',
};

/** Looks at everything that must hold in the installation. Changes nothing; may run beside the server. */
export async function verificar(deps: Deps, saida: Saida): Promise<Relatorio> {
  const { relatorio } = await check(deps, saida);
  return relatorio;
}

/**
 * Looks, repairs what can be repaired, and looks again: what is left is named. May run beside the server.
 */
export async function verificarEReparar(deps: Deps, saida: Saida): Promise<RelatorioDoReparo> {
  const before = await check(deps, saida);
  await refuseForeignStore(deps);
  const reparos: { alvo: string; mensagem: string }[] = [];
  for await (const { alvo, mensagem } of repairVault(deps, before.doCofre)) reparos.push({ alvo, mensagem });
  for (const { id } of await queueAgain(deps)) {
    reparos.push({ alvo: `arquivo ${id}`, mensagem: 'Foi posto de novo na fila, para ser importado.' });
  }
  for await (const key of acharOrfaos(deps)) {
    const orfao = await destinoDe(deps, key);
    const mensagem = orfao && (await cuidarDoOrfao(deps, orfao));
    if (mensagem) reparos.push({ alvo: `arquivo ${key}`, mensagem });
  }
  const leftovers = await deps.storage.sweep();
  if (leftovers > 0) {
    reparos.push({
      alvo: 'armazenamento',
      mensagem: `${contar(leftovers, 'envio interrompido foi apagado', 'envios interrompidos foram apagados')}.`,
    });
  }
  if (reparos.length === 0) return { ...before.relatorio, reparos };
  return { ...(await check(deps, saida)).relatorio, reparos };
}

async function check(deps: Deps, saida: Saida): Promise<{ relatorio: Relatorio; doCofre: AchadoNoCofre[] }> {
  const { db } = deps;
  const counts = await queries.countRows(db.read);
  const faults = await queries.findEngineFaults(db.read);
  const achados: Achado[] = faults.map((mensagem) => ({ conferencia: 'banco', mensagem }));
  const doCofre: AchadoNoCofre[] = [];
  const progresso = criarProgresso(saida, { total: counts.versoes, unidade: 'documentos conferidos' });
  try {
    const { homologacao } = deps.config;
    const aoConferir = (versoes: number) => progresso.avancar(versoes);
    for await (const achado of verificarCofre(db.read, { homologacao, aoConferir })) doCofre.push(achado);
  } finally {
    progresso.fim();
  }
  for (const { codigo, alvo, mensagem } of doCofre) {
    achados.push({
      conferencia: CONFERENCIA_DO_CODIGO[codigo] ?? codigo,
      mensagem: `${alvo}: ${mensagem}`,
    });
  }
  let arquivos = 0;
  for await (const { conferidos, faltas } of conferirEnvios(deps)) {
    arquivos += conferidos;
    achados.push(...faltas.map((mensagem) => ({ conferencia: 'arquivos', mensagem })));
  }
  for (const { id } of await queries.findSemTrabalho(db.read)) {
    const mensagem = `arquivo ${id}: recebido, e não há trabalho que o importe; --reparar o põe na fila`;
    achados.push({ conferencia: 'fila', mensagem });
  }
  const avisos: string[] = [];
  let sobras = 0;
  for await (const key of acharOrfaos(deps)) {
    const orfao = await destinoDe(deps, key);
    const mensagem = orfao && faltaDoOrfao(orfao);
    if (mensagem) achados.push({ conferencia: 'arquivos', mensagem });
    else if (orfao) sobras += 1;
  }
  if (sobras > 0) {
    const quantas = contar(sobras, 'arquivo guardado', 'arquivos guardados');
    avisos.push(`${quantas} a mais: o que traz está também em outro lugar; --reparar apaga.`);
  }
  return { relatorio: { ...counts, arquivos, achados, avisos }, doCofre };
}

/** An upload whose job is gone would wait for ever. */
function queueAgain({ db, clock }: Deps): Promise<{ id: string }[]> {
  return db.write.transaction().execute(async (trx) => {
    const now = clock.now();
    const waiting = await queries.findSemTrabalho(trx);
    for (const { id, contador_id: contadorId, tamanho } of waiting) {
      const pesoBytes = tamanho ?? 0;
      await addJob(trx, { tipo: JOB_IMPORTAR, arquivoId: id, contadorId, pesoBytes, now });
    }
    return waiting;
  });
}

/**
 * A database that knows of no upload, beside a store full of them, is the wrong database. Only where something in the store
 * belongs to one of its offices has it lost its rows.
 */
async function refuseForeignStore(deps: Deps): Promise<void> {
  if (await queries.hasArquivos(deps.db.read)) return;
  let foreign = 0;
  for await (const key of acharOrfaos(deps)) {
    if ((await destinoDe(deps, key))?.destino === 'importar') return;
    foreign += 1;
  }
  if (foreign === 0) return;
  throw new FalhaDoComando(
    'banco_de_outra_instalacao',
    'Há arquivos guardados, e este banco não conhece envio algum: é o banco desta instalação? Confira MALOTE_DATA, DATABASE_URL e MALOTE_ARQUIVOS. Nada foi apagado nem reparado.',
  );
}

function repairVault(deps: Deps, achados: readonly AchadoNoCofre[]): AsyncGenerator<Reparo> {
  const validador = carregarEsquemas(deps.config);
  const { db, storage } = deps;
  /** A recipe gives its bytes as long as the documents that it needs are sound. */
  const bytesDe = ({ arquivoId, blob }: Envio) =>
    blob === null ? refazerSePossivel(db.read, arquivoId) : getOrNull(storage, blob);
  return repararCofre(
    {
      db: db.write,
      agora: () => deps.clock.now(),
      homologacao: deps.config.homologacao,
      async acharNoEnvio({ documento, ...arquivo }) {
        const envio = await bytesDe(arquivo);
        return envio === null ? null : recuperarDoEnvio({ envio, documento }, { validador });
      },
      async acharProtocolos({ chave, ...arquivo }) {
        const envio = await bytesDe(arquivo);
        return envio === null ? [] : recuperarProtocolos({ envio, chave }, { validador });
      },
    },
    achados,
  );
}
