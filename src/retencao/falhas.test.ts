import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { verifyAuditoria } from '../auditoria/verificar.ts';
import type { Deps } from '../deps.ts';
import { type Cofre, EMITENTE, nota, openCofre } from '../documentos/cofre-testing.ts';
import { AppError } from '../platform/errors.ts';
import { type BlobStore, BlobStoreUnavailableError } from '../platform/storage/blob-store.ts';
import { openDiskBlobStore } from '../platform/storage/disk.ts';
import {
  askForExclusao,
  cancelExclusao,
  confirmExclusao,
  downloadPacote,
  exclusaoDe,
  resumeExclusao,
} from './exclusoes.ts';
import { ExecutorDeExclusoes } from './executor.ts';
import { TENTATIVAS } from './falhas.ts';
import { leaseExclusao } from './queries-exclusoes.ts';

const HOJE = Date.parse('2026-04-01T12:00:00-03:00');
const DIA_MS = 24 * 3_600_000;
/** No pause between two tries is longer. */
const DEPOIS_DE_QUALQUER_PAUSA_MS = 3_600_000;

let cofre: Cofre;
let pasta: string;
let storage: BlobStore;
let agora = HOJE;
let logged: string[] = [];
/** What every write into the store fails with, and every removal. */
let falha: Error | null = null;
let falhaAoApagar: Error | null = null;
let executor: ExecutorDeExclusoes;
const clock = { now: () => agora };
const log = { error: (_fields: object, text: string) => logged.push(text) } as unknown as Deps['log'];

beforeEach(async () => {
  agora = HOJE;
  logged = [];
  falha = null;
  falhaAoApagar = null;
  cofre = await openCofre();
  cofre.agora = HOJE - 60 * DIA_MS;
  pasta = mkdtempSync(join(tmpdir(), 'malote-falhas-'));
  const disk = await openDiskBlobStore(pasta);
  storage = new Proxy(disk, {
    get(target, name) {
      if (name === 'put' && falha) return () => Promise.reject(falha);
      if (name === 'delete' && falhaAoApagar) return () => Promise.reject(falhaAoApagar);
      const member = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  executor = new ExecutorDeExclusoes({ db: cofre.db, clock, storage, log });
  await cofre.registrar(EMITENTE);
  await cofre.gravar(nota({ data: '2014-02-10T10:00:00-03:00' }));
});
afterEach(async () => {
  await executor.stop();
  await cofre.db.close();
  rmSync(pasta, { recursive: true });
});

const deps = () => ({ db: cofre.db, clock, storage });
const escopo = () => ({ contadorId: cofre.contadorId, autor: 'usuario:1' });
const pedir = async () => ({ ...escopo(), ...(await askForExclusao(deps(), escopo())) });
type Pedida = Awaited<ReturnType<typeof pedir>>;
const lida = (exclusao: Pedida) => exclusaoDe(cofre.db.read, exclusao);

async function lookAtVezes(vezes: number): Promise<void> {
  for (let at = 0; at < vezes; at++) {
    agora += DEPOIS_DE_QUALQUER_PAUSA_MS;
    await executor.wake();
  }
}

async function atos(): Promise<string[]> {
  const rows = await cofre.db.read.selectFrom('auditoria').select('acao').orderBy('n').execute();
  return rows.map(({ acao }) => acao.replace('retencao.', ''));
}

function recusa(codigo: string) {
  return (error: unknown) => error instanceof AppError && error.codigo === codigo;
}

describe('a deletion whose copy cannot be written', () => {
  test('is tried again, and then waits for somebody, whom it tells why; it goes on when it is asked to', async () => {
    falha = new BlobStoreUnavailableError('no answer');
    const exclusao = await pedir();
    await lookAtVezes(TENTATIVAS - 1);
    assert.equal((await lida(exclusao)).estado, 'preparando');
    await lookAtVezes(1);
    const { estado, erro, tomada_por } = await lida(exclusao);
    assert.deepEqual(
      [estado, erro, tomada_por],
      ['falhou', 'O armazenamento dos arquivos não responde, ou recusa.', null],
    );
    assert.equal(logged.length, TENTATIVAS);
    await lookAtVezes(3);
    assert.equal(logged.length, TENTATIVAS, 'nobody tries what was given up');
    await assert.rejects(pedir(), recusa('exclusao_em_andamento'));

    falha = null;
    await resumeExclusao(deps(), exclusao);
    await lookAtVezes(1);
    const pronta = await lida(exclusao);
    assert.deepEqual([pronta.estado, pronta.erro, pronta.pacotes.length], ['preparada', null, 1]);
    assert.deepEqual(await atos(), [
      'exclusao_pedida',
      'exclusao_falhou',
      'exclusao_retomada',
      'exclusao_preparada',
    ]);
    assert.equal((await verifyAuditoria(cofre.db.read)).quebra, null);
    await assert.rejects(resumeExclusao(deps(), exclusao), recusa('exclusao_em_outro_estado'));
  });

  test('is not tried before its pause is over, which grows', async () => {
    falha = new Error('broken');
    await pedir();
    await executor.wake();
    await executor.wake();
    assert.equal(logged.length, 1);
    agora += 1_000;
    await executor.wake();
    agora += 1_000;
    await executor.wake();
    assert.equal(logged.length, 2);
    agora += 1_000;
    await executor.wake();
    assert.equal(logged.length, 3);
  });

  test('is tried again soon, and not in days, when the clock was wrong at its last try', async () => {
    agora += 3 * DIA_MS;
    falha = new Error('broken');
    await pedir();
    await executor.wake();
    agora -= 3 * DIA_MS;
    await executor.wake();
    assert.equal(logged.length, 2);
  });

  test('has all its tries again when it goes on, and can be given up while nothing was deleted', async () => {
    falha = Object.assign(new Error('full'), { code: 'ENOSPC' });
    const exclusao = await pedir();
    await lookAtVezes(TENTATIVAS);
    await resumeExclusao(deps(), exclusao);
    await lookAtVezes(TENTATIVAS - 1);
    assert.equal((await lida(exclusao)).estado, 'preparando');
    await lookAtVezes(1);
    assert.equal((await lida(exclusao)).erro, 'Não há espaço para gravar os arquivos.');
    await cancelExclusao(deps(), exclusao);
    assert.equal((await lida(exclusao)).estado, 'cancelada');
    falha = null;
    await pedir();
  });
});

test('a deletion that a process held when the clock was wrong is not held for days by it', async () => {
  const { id } = await pedir();
  const { write } = cofre.db;
  const MINUTO_MS = 60_000;
  const dead = { id, por: 'a', agora: agora + 3 * DIA_MS };
  assert.ok(await leaseExclusao(write, { ...dead, ate: dead.agora + MINUTO_MS }));
  assert.ok(await leaseExclusao(write, { id, por: 'b', agora, ate: agora + MINUTO_MS }));
  const ahead = { id, por: 'c', agora: agora + MINUTO_MS / 2 };
  assert.equal(await leaseExclusao(write, { ...ahead, ate: ahead.agora + MINUTO_MS }), false, 'b holds it');
});

describe('a confirmed deletion that cannot remove an upload', () => {
  const blob = 'um-envio';
  async function confirmarComEnvio(): Promise<Pedida> {
    await storage.put(blob, Readable.from([Buffer.from('nota')]), { maxBytes: 10 });
    const { id: documento_id, chave } = await cofre.db.read
      .selectFrom('documento')
      .select(['id', 'chave'])
      .executeTakeFirstOrThrow();
    await cofre.db.write
      .insertInto('arquivo')
      .values({
        numero: 1,
        id: 'a',
        contador_id: cofre.contadorId,
        extensao: '.xml',
        tamanho_anunciado: 1,
        status: 'Uploaded',
        criado_em: agora,
        expira_em: agora,
        fim_em: agora,
        kid: 'k',
        blob,
      })
      .execute();
    await cofre.db.write
      .insertInto('item')
      .values({
        arquivo_numero: 1,
        ordem: 1,
        caminho: 'a.xml',
        especie: 'NFe',
        resultado: 'novo',
        chave,
        documento_id,
      } as never)
      .execute();
    const exclusao = await pedir();
    await lookAtVezes(1);
    await downloadPacote(deps(), { ...exclusao, parte: 1 });
    await confirmExclusao(deps(), exclusao);
    return exclusao;
  }

  async function afterwards(exclusao: Pedida): Promise<void> {
    const { estado, excluidos, arquivos_apagados } = await lida(exclusao);
    assert.deepEqual([estado, excluidos, arquivos_apagados], ['concluida', 1, 1]);
    assert.equal(await storage.stat(blob), null);
    const [row] = await cofre.db.read.selectFrom('arquivo').select('blob').execute();
    assert.equal(row?.blob, null);
  }

  test('removes it as soon as it can, and counts it once', async () => {
    const exclusao = await confirmarComEnvio();
    falhaAoApagar = new BlobStoreUnavailableError('no answer');
    await lookAtVezes(2);
    assert.equal((await lida(exclusao)).estado, 'confirmada');
    falhaAoApagar = null;
    await lookAtVezes(1);
    await afterwards(exclusao);
  });

  for (const [when, removed] of [
    ['before', false],
    ['after', true],
  ] as const) {
    test(`killed just ${when} it is removed: the next process leaves nothing of it`, async () => {
      const exclusao = await confirmarComEnvio();
      const reached = Promise.withResolvers<void>();
      const killed = new Proxy(storage, {
        get(target, name) {
          if (name !== 'delete') return Reflect.get(target, name);
          return async (key: string) => {
            if (removed) await storage.delete(key);
            reached.resolve();
            await new Promise(() => {});
          };
        },
      });
      void new ExecutorDeExclusoes({ db: cofre.db, clock, storage: killed, log }).wake();
      await reached.promise;
      await lookAtVezes(1);
      await afterwards(exclusao);
    });
  }
});

describe('a confirmed deletion that fails half way', () => {
  async function stopMidway(): Promise<Pedida> {
    const exclusao = await pedir();
    await lookAtVezes(1);
    await downloadPacote(deps(), { ...exclusao, parte: 1 });
    await confirmExclusao(deps(), exclusao);
    await cofre.db.write
      .updateTable('exclusao')
      .set({ estado: 'falhou', erro: 'parou', excluidos: 1 })
      .execute();
    return exclusao;
  }

  test('is not given up, since what was deleted lies in uploads that are not looked at yet', async () => {
    const exclusao = await stopMidway();
    await assert.rejects(cancelExclusao(deps(), exclusao), recusa('exclusao_em_outro_estado'));
  });

  test('goes on from there', async () => {
    const exclusao = await stopMidway();
    await resumeExclusao(deps(), exclusao);
    assert.equal((await lida(exclusao)).estado, 'confirmada');
    await lookAtVezes(1);
    assert.equal((await lida(exclusao)).estado, 'concluida');
  });
});
