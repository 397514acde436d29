/** A vault in a real SQLite file, and everything in it that somebody can see, but for the NSU. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import type { Tabelas } from '../../src/banco/tabelas.ts';
import { openCofre } from '../../src/documentos/cofre-testing.ts';
import { CODIGO_DE_CORRECAO } from '../../src/documentos/lean/motivos.ts';
import { paginaDeFaltantes } from '../../src/documentos/read/faltantes.ts';
import { entradaPorChave, paginaDeNovos } from '../../src/documentos/read/feed.ts';
import { paginaDeListagem, type StatusDeListagem } from '../../src/documentos/read/listagem.ts';
import { deliverRetidos } from '../../src/documentos/store/retidos.ts';
import { storeLotes } from '../../src/documentos/store/store.ts';
import type { Entrada, EventoDaEntrada } from '../../src/documentos/tipos.ts';
import { verifyCofre } from '../../src/documentos/verify/verificar.ts';
import type { CpfCnpj } from '../../src/fiscal/tipos.ts';
import { sqliteDialect } from '../../src/platform/db/sqlite-dialect.ts';
import { InThreadExecutor } from '../../src/platform/db/sqlite-executor.ts';
import { type Chegada, CLIENTES } from './chegadas.ts';

const AGORA = Date.parse('2026-04-01T12:00:00-03:00');
const DESDE = Date.parse('2026-01-01T00:00:00-03:00');
const TUDO = 10_000;
const FILTROS: readonly (StatusDeListagem | null)[] = [
  null,
  'Autorizada',
  'Cancelada',
  'Denegada',
  'Inutilizada',
  'CartaCorrecao',
];

/** Files that arrive together, in this order; or the moment in which another client is registered. */
export type Passo = readonly Chegada[] | 'cliente';

interface Aberto {
  db: Kysely<Tabelas>;
  clientes: Map<CpfCnpj, number>;
}

/** A folder with an empty vault that each permutation starts from. */
export class Oficina implements Disposable {
  readonly #folder: string;
  readonly #template: string;
  readonly #contadorId: number;
  #count = 0;

  private constructor(contadorId: number, template: string, folder: string) {
    this.#contadorId = contadorId;
    this.#template = template;
    this.#folder = folder;
  }

  static async abrir(): Promise<Oficina> {
    const folder = mkdtempSync(join(tmpdir(), 'malote-permutacoes-'));
    const template = join(folder, 'vazio.db');
    const cofre = await openCofre(template);
    for (const cliente of CLIENTES.antes) await cofre.registrar(cliente);
    await cofre.db.close();
    return new Oficina(cofre.contadorId, template, folder);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Lets everything arrive and says what is then to be seen. */
  async estadoDepoisDe(passos: readonly Passo[]): Promise<Estado> {
    const path = join(this.#folder, `${++this.#count}.db`);
    copyFileSync(this.#template, path);
    const executor = new InThreadExecutor({ path });
    const db = new Kysely<Tabelas>({ dialect: sqliteDialect({ executor, writes: true }) });
    try {
      for (const [at, passo] of passos.entries()) await this.#step(db, passo, at);
      return await estadoDe({ db, clientes: await clientesDe(db) }, this.#contadorId);
    } finally {
      executor.close();
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
    }
  }

  async #step(db: Kysely<Tabelas>, passo: Passo, at: number): Promise<void> {
    const contadorId = this.#contadorId;
    await db.transaction().execute(async (trx) => {
      if (passo === 'cliente') {
        const cpfCnpj = CLIENTES.depois;
        await trx
          .insertInto('cliente')
          .values({
            contador_id: contadorId,
            cpf_cnpj: cpfCnpj,
            nome: 'Cliente',
            email: 'cliente@exemplo.com.br',
            criado_em: AGORA,
            atualizado_em: AGORA,
          })
          .execute();
        await deliverRetidos(trx, { contadorId, cpfCnpj }, { agora: AGORA, homologacao: false });
        return;
      }
      // Files that became ready together share a commit.
      const half = Math.ceil(passo.length / 2);
      const lotes = [passo.slice(0, half), passo.slice(half)].map((files, part) => ({
        arquivoNumero: 2 * at + part,
        contadorId,
        pecas: files.flatMap(({ pecas }) => pecas),
      }));
      await storeLotes(trx, { lotes, agora: AGORA, homologacao: false });
    });
  }
}

async function clientesDe(db: Kysely<Tabelas>): Promise<Map<CpfCnpj, number>> {
  const rows = await db.selectFrom('cliente').select(['id', 'cpf_cnpj']).execute();
  return new Map(rows.map(({ id, cpf_cnpj }) => [cpf_cnpj as CpfCnpj, id]));
}

/** What is seen; documents by their identity, so that an expectation can be held against it. */
export interface Estado {
  documentos: Record<string, { status: string; carta: boolean; manifestacao: string | null; versao: Versao }>;
  clientes: Record<string, Visao>;
  defeitos: unknown[];
}

interface Versao {
  digest: string;
  protocolada: boolean;
  assinatura: string;
}

/** What one client sees; every line is an entry or a missing number as JSON. */
export interface Visao {
  /** NSUs are 1, 2, 3 … */
  densa: boolean;
  feed: string[];
  listagens: Record<string, string[]>;
  faltantes: string[];
  porChave: string[];
}

/**
 * An entry as JSON, without its number, without the bytes' hash, which is that of one of several equal copies, and without
 * why a document was listed once more, which is a matter of arrival.
 */
function vista(entrada: Entrada): string {
  const { chave, modelo, status, tipo, papel, serie, numero, dataEmissao } = entrada;
  const evento = entrada.evento && entrada.evento.codigo !== CODIGO_DE_CORRECAO ? dito(entrada.evento) : null;
  const { layoutNacional, municipioPrestacao } = entrada;
  const shown = { chave, modelo, status, tipo, papel, serie, numero, dataEmissao, evento };
  return JSON.stringify({ ...shown, layoutNacional, municipioPrestacao });
}

function dito({ codigo, descricao, sequencia, id, data, prova }: EventoDaEntrada) {
  return { codigo, descricao, sequencia, id, data, prova };
}

async function visaoDe(
  aberto: Aberto,
  contadorId: number,
  cliente: CpfCnpj,
  clienteId: number,
): Promise<Visao> {
  const { db } = aberto;
  const page = { pagina: 1, tamanho: TUDO };
  const { total, entradas } = await paginaDeNovos(db, { clienteId, nsu: 0, comXml: false, ...page });
  const listagens: Visao['listagens'] = {};
  const faltantes: string[] = [];
  for (const modelo of ['55', '65'] as const) {
    for (const filtro of FILTROS) {
      const found = await paginaDeListagem(db, {
        clienteId,
        modelo,
        desde: DESDE,
        ate: null,
        tipo: null,
        filtro,
        ...page,
      });
      listagens[`${modelo} ${filtro}`] = [`total ${found.total}`, ...found.entradas.map(vista).sort()];
    }
    const missing = await paginaDeFaltantes(db, {
      contadorId,
      cpfCnpj: cliente,
      modelo,
      desde: DESDE,
      ate: null,
      ...page,
    });
    faltantes.push(...missing.faltantes.map((one) => JSON.stringify(one)));
  }
  const chaves = [...new Set(entradas.map(({ chave }) => chave))].sort();
  const porChave: string[] = [];
  for (const chave of chaves) {
    const entrada = await entradaPorChave(db, { clienteId, contadorId, chave });
    // While only events are held the newest answers, and which is the newest is a matter of arrival.
    porChave.push(
      entrada === null ? `${chave} nothing` : entrada.evento ? `${chave} an event` : vista(entrada),
    );
  }
  return {
    densa: entradas.every(({ nsu }, at) => nsu === at + 1) && entradas.length === total,
    // A document that came again with its protocol has two entries, one that had it from the start has one.
    feed: [...new Set(entradas.map(vista))].sort(),
    listagens,
    faltantes,
    porChave,
  };
}

async function estadoDe(aberto: Aberto, contadorId: number): Promise<Estado> {
  const rows = await aberto.db
    .selectFrom('documento')
    .innerJoin('versao', 'versao.documento_id', 'documento.id')
    .select([
      'documento.classe',
      'documento.chave',
      'documento.identidade',
      'documento.status',
      'documento.carta_correcao',
      'documento.manifestacao',
      'versao.digest',
      'versao.protocolado',
      'versao.assinatura',
    ])
    .where('versao.servida', '=', 1)
    .orderBy('documento.chave')
    .orderBy('documento.identidade')
    .execute();
  const documentos: Estado['documentos'] = {};
  for (const row of rows) {
    documentos[`${row.classe} ${[row.chave, row.identidade].filter(Boolean).join('/')}`] = {
      status: row.status,
      carta: row.carta_correcao === 1,
      manifestacao: row.manifestacao,
      versao: { digest: row.digest, protocolada: row.protocolado === 1, assinatura: row.assinatura },
    };
  }
  const clientes: Estado['clientes'] = {};
  for (const [cliente, id] of aberto.clientes)
    clientes[cliente] = await visaoDe(aberto, contadorId, cliente, id);
  const defeitos: unknown[] = [];
  for await (const defeito of verifyCofre(aberto.db, { tamanho: 100 })) defeitos.push(defeito);
  return { documentos, clientes, defeitos };
}
