import { createHash } from 'node:crypto';
import { descomprimir } from '../documentos/conteudo.ts';
import type { BlobStore } from '../platform/storage/blob-store.ts';
import type { DepsDoComando } from './deps.ts';
import { criarProgresso, type Progresso } from './progresso.ts';
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
/** One check; its name is shown with each finding. */
type Conferencia = readonly [nome: string, run: (deps: Deps) => Promise<string[]>];

/** What is looked at with one statement each. */
const CONFERENCIAS: readonly Conferencia[] = [
  ['banco', ({ db }) => queries.findEngineFaults(db.read)],
  [
    'nsu',
    async ({ db }) =>
      (await queries.findNsuFaults(db.read)).map(
        (f) =>
          `CRM ${f.codigo_crm}, cliente ${f.cpf_cnpj}: ${f.entradas} entradas de ${f.primeiro ?? '–'} a ${f.ultimo ?? '–'}, mas o último NSU é ${f.ultimo_nsu}`,
      ),
  ],
  [
    'escritorio',
    async ({ db }) =>
      (await queries.findForeignEntries(db.read)).map(
        (f) =>
          `CRM ${f.codigo_crm}, cliente ${f.cpf_cnpj}, NSU ${f.nsu}: o documento ${f.chave} é de outro escritório`,
      ),
  ],
  [
    'listagem',
    async ({ db }) =>
      (await queries.findUnlistedEntries(db.read)).map(
        (f) =>
          `cliente ${f.cliente_id}, documento ${f.documento_id}: NSU ${f.nsu} não confere com a listagem`,
      ),
  ],
  [
    'versoes',
    async ({ db }) =>
      (await queries.findVersionFaults(db.read)).map(
        (f) => `documento ${f.chave}: ${f.servidas} versões servidas, ${f.vazias} sem conteúdo`,
      ),
  ],
  [
    'contagem',
    async ({ db }) =>
      (await queries.findCountFaults(db.read)).map(
        (f) =>
          `cliente ${f.cliente_id}, modelo ${f.modelo}, dia ${f.dia}: contados ${f.contado}, listados ${f.listado}`,
      ),
  ],
];

/** Looks at everything that must hold in the data folder. Changes nothing; may run beside the server. */
export async function verificar(deps: Deps, saida: Saida): Promise<Relatorio> {
  const achados: Achado[] = [];
  const counts = await queries.countRows(deps.db.read);
  for (const [conferencia, run] of CONFERENCIAS) {
    for (const mensagem of await run(deps)) achados.push({ conferencia, mensagem });
  }
  const progresso = criarProgresso(saida, { total: counts.versoes, unidade: 'documentos conferidos' });
  try {
    for await (const mensagem of damagedDocuments(deps, progresso))
      achados.push({ conferencia: 'sha256', mensagem });
  } finally {
    progresso.fim();
  }
  const blobs = await checkBlobs(deps);
  achados.push(...blobs.faltas.map((mensagem) => ({ conferencia: 'arquivos', mensagem })));
  return { ...counts, arquivos: blobs.conferidos, achados, avisos: blobs.avisos };
}

async function* damagedDocuments(deps: Deps, progresso: Progresso): AsyncGenerator<string> {
  for (let depoisDe = 0; ; ) {
    const rows = await queries.findConteudosAfter(deps.db.read, { depoisDe, limite: STEP });
    for (const row of rows) {
      const fault = contentFault(row);
      if (fault) yield `documento ${row.chave}, versão ${row.id}: ${fault}`;
    }
    progresso.avancar(rows.length);
    const last = rows.at(-1);
    if (!last) return;
    depoisDe = last.id;
  }
}

function contentFault(row: {
  formato: number;
  bytes: Uint8Array;
  sha256: string;
  tamanho: number;
}): string | null {
  try {
    const bytes = descomprimir(row);
    if (bytes.length !== row.tamanho) return `tem ${bytes.length} bytes em vez de ${row.tamanho}`;
    return sha256Of(bytes) === row.sha256 ? null : 'o conteúdo não confere com o SHA-256';
  } catch {
    return 'o conteúdo não se descomprime';
  }
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
