import { createHash } from 'node:crypto';
import { verificarCofre } from '../documentos/verificar.ts';
import type { BlobStore } from '../platform/storage/blob-store.ts';
import type { DepsDoComando } from './deps.ts';
import { criarProgresso } from './progresso.ts';
import * as queries from './queries-verificar.ts';
import type { Saida } from './saida.ts';

const STEP = 200;

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
  /** Oddities that lose nothing, such as bytes of an upload that was never acknowledged. */
  avisos: string[];
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
  versao_servida: 'versoes',
  conteudo_ausente: 'versoes',
  conteudo_danificado: 'sha256',
};

/** Looks at everything that must hold in the data folder. Changes nothing; may run beside the server. */
export async function verificar(deps: Deps, saida: Saida): Promise<Relatorio> {
  const achados: Achado[] = [];
  const counts = await queries.countRows(deps.db.read);
  for (const mensagem of await queries.findEngineFaults(deps.db.read)) {
    achados.push({ conferencia: 'banco', mensagem });
  }
  const progresso = criarProgresso(saida, { total: counts.versoes, unidade: 'documentos conferidos' });
  try {
    const { homologacao } = deps.config;
    const aoConferir = (versoes: number) => progresso.avancar(versoes);
    for await (const { codigo, alvo, mensagem } of verificarCofre(deps.db.read, {
      homologacao,
      aoConferir,
    })) {
      achados.push({
        conferencia: CONFERENCIA_DO_CODIGO[codigo] ?? codigo,
        mensagem: `${alvo}: ${mensagem}`,
      });
    }
  } finally {
    progresso.fim();
  }
  const blobs = await checkBlobs(deps);
  achados.push(...blobs.faltas.map((mensagem) => ({ conferencia: 'arquivos', mensagem })));
  return { ...counts, arquivos: blobs.conferidos, achados, avisos: blobs.avisos };
}

async function checkBlobs({
  db,
  storage,
}: Deps): Promise<{ conferidos: number; faltas: string[]; avisos: string[] }> {
  // Keys first: an upload that ends meanwhile has a row without being in this list, never the reverse.
  const keys = new Set<string>();
  for await (const key of storage.keys()) keys.add(key);
  const faltas: string[] = [];
  let conferidos = 0;
  for (let depoisDe = ''; ; ) {
    const rows = await queries.findBlobsAfter(db.read, { depoisDe, limite: STEP });
    for (const { id, blob, sha256 } of rows) {
      if (blob === null) continue;
      keys.delete(blob);
      const bytes = await storage.get(blob).catch(() => null);
      if (bytes === null) faltas.push(`arquivo ${id}: os bytes enviados (${blob}) não estão no disco`);
      else if (sha256Of(bytes) !== sha256) faltas.push(`arquivo ${id}: os bytes não conferem com o SHA-256`);
      conferidos++;
    }
    const last = rows.at(-1);
    if (!last) break;
    depoisDe = last.id;
  }
  const avisos =
    keys.size === 0
      ? []
      : [`${keys.size} arquivo(s) no disco sem registro no banco (envios não confirmados).`];
  return { conferidos, faltas, avisos };
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
