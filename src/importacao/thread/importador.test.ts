import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type BancoAberto, openBanco } from '../../../test/support/bancos.ts';
import { MOTOR } from '../../../test/support/motor.ts';
import type { Tabelas } from '../../banco/tabelas.ts';
import type { Logger } from '../../deps.ts';
import { completar } from '../../documentos/lean/itens-enxutos.ts';
import { storeLotes } from '../../documentos/store/store.ts';
import type { PecaLida } from '../../documentos/tipos.ts';
import { generateCenario, type ItemDoCenario } from '../../gerador/cenario.ts';
import { zipDe } from '../../gerador/zip.ts';
import type { Database } from '../../platform/db/connect.ts';
import { DatabaseAwayError } from '../../platform/db/faults.ts';
import { type Failpoint, onFailpoint } from '../../platform/failpoint.ts';
import type { Owner } from '../../platform/jobs/owner.ts';
import { addJob, BACKOFF_MS, LIGHT_BYTES, SURROUNDINGS_RETRY_MS } from '../../platform/jobs/queue.ts';
import { LEASE_MS, LeaseWatch } from '../../platform/jobs/takeover.ts';
import type { BlobStore } from '../../platform/storage/blob-store.ts';
import { openDiskBlobStore } from '../../platform/storage/disk.ts';
import {
  ARQUIVOS_BYTES_EM_MEMORIA,
  EM_DESCOMPACTACAO_LEVES,
  LOG_DEIXA_LIVRE_BYTES,
  LOTE_ENTRADAS,
  LOTES_A_FRENTE,
  PESO_DE_JUNTAR,
  TRANSACAO_PECAS,
} from '../limites.ts';
import { emptyMetrics } from '../metrics.ts';
import { markReceived } from '../queries.ts';
import { readContent } from '../reading/leitor.ts';
import type { Leitor } from '../reading/leitores.ts';
import { judged } from '../reading/pecas.ts';
import { Gravador } from '../storing/gravar.ts';
import { JOB_IMPORTAR } from '../tipos.ts';
import { Importador } from './importador.ts';

const T0 = Date.UTC(2026, 5, 1);
const QUIET: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => QUIET,
} as unknown as Logger;

const NO_SCHEMA = {
  validar: () => ({ resultado: 'nao_verificado' as const, esquema: null, motivo: null }),
};

const AT_ONCE = 3;

/** So many batches of entries that take no time to read. */
function batchesOf(count: number): { nome: string; bytes: Uint8Array }[] {
  const bytes = Buffer.from('<a/>');
  return Array.from({ length: count * LOTE_ENTRADAS }, (_, at) => ({ nome: `${at}.xml`, bytes }));
}

/** Holds batches until so many are there to be read, which then are read one right behind the other. */
function togetherAt(count: number): () => Promise<void> {
  const all = Promise.withResolvers<void>();
  let there = 0;
  return async () => {
    there += 1;
    if (there === count) all.resolve();
    await all.promise;
  };
}

/** Reads in this thread; `before` sees every batch first and may delay or break it. */
function readerHere(before: (caminhos: string[]) => Promise<void> = async () => {}): Leitor {
  return {
    atOnce: AT_ONCE,
    async read(entradas) {
      await before(entradas.map(({ caminho }) => caminho));
      const pecas = entradas.map((entrada): PecaLida[] =>
        'bytes' in entrada ? readContent(entrada, { validador: NO_SCHEMA }) : [judged(entrada)],
      );
      return { pecas, memorias: [], segundos: 0 };
    },
    close: async () => {},
  };
}

/** A database whose line breaks behind a commit: it has happened, and who wrote is told that the database is away. */
function perdendoRespostas(write: Database<Tabelas>['write'], perde: () => boolean): typeof write {
  return new Proxy(write, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'transaction') return value.bind(target);
      return () => ({
        async execute(work: Parameters<ReturnType<typeof write.transaction>['execute']>[0]) {
          const result = await target.transaction().execute(work);
          if (perde()) throw new DatabaseAwayError(new Error('the connection broke'));
          return result;
        },
      });
    },
  });
}

describe('import of files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'malote-importador-'));
  const cenario = generateCenario({
    semente: 'importador',
    clientes: 1,
    documentos: 100,
    inicio: '2026-03-01',
    meses: 1,
  });
  const documentos: ItemDoCenario[] = [...cenario.documentos];
  const [cliente] = cenario.empresas;
  let banco: BancoAberto;
  let db: Database<Tabelas>;
  let storage: BlobStore;
  let agora = T0;
  const clock = { now: () => agora };

  before(async () => {
    storage = await openDiskBlobStore(join(folder, 'arquivos'));
  });
  beforeEach(async () => {
    agora = T0;
    banco = await openBanco();
    db = banco.db;
    const contador = { codigo_crm: '000001', nome: 'n', email: 'e', criado_em: T0 };
    await db.write.insertInto('contador').values(contador).execute();
    await db.write
      .insertInto('cliente')
      .values({
        contador_id: 1,
        cpf_cnpj: cliente?.id ?? '',
        nome: 'n',
        email: 'e',
        criado_em: T0,
        atualizado_em: T0,
      })
      .execute();
  });
  afterEach(async () => {
    onFailpoint(null);
    await banco.close();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const blobOf = (id: string) => `${id}-${'0'.repeat(8)}`;

  async function upload(id: string, bytes: Uint8Array): Promise<void> {
    const blob = blobOf(id);
    const stored = await storage.put(blob, Readable.from([bytes]), { maxBytes: 30_000_000 });
    await db.write
      .insertInto('arquivo')
      .values({
        id,
        contador_id: 1,
        extensao: '.zip',
        tamanho_anunciado: 1,
        status: 'Aguardando Upload',
        criado_em: T0,
        expira_em: T0 / 1000,
        kid: 'k',
      })
      .execute();
    await db.write.transaction().execute(async (trx) => {
      const { sizeBytes: tamanho, sha256, md5 } = stored;
      await markReceived(trx, { id, agora, tamanho, sha256, md5, blob });
      const job = { tipo: JOB_IMPORTAR, arquivoId: id, contadorId: 1, pesoBytes: tamanho };
      await addJob(trx, { ...job, now: agora });
    });
  }

  function importer(
    options: {
      leitor?: Leitor;
      owner?: Partial<Owner>;
      storeLotes?: typeof storeLotes;
      watch?: LeaseWatch;
      foldLog?: () => boolean;
      espacoLivre?: () => Promise<number>;
      /** Whether the answer to the commit that has just happened is lost. */
      perdeResposta?: () => boolean;
    } = {},
  ) {
    const owner: Owner = { host: 'm', pid: 1, processRun: 'r1', threadRun: 't1', ...options.owner };
    const metricas = emptyMetrics();
    const { foldLog = () => db.foldLog(), perdeResposta = () => false } = options;
    const { espacoLivre = async () => LOG_DEIXA_LIVRE_BYTES } = options;
    const write = perdendoRespostas(db.write, perdeResposta);
    const deps = {
      db: { ...db, write, foldLog },
      storage,
      clock,
      log: QUIET,
      owner,
      homologacao: false,
      metricas,
      espacoLivre,
    };
    const { leitor = readerHere(), watch = new LeaseWatch() } = options;
    const gravador = new Gravador({ ...deps, leitor, storeLotes: options.storeLotes ?? storeLotes });
    const importador = new Importador({ ...deps, leitor, gravador, watch });
    return { importador, metricas };
  }

  const arquivo = (id: string) =>
    db.read.selectFrom('arquivo').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const job = (id: string) =>
    db.read.selectFrom('job').selectAll().where('arquivo_id', '=', id).executeTakeFirstOrThrow();
  const itens = async (id: string) =>
    completar(
      db.read,
      await db.read
        .selectFrom('item')
        .selectAll()
        .where('arquivo_numero', '=', (await arquivo(id)).numero)
        .orderBy('ordem')
        .execute(),
    );
  const count = async (table: 'documento' | 'entrada' | 'item') =>
    Number(
      (
        await db.read
          .selectFrom(table)
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    );

  /** All that must be true of a fully imported zip of the scenario, however often it was interrupted. */
  async function assertWhole(id: string): Promise<void> {
    assert.deepEqual([(await arquivo(id)).status, (await arquivo(id)).log], ['Uploaded', '']);
    assert.equal((await job(id)).estado, 'feito');
    const rows = await itens(id);
    assert.deepEqual(
      rows.map((row) => [row.ordem, row.caminho]),
      documentos.map((documento, index) => [index + 1, documento.nome]),
      'one item each, in the order of the zip',
    );
    assert.equal(await count('documento'), documentos.length, 'every document once');
    const nsus = await db.read.selectFrom('entrada').select('nsu').orderBy('nsu').execute();
    assert.deepEqual(
      nsus.map(({ nsu }) => nsu),
      documentos.map((_documento, index) => index + 1),
      'NSUs dense from 1',
    );
  }

  it('brings every document of a zip in, in order, though the readers finish in another', async () => {
    await upload('file-a', await zipDe(documentos));
    let turn = 0;
    const leitor = readerHere(async () => {
      // The first batch is the last to be ready.
      const waits = turn++ === 0 ? 20 : 1;
      for (let at = 0; at < waits; at++) await new Promise((resolve) => setImmediate(resolve));
    });
    const { importador, metricas } = importer({ leitor });
    await importador.drain();
    await assertWhole('file-a');
    assert.equal(metricas.arquivos.Uploaded, 1);
    const { inicio_em, fim_em } = await arquivo('file-a');
    assert.deepEqual([inicio_em, fim_em], [T0, T0]);
  });

  it('commits what several files have ready in one transaction', async () => {
    const batch = documentos.slice(0, 8);
    for (const [index, { bytes }] of batch.entries()) await upload(`file-${index}`, bytes);
    let transactions = 0;
    const { importador } = importer({
      leitor: readerHere(togetherAt(batch.length)),
      storeLotes: (trx, input) => {
        transactions += 1;
        return storeLotes(trx, input);
      },
    });
    await importador.drain();
    assert.equal(await count('documento'), batch.length);
    assert.equal(transactions, 1);
  });

  it('commits together what is read within a moment', { skip: MOTOR === 'postgres' }, async (t) => {
    const some = documentos.slice(0, 2 * LOTE_ENTRADAS);
    await upload('file-a', await zipDe(some));
    const firstIsRead = Promise.withResolvers<void>();
    onFailpoint((name) => {
      if (name === 'lote_lido') firstIsRead.resolve();
    });
    const leitor = readerHere(async (caminhos) => {
      if (!caminhos.includes(some.at(-1)?.nome ?? '')) return;
      await firstIsRead.promise;
      for (let at = 0; at < 20; at++) await new Promise((resolve) => setImmediate(resolve));
    });
    // Its moment is not over before the second is read, however long that takes.
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const sizes: number[] = [];
    const { importador } = importer({
      leitor,
      storeLotes: (trx, input) => {
        sizes.push(input.lotes.reduce((sum, { pecas }) => sum + pecas.length, 0));
        return storeLotes(trx, input);
      },
    });
    await importador.drain();
    assert.deepEqual(sizes, [some.length]);
  });

  it('writes on PostgreSQL what is there once no more than that is still being read', {
    skip: MOTOR === 'sqlite',
  }, async () => {
    const alike = batchesOf(8);
    await upload('file-a', await zipDe(alike));
    let before = Promise.resolve();
    const oneByOne = () => {
      before = before.then(async () => {
        for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
      });
      return before;
    };
    const sizes: number[] = [];
    const { importador } = importer({
      leitor: readerHere(oneByOne),
      storeLotes: (trx, input) => {
        sizes.push(input.lotes.reduce((sum, { pecas }) => sum + pecas.length, 0));
        return storeLotes(trx, input);
      },
    });
    await importador.drain();
    const [first = 0, ...others] = sizes;
    assert.ok(first <= alike.length / 2, `${sizes}`);
    assert.equal(
      others.reduce((sum, size) => sum + size, first),
      alike.length,
    );
  });

  it('puts no more documents and protocols together in one transaction than others can wait for', async () => {
    const [protocolo = ''] = documentos.flatMap(
      ({ bytes }) => /<protNFe[ >].*<\/protNFe>/s.exec(Buffer.from(bytes).toString()) ?? [],
    );
    const respostas = Array.from({ length: 30 }, (_, file) => {
      const each = Array.from({ length: 20 }, (_, at) =>
        protocolo.replace(/<digVal>[^<]*/, `<digVal>${file}x${at}`),
      );
      return {
        nome: `${file}-pro-rec.xml`,
        bytes: Buffer.from(`<retConsReciNFe>${each.join('')}</retConsReciNFe>`),
      };
    });
    await upload('file-a', await zipDe(respostas));
    const protocols: number[] = [];
    const { importador } = importer({
      storeLotes: (trx, input) => {
        const pecas = input.lotes.flatMap((lote) => lote.pecas);
        protocols.push(
          pecas.reduce((sum, peca) => sum + (('protocolos' in peca && peca.protocolos?.length) || 0), 0),
        );
        return storeLotes(trx, input);
      },
    });
    await importador.drain();
    assert.equal(
      protocols.reduce((sum, count) => sum + count, 0),
      600,
    );
    const most = TRANSACAO_PECAS[db.engine] / PESO_DE_JUNTAR;
    assert.ok(Math.max(...protocols) <= most, `${protocols}`);
  });

  it('brings a note in beside a large file, before the other large ones that came before it', async () => {
    const [deles, sozinha] = [documentos.slice(0, 2), documentos[2]];
    assert.ok(sozinha);
    const lastro = [1, 2].map((at) => ({ nome: `lastro-${at}.bin`, bytes: randomBytes(8_200_000) }));
    for (const [at, documento] of deles.entries())
      await upload(`file-${at}`, await zipDe([...lastro, documento]));
    assert.ok(((await arquivo('file-0')).tamanho ?? 0) > ARQUIVOS_BYTES_EM_MEMORIA);
    await upload('file-note', sozinha.bytes);
    const meanwhile: string[] = [];
    const leitor = readerHere(async (caminhos) => {
      if (!caminhos.includes(deles[0]?.nome ?? '')) return;
      do {
        assert.ok(meanwhile.length < 20_000, 'the note waits');
        await new Promise((resolve) => setTimeout(resolve, 5));
        meanwhile.push((await job('file-1')).estado);
      } while ((await arquivo('file-note')).status !== 'Uploaded');
    });
    const { importador } = importer({ leitor });
    await importador.drain();
    assert.deepEqual(new Set(meanwhile), new Set(['pronto']), 'large files go one behind the other');
    assert.equal(await count('documento'), 3);
  });

  it('unpacks no more batches than the readers are near to', async () => {
    const most = AT_ONCE + LOTES_A_FRENTE;
    const alike = batchesOf(most + 4);
    await upload('file-a', await zipDe(alike));
    const waiting: (() => void)[] = [];
    let handedOut = 0;
    const leitor = readerHere(async () => {
      handedOut += 1;
      await new Promise<void>((resolve) => waiting.push(resolve));
    });
    const { importador } = importer({ leitor });
    const drained = importador.drain();
    while (handedOut < most) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(handedOut, most);
    waiting.shift()?.();
    while (handedOut === most) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(handedOut, most + 1, 'one more for each that is read');
    const letAllRead = setInterval(() => {
      for (const resolve of waiting.splice(0)) resolve();
    }, 1);
    await drained;
    clearInterval(letAllRead);
    assert.equal((await itens('file-a')).length, alike.length);
  });

  it('lets nothing that is read wait for a document that takes long', { timeout: 120_000 }, async () => {
    const some = documentos.slice(0, 3 * LOTE_ENTRADAS);
    await upload('file-a', await zipDe(some));
    let committed = 0;
    const leitor = readerHere(async (caminhos) => {
      if (!caminhos.includes(some.at(-1)?.nome ?? '')) return;
      while (committed < 2 * LOTE_ENTRADAS) await delay(5);
    });
    const { importador } = importer({
      leitor,
      storeLotes: async (trx, input) => {
        const result = await storeLotes(trx, input);
        committed += input.lotes.reduce((sum, { pecas }) => sum + pecas.length, 0);
        return result;
      },
    });
    await importador.drain();
    assert.equal(committed, some.length);
  });

  const COMMITS: readonly Failpoint[] = [
    'job_tomado',
    'lote_lido',
    'lote_antes_do_commit',
    'lote_depois_do_commit',
    'ultimo_lote_antes_do_commit',
    'ultimo_lote_depois_do_commit',
  ];
  for (const point of COMMITS) {
    it(`goes on where it was after a death at ${point}, with nothing lost or doubled`, async () => {
      await upload('file-a', await zipDe(documentos));
      let [died, committed] = [false, false];
      // So that what came before it has a commit of its own.
      const lastIsLate = async (caminhos: string[]) => {
        if (!caminhos.includes(documentos.at(-1)?.nome ?? '')) return;
        while (!died && !committed) await delay(5);
      };
      // What dies does nothing any more: every later step of that run fails too, and no put-back is written.
      const dead = importer({ leitor: readerHere(lastIsLate) });
      onFailpoint((name) => {
        committed ||= name === 'lote_depois_do_commit';
        if (died || name === point) {
          died = true;
          throw new Error('killed');
        }
      });
      await dead.importador.drain().catch(() => {});
      assert.ok(died);
      onFailpoint(null);
      // As a kill leaves it: in the hands of a process that is gone. A finished file stays finished.
      const { estado } = await job('file-a');
      if (estado !== 'feito') {
        const holder = { estado: 'em_execucao' as const, adiado: 0, tomado_por: 'm|1|r0|t0' };
        await db.write.updateTable('job').set(holder).execute();
      }
      await importer({ owner: { processRun: 'r2', threadRun: 't2' } }).importador.drain();
      await assertWhole('file-a');
    });
  }

  it('goes on in the middle of an entry that fills more than one transaction', async () => {
    const each = TRANSACAO_PECAS[db.engine];
    const keys = Array.from({ length: each + 100 }, (_, index) => chaveDe(index));
    await upload('file-a', Buffer.from(keys.join('\n')));
    let commits = 0;
    onFailpoint((name) => {
      if (name === 'lote_depois_do_commit' && ++commits === 1) throw new Error('killed');
    });
    await importer().importador.drain();
    onFailpoint(null);
    const halfway = await job('file-a');
    assert.deepEqual([halfway.entradas_prontas, halfway.itens_prontos], [0, 0], 'the entry is not done');
    assert.equal((await itens('file-a')).length, each);
    agora += BACKOFF_MS[0] ?? 0;
    await importer().importador.drain();
    assert.deepEqual(
      (await itens('file-a')).map(({ ordem, chave }) => [ordem, chave]),
      keys.map((key, index) => [index + 1, key]),
    );
    assert.equal((await arquivo('file-a')).status, 'Uploaded');
  });

  it('gives a file up after three failures of ours, keeps what is in, and shows no reason', async () => {
    await upload('file-a', await zipDe(documentos));
    const { importador, metricas } = importer({
      storeLotes: () => Promise.reject(new TypeError('secret detail at /srv/x.ts:1')),
    });
    const waits = [0, ...BACKOFF_MS];
    for (const [index, waitMs] of waits.entries()) {
      agora += waitMs;
      await importador.drain();
      const expected = index === waits.length - 1 ? 'Com Erro' : 'Em Processamento';
      assert.equal((await arquivo('file-a')).status, expected, `try ${index + 1}`);
    }
    const { log } = await arquivo('file-a');
    assert.match(log, /file-a \[falha_interna\]$/);
    assert.doesNotMatch(log, /secret|TypeError|\.ts/);
    assert.equal((await job('file-a')).estado, 'falhou');
    assert.match((await job('file-a')).erro ?? '', /secret detail/, 'the operator can see it');
    assert.equal(metricas.falhas, 3);
    agora += 1_000_000;
    await importador.drain();
    assert.equal((await arquivo('file-a')).status, 'Com Erro', 'a final state never changes');
  });

  it('fails one file alone when its pieces break a transaction it shares', async () => {
    const [good, bad, other] = documentos;
    await upload('file-good', good?.bytes ?? Buffer.alloc(0));
    await upload('file-bad', bad?.bytes ?? Buffer.alloc(0));
    await upload('file-other', other?.bytes ?? Buffer.alloc(0));
    const { numero: poisoned } = await arquivo('file-bad');
    const { importador } = importer({
      storeLotes: (trx, input) => {
        if (input.lotes.some(({ arquivoNumero }) => arquivoNumero === poisoned)) throw new Error('poison');
        return storeLotes(trx, input);
      },
    });
    await importador.drain();
    assert.equal((await arquivo('file-good')).status, 'Uploaded');
    assert.equal((await arquivo('file-other')).status, 'Uploaded');
    assert.equal((await arquivo('file-bad')).status, 'Em Processamento');
  });

  it('blames no file when it is not known whether the transaction that they share was committed', async () => {
    await upload('file-a', await zipDe(documentos.slice(0, 50)));
    await upload('file-b', await zipDe(documentos.slice(50)));
    let [shared, lost] = [false, 0];
    const both = togetherAt(2);
    const { importador, metricas } = importer({
      // The first of both comes at once, the rest of both later.
      leitor: readerHere(async (caminhos) => {
        if (caminhos.length === LOTE_ENTRADAS) return both();
        while (!shared) await delay(1);
      }),
      storeLotes: (trx, input) => {
        shared ||= input.lotes.length === 2;
        return storeLotes(trx, input);
      },
      perdeResposta: () => shared && ++lost === 1,
    });
    await importador.drain();
    assert.ok(lost > 0, 'both were in one transaction');
    agora += SURROUNDINGS_RETRY_MS;
    await importador.drain();
    assert.equal(metricas.falhas, 0);
    for (const id of ['file-a', 'file-b']) assert.equal((await arquivo(id)).status, 'Uploaded');
    assert.equal(await count('documento'), documentos.length);
  });

  it('waits for a full disk as long as it takes, without counting the tries', async () => {
    await upload('file-a', await zipDe(documentos));
    let full = true;
    const { importador } = importer({
      storeLotes: (trx, input) => {
        if (full) throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR' });
        return storeLotes(trx, input);
      },
    });
    for (let time = 0; time < 5; time++) {
      await importador.drain();
      assert.equal((await arquivo('file-a')).status, 'Em Processamento');
      agora += SURROUNDINGS_RETRY_MS;
    }
    full = false;
    await importador.drain();
    await assertWhole('file-a');
  });

  it('commits nothing for a file whose lease somebody else has taken', async () => {
    await upload('file-a', await zipDe(documentos));
    const thief = async () => {
      await db.write.updateTable('job').set({ tomado_por: 'outra|9|r9|t9' }).execute();
    };
    await importer({ leitor: readerHere(thief) }).importador.drain();
    assert.equal(await count('documento'), 0);
    assert.equal((await job('file-a')).tomado_por, 'outra|9|r9|t9', 'the thief’s lease is left alone');
    let monotonic = 0;
    const { importador } = importer({ watch: new LeaseWatch(() => monotonic) });
    await importador.drain();
    assert.equal((await job('file-a')).tomado_por, 'outra|9|r9|t9', 'it may still live');
    monotonic += LEASE_MS;
    await importador.drain();
    await assertWhole('file-a');
  });

  it('puts an unfinished file back when it is stopped, so that the next process goes on at once', async () => {
    await upload('file-a', await zipDe(documentos));
    let stopped: Promise<void> | null = null;
    const { importador } = importer({
      leitor: readerHere(async () => {
        stopped ??= importador.stop();
      }),
    });
    await importador.drain();
    await stopped;
    const { estado, tentativas, tomado_por } = await job('file-a');
    assert.deepEqual([estado, tomado_por], ['pronto', null]);
    assert.equal(tentativas, 0);
    await importer({ owner: { processRun: 'r2' } }).importador.drain();
    await assertWhole('file-a');
  });

  it('puts back what it has just taken when it is stopped, which speaks against no file', async () => {
    await upload('file-a', await zipDe(documentos));
    let readersAreGone = false;
    let stopped: Promise<void> | null = null;
    const { importador } = importer({
      leitor: readerHere(async () => {
        if (readersAreGone) throw new Error('the task has been aborted');
      }),
    });
    onFailpoint((name) => {
      if (name !== 'job_tomado') return;
      stopped ??= importador.stop(async () => {
        readersAreGone = true;
      });
    });
    await importador.drain();
    await stopped;
    const { estado, tentativas, tomado_por, erro } = await job('file-a');
    assert.deepEqual([estado, tentativas, tomado_por, erro], ['pronto', 0, null, null]);
  });

  it('unpacks few light files at once, which may be large inside', async () => {
    const { promise: held, resolve: go } = Promise.withResolvers<void>();
    let unpacked = 0;
    onFailpoint((name) => {
      if (name === 'lote_descompactado') unpacked += 1;
    });
    const { importador } = importer({ leitor: readerHere(() => held) });
    const noise = randomBytes(20_000).toString('hex');
    const zip = await zipDe([{ nome: 'a.xml', bytes: Buffer.from(`<a>${noise.padEnd(2_500_000)}</a>`) }]);
    assert.ok(zip.length < LIGHT_BYTES);
    const ids = Array.from({ length: 8 }, (_, at) => `file-${at}`);
    for (const id of ids) await upload(id, zip);
    const drained = importador.drain();
    await delay(300);
    assert.ok(unpacked <= 1 + EM_DESCOMPACTACAO_LEVES, `${unpacked} are in memory`);
    go();
    await drained;
    for (const id of ids) assert.equal((await job(id)).estado, 'feito');
  });

  it('leaves the log of SQLite to grow, and has it folded once no file is in work', {
    timeout: 120_000,
  }, async () => {
    await upload('file-a', await zipDe(documentos));
    await upload('file-b', await zipDe(documentos.slice(0, 2)));
    let idle: () => boolean = () => false;
    const folded = new Promise<boolean>((resolve) => {
      const foldLog = () => {
        resolve(idle());
        return true;
      };
      const { importador } = importer({ foldLog });
      idle = () => importador.idle;
      void importador.drain();
    });
    const alive = setInterval(() => {}, 100);
    assert.equal(await folded, true);
    clearInterval(alive);
    for (const id of ['file-a', 'file-b']) assert.equal((await arquivo(id)).status, 'Uploaded');
  });

  it('has the log of SQLite folded after each file, others in work or not, where the disk has little room', {
    timeout: 120_000,
  }, async () => {
    await upload('file-a', await zipDe(documentos));
    await upload('file-b', Buffer.from('<outro/>'));
    let idle: boolean | null = null;
    const folded = Promise.withResolvers<void>();
    const { importador } = importer({
      // The reader holds one file until the log is folded, which is therefore folded for the other.
      leitor: readerHere(async (caminhos) => {
        if (caminhos.length > 1) await folded.promise;
      }),
      espacoLivre: async () => LOG_DEIXA_LIVRE_BYTES - 1,
      foldLog: () => {
        idle ??= importador.idle;
        folded.resolve();
        return true;
      },
    });
    await importador.drain();
    assert.equal(idle, false);
    for (const id of ['file-a', 'file-b']) assert.match((await arquivo(id)).status, /^(Uploaded|Com Erro)$/);
  });

  it('is Com Erro for a zip with a bad neighbour, whose good documents are in all the same', async () => {
    const good = documentos.slice(0, 2);
    await upload(
      'file-a',
      await zipDe([...good, { nome: 'ruim.xml', bytes: Buffer.from('<NFe><a></NFe>') }]),
    );
    await importer().importador.drain();
    const { status, log } = await arquivo('file-a');
    assert.equal(status, 'Com Erro');
    assert.match(log, /^2 documentos importados, 1 erro\nruim\.xml: .+ \[xml_mal_formado\]$/);
    assert.equal(await count('entrada'), good.length);
  });
});

/** A valid access key of an issuer that is nobody's client, with its check digit. */
function chaveDe(numero: number): string {
  const body = `352603${'11222333000181'}55001${String(numero + 1).padStart(9, '0')}1${'12345678'}`;
  let sum = 0;
  for (let at = 42, weight = 2; at >= 0; at--, weight = weight === 9 ? 2 : weight + 1) {
    sum += Number(body[at]) * weight;
  }
  const rest = sum % 11;
  return body + (rest < 2 ? 0 : 11 - rest);
}
