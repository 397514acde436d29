import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type BancoAberto, openBanco } from '../../../test/support/bancos.ts';
import { DatabaseAwayError } from '../../platform/db/faults.ts';
import { type BlobStore, BlobStoreUnavailableError } from '../../platform/storage/blob-store.ts';
import { ExecutorDeExportacoes, type ExecutorDeps } from './executor.ts';

const AGORA = Date.UTC(2026, 10, 21);
const ENDS_WITHIN_MS = 120_000;
const NADA = { de: null, ate: null };

describe('a mass export that fails', () => {
  const folder = mkdtempSync(join(tmpdir(), 'malote-exportacoes-'));
  let banco: BancoAberto;
  let away = false;
  /** The database goes away while the file is stored. */
  let cut = false;
  let fault: Error;
  /** The store takes no file before it is told to stop. */
  let hold = false;
  let executor: ExecutorDeExportacoes;
  let contadorId: number;
  beforeEach(async () => {
    away = false;
    cut = false;
    hold = false;
    banco = await openBanco();
    ({ id: contadorId } = await banco.db.write
      .insertInto('contador')
      .values({ codigo_crm: '000001', nome: 'n', email: 'e', criado_em: AGORA })
      .returning('id')
      .executeTakeFirstOrThrow());
    const storage = {
      async put(_key: string, source: Readable, { signal }: { signal: AbortSignal }) {
        source.resume();
        if (hold && !signal.aborted) await once(signal, 'abort');
        away = cut;
        throw fault;
      },
      delete: async () => {},
    } as unknown as BlobStore;
    const gone = {
      transaction: () => ({ execute: () => Promise.reject(new DatabaseAwayError(new Error('gone'))) }),
    };
    executor = new ExecutorDeExportacoes({
      db: Object.create(banco.db, { write: { get: () => (away ? gone : banco.db.write) } }),
      storage,
      clock: { now: () => AGORA },
      log: { error() {}, warn() {} },
      dataFolder: folder,
    } as unknown as ExecutorDeps);
    await executor.start();
  });
  afterEach(async () => {
    away = false;
    await executor.stop();
    await banco.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function pedir(): Promise<string> {
    const filtro = {
      contadorId,
      clienteId: null,
      entre: null,
      especie: 'todas',
      visao: 'todas',
      ...{ tipo: null, status: null, papel: null, serie: null, numero: null, chave: null, busca: null },
      ...{ uf: null, origem: null, finalidade: null, manifestacao: null, prova: null, ids: null },
      ...{ emissao: NADA, importacao: NADA, valor: NADA },
      ordem: 'emissao',
    } as const;
    const descricao = { cliente: 'c', filtros: [], pedidaEm: '' };
    const como = { pasta: '', comPdf: false, soValidas: false, comEventos: true, descricao, nome: 'n' };
    const pedido = { tipo: 'csv', filtro, ...como } as const;
    return executor.add({ contadorId, usuarioId: 1, clienteId: null, pedido, autor: 'a' });
  }
  const linha = (id: string) =>
    banco.db.read
      .selectFrom('exportacao')
      .select(['estado', 'erro'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  async function terminada(id: string): Promise<{ estado: string; erro: string | null }> {
    for (const deadline = performance.now() + ENDS_WITHIN_MS; performance.now() < deadline; ) {
      const row = await linha(id);
      if (row.estado !== 'na_fila' && row.estado !== 'em_andamento') return row;
      await delay(20);
    }
    return assert.fail('the export never ended');
  }

  it('is not reached by more than five of a user, however many are asked for at once', async () => {
    [hold, fault] = [true, new Error('the service stops')];
    const asked = await Promise.allSettled(Array.from({ length: 12 }, () => pedir()));
    const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason.codigo] : []));
    assert.deepEqual(refused, Array(7).fill('exportacoes_demais'));
  });

  it('says what is wrong: the disk, the store, the database, or something in the service', async () => {
    const faults: [Error, RegExp][] = [
      [Object.assign(new Error('no space'), { code: 'ENOSPC' }), /espaço em disco/],
      [Object.assign(new Error('quota'), { code: 'EDQUOT' }), /espaço em disco/],
      [new BlobStoreUnavailableError('the bucket'), /armazenamento/],
      [new DatabaseAwayError(new Error('gone')), /banco de dados/],
      [
        Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR' }),
        /espaço no disco do banco/,
      ],
      [
        Object.assign(new Error('could not extend file'), { code: '53100', severity: 'ERROR', routine: 'x' }),
        /espaço no disco do banco/,
      ],
      [new Error('whatever'), /erro do serviço/],
    ];
    for (const [error, told] of faults) {
      fault = error;
      const { estado, erro } = await terminada(await pedir());
      assert.equal(estado, 'falhou');
      assert.match(erro ?? '', told);
    }
  });

  it('is told as failed once the database is back, when it could not be told at once', async () => {
    fault = new BlobStoreUnavailableError('the bucket');
    cut = true;
    const id = await pedir();
    while (!away) await delay(5);
    await delay(100);
    assert.equal((await linha(id)).estado, 'em_andamento');
    away = false;
    assert.equal((await terminada(id)).estado, 'falhou');
  });
});
