import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Piscina } from 'piscina';
import { alterado } from '../../../test/support/alterado.ts';
import { generateCenario } from '../../gerador/cenario.ts';
import { zipDe } from '../../gerador/zip.ts';
import { endPool } from '../../platform/threads/thread-start.ts';
import { beginItem, OverBudget, WorkWatch } from '../../platform/threads/thread-work.ts';
import {
  DOCUMENTO_MAX_BYTES,
  ENTRADA_PESO_BYTES,
  LEITOR_OCIOSO_MS,
  LEITURA_GRANDE_BYTES,
  LEITURAS_SEM_CULPA,
  LOTE_BYTES,
  LOTE_ENTRADAS,
  TAREFAS_DO_LEITOR,
} from '../limites.ts';
import { autoridadesDoProduto, empacotar } from '../standards/autoridades.ts';
import type { EntradaParaLer } from '../tipos.ts';
import { emLotes, entradasDe } from '../unpack/entradas.ts';
import { readContent } from './leitor.ts';
import { Leitores, openReaders, type RunTask, readersFor } from './leitores.ts';
import type { Leitura, TarefaDeLeitura } from './tarefa.ts';

const SEM_ESQUEMA = {
  validar: () => ({ resultado: 'nao_verificado' as const, esquema: null, motivo: null }),
};
const QUIET = { warn() {}, error() {} };
const DO_PRODUTO = empacotar(autoridadesDoProduto());
const autoridades = () => DO_PRODUTO;
const entry = (caminho: string): EntradaParaLer => ({ caminho, bytes: Buffer.from(`<${caminho}/>`) });

/** A reader that answers one ignored piece a content, which tells what it was given. */
const echo: RunTask = async ({ pacote, partes }) => ({
  pecas: partes.map(({ caminho, inicio, fim }) => [
    {
      caminho,
      especie: 'Outro' as const,
      kind: 'ignorado' as const,
      sha256: null,
      codigo: 'lido',
      mensagem: Buffer.from(pacote.subarray(inicio, fim)).toString(),
    },
  ]),
  memoria: new Uint8Array(0),
  segundos: 0.5,
  lenta: false,
  excecoes: [],
});

function readers(run: RunTask, options: { threads?: number } = {}) {
  return new Leitores({ run, close: async () => {}, threads: 2, log: QUIET, autoridades, ...options });
}

const codes = (pecas: readonly { kind: string }[][]) =>
  pecas.map(([peca]) => {
    const coded = peca as { codigo?: string; rejeicao?: { codigo: string } } | undefined;
    return coded?.codigo ?? coded?.rejeicao?.codigo;
  });

describe('readers', () => {
  it('give each content to a reader whole, and pass on what unpacking has decided, in order', async () => {
    const block = Buffer.from('..<a/><b/>..');
    const lido = await readers(echo).read([
      { caminho: 'a', bytes: block.subarray(2, 6) },
      { caminho: 'foto.jpg', resultado: 'ignorado', codigo: 'imagem', mensagem: 'Imagem.' },
      { caminho: 'c', resultado: 'rejeitado', codigo: 'zip_crc_invalido', mensagem: 'CRC.' },
      { caminho: 'b', bytes: block.subarray(6, 10) },
    ]);
    assert.deepEqual(codes(lido.pecas), ['lido', 'imagem', 'zip_crc_invalido', 'lido']);
    const texts = lido.pecas.map(([peca]) => peca?.kind === 'ignorado' && peca.mensagem);
    assert.deepEqual([texts[0], texts[3]], ['<a/>', '<b/>']);
    assert.equal(lido.segundos, 0.5);
  });

  it('are told the hash of what had to wait for them, and take that of what did not themselves', async () => {
    const hashes: (string | null)[] = [];
    const free = Promise.withResolvers<void>();
    const run: RunTask = async (tarefa) => {
      hashes.push(...tarefa.partes.map(({ sha256 }) => sha256));
      await free.promise;
      return echo(tarefa);
    };
    const leitores = readers(run, { threads: 1 });
    const atOnce = Array.from({ length: TAREFAS_DO_LEITOR }, () => leitores.read([entry('a')]));
    const waiting = leitores.read([entry('b'), entry('c')]);
    free.resolve();
    await Promise.all([...atOnce, waiting]);
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    assert.deepEqual(hashes, [...atOnce.map(() => null), sha256('<b/>'), sha256('<c/>')]);
  });

  it('use a hash that they are told for a content that is one document, and for nothing else', () => {
    const [primeira, segunda] = notas(2).map(({ bytes }) => bytes);
    assert.ok(primeira && segunda);
    const hashesOf = (bytes: Uint8Array, sha256: string | null) =>
      readContent({ caminho: 'a.xml', bytes, sha256 }, { validador: SEM_ESQUEMA }).map((peca) =>
        peca.kind === 'registro' ? peca.conteudo.sha256 : peca.kind,
      );
    assert.deepEqual(hashesOf(primeira, 'told'), ['told']);
    const both = Buffer.concat([primeira, segunda]);
    const own = hashesOf(both, null);
    assert.equal(new Set(own).size, 2);
    assert.deepEqual(hashesOf(both, 'told'), own);
  });

  it('start no reader for a batch without contents', async () => {
    const run: RunTask = () => assert.fail('no reader is needed');
    assert.deepEqual((await readers(run).read([])).pecas, []);
  });

  /** A thread that dies over the contents of these names, each time it comes to one. */
  const dyingOver =
    (names: readonly string[], error = () => new Error('worker terminated')): RunTask =>
    async (tarefa) => {
      const at = tarefa.partes.findIndex(({ caminho }) => names.includes(caminho));
      if (at < 0) return echo(tarefa);
      beginItem(tarefa.marca, at, 1_000);
      throw error();
    };

  it('reject the document that brings its thread down, and read its neighbours', async () => {
    const lido = await readers(dyingOver(['veneno'])).read(['a', 'veneno', 'b'].map(entry));
    assert.deepEqual(codes(lido.pecas), ['lido', 'documento_nao_processavel', 'lido']);
    const [poison] = lido.pecas[1] ?? [];
    assert.ok(poison?.kind === 'rejeitado');
    assert.equal(poison.sha256, createHash('sha256').update('<veneno/>').digest('hex'));
  });

  it('read a document by itself before they blame it: its neighbours may have taken the memory', async () => {
    const faixas: string[] = [];
    const run: RunTask = async (tarefa) => {
      if (tarefa.partes.length === 1) return echo(tarefa);
      faixas.push(tarefa.faixa);
      beginItem(tarefa.marca, 1, 1_000);
      throw new Error('out of memory');
    };
    const lido = await readers(run).read(['a', 'b', 'c'].map(entry));
    assert.deepEqual(codes(lido.pecas), ['lido', 'lido', 'lido']);
    assert.deepEqual(faixas, ['rapida', 'lenta']);
  });

  it('reject a document that takes more processor time than it may, and try it once in each lane', async () => {
    const faixas: string[] = [];
    const dying = dyingOver(['lento'], () => new OverBudget());
    const run: RunTask = (tarefa) => {
      if (tarefa.partes.some(({ caminho }) => caminho === 'lento')) faixas.push(tarefa.faixa);
      return dying(tarefa);
    };
    const lido = await readers(run).read(['a', 'lento', 'b'].map(entry));
    assert.deepEqual(codes(lido.pecas), ['lido', 'documento_nao_processavel', 'lido']);
    assert.deepEqual(faixas, ['rapida', 'lenta']);
  });

  it('blame nothing of a batch whose thread dies over another one, and read it again', async () => {
    let deaths = 0;
    const run: RunTask = async (tarefa) => {
      if (++deaths <= 3) throw new Error('worker terminated');
      return echo(tarefa);
    };
    const lido = await readers(run).read(['a', 'b'].map(entry));
    assert.deepEqual(codes(lido.pecas), ['lido', 'lido']);
    assert.equal(deaths, 4);
  });

  it('go on with what a thread has handed back of a batch, in parts that are about as long', async () => {
    const sizes: number[] = [];
    const run: RunTask = async (tarefa) => {
      sizes.push(tarefa.partes.length);
      const leitura = await echo(tarefa);
      return { ...leitura, pecas: leitura.pecas.slice(0, 2) };
    };
    const names = Array.from({ length: 9 }, (_, i) => `n${i}`);
    const lido = await readers(run).read(names.map(entry));
    assert.deepEqual(
      lido.pecas.map(([peca]) => peca?.caminho),
      names,
    );
    assert.deepEqual(sizes, [9, 4, 4, 3, 1]);
  });

  it('blame no document when no reader can be started at all', async () => {
    let tries = 0;
    const run: RunTask = () => {
      tries += 1;
      return Promise.reject(new Error('cannot start a thread'));
    };
    await assert.rejects(readers(run).read([entry('a')]), /cannot start a thread/);
    assert.equal(tries, LEITURAS_SEM_CULPA + 1);
  });

  it('run a few tasks at once for each thread, and no more', async () => {
    let now = 0;
    let most = 0;
    const run: RunTask = async (tarefa) => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return { ...(await echo(tarefa)), segundos: 0.01 };
    };
    const pool = readers(run, { threads: 3 });
    await Promise.all(Array.from({ length: 40 }, (_, index) => pool.read([entry(String(index))])));
    assert.equal(most, 3 * TAREFAS_DO_LEITOR);
  });

  it('let no office wait for one whose documents are slow, or that sends many', async () => {
    const order: string[] = [];
    const slow = Promise.withResolvers<void>();
    const run: RunTask = async (tarefa) => {
      await new Promise((resolve) => setImmediate(resolve));
      const [{ caminho } = { caminho: '' }] = tarefa.partes;
      if (tarefa.faixa === 'lenta') await slow.promise;
      order.push(`${tarefa.dono} ${tarefa.faixa}`);
      return { ...(await echo(tarefa)), lenta: caminho === 'lento' };
    };
    const pool = readers(run, { threads: 1 });
    const many = (caminho: string, dono: number) =>
      Array.from({ length: 30 }, () => pool.read([entry(caminho)], dono));
    const ofSlow = many('lento', 1);
    const ofQuick = many('nota', 2);
    await pool.read([entry('nota')], 3);
    const before = order.filter((one) => one === '2 rapida').length;
    assert.ok(before <= TAREFAS_DO_LEITOR + 2, `${before} of the other office came before`);
    await Promise.all(ofQuick);
    assert.equal(order.filter((one) => one.startsWith('1')).length, TAREFAS_DO_LEITOR);
    slow.resolve();
    await Promise.all(ofSlow);
    assert.ok(order.every((one) => one !== '2 lenta'));
  });

  it('read what is large in the slow lane at once', async () => {
    const faixas: string[] = [];
    const run: RunTask = (tarefa) => {
      faixas.push(tarefa.faixa);
      return echo(tarefa);
    };
    await readers(run).read([{ caminho: 'a', bytes: Buffer.alloc(LEITURA_GRANDE_BYTES + 1) }]);
    await readers(run).read([{ caminho: 'a', bytes: Buffer.alloc(LEITURA_GRANDE_BYTES) }]);
    assert.deepEqual(faixas, ['lenta', 'rapida']);
  });
});

/** Signed notes of one company, all with a signature of the same form. */
function notas(quantas: number): { nome: string; bytes: Buffer }[] {
  const { documentos } = generateCenario({
    semente: 'leitores',
    clientes: 1,
    documentos: 5 * quantas,
    inicio: '2026-01-01',
    meses: 1,
  });
  return [...documentos]
    .filter(({ tipo }) => tipo === 'NFe')
    .slice(0, quantas)
    .map(({ nome, bytes }) => ({ nome, bytes: Buffer.from(bytes) }));
}

/** What a hostile document could do to its thread, without needing to find such a document. */
const FRAGILE_READER = `
  import { beginItem, endItem } from '${new URL('../../platform/threads/thread-work.ts', import.meta.url)}';
  const hostile = {
    exit: () => process.exit(3),
    oom: () => { for (const kept = []; ; ) kept.push(new Array(1e5).fill(String(Math.random()))); },
    loop: () => { for (let i = 0; ; i++); },
    pattern: () => /^(?:a+)+$/.test('a'.repeat(60) + 'b'),
    waiting: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500),
  };
  export default function read({ partes, marca }) {
    const pecas = partes.map(({ caminho }, at) => {
      beginItem(marca, at, 300);
      hostile[caminho]?.();
      return [{ caminho, especie: 'Outro', kind: 'ignorado', sha256: null, codigo: 'lido', mensagem: '' }];
    });
    endItem(marca);
    return { pecas, memoria: new Uint8Array(0), segundos: 0, lenta: false, excecoes: [] };
  }`;

describe('reader threads', () => {
  it('are one for each core, but for the one that what they have read is written on', () => {
    assert.deepEqual(
      [1, 2, 8].map((cores) => readersFor(cores)),
      [1, 1, 7],
    );
  });

  const folder = mkdtempSync(join(tmpdir(), 'malote-leitores-'));
  after(() => rmSync(folder, { recursive: true }));

  it('go on with the tasks that they were given while the one who hands them out is busy', async () => {
    const filename = join(folder, 'counting.mjs');
    writeFileSync(
      filename,
      'export default (done) => { Atomics.add(done, 0, 1); Atomics.notify(done, 0); };',
    );
    const done = new Int32Array(new SharedArrayBuffer(4));
    const pool = new Piscina({
      filename,
      minThreads: 1,
      maxThreads: 1,
      concurrentTasksPerWorker: TAREFAS_DO_LEITOR,
    });
    await pool.run(done);
    const tasks = [1, 2, 3].map(() => pool.run(done));
    // This thread does not turn meanwhile, as in a commit.
    for (let seen = 1; seen < 4; seen = Atomics.load(done, 0))
      if (Atomics.wait(done, 0, seen, 60_000) === 'timed-out') break;
    assert.equal(Atomics.load(done, 0), 4);
    await Promise.all(tasks);
    await endPool(pool);
  });

  it('tell a forged signature from its intact neighbours in the same batch', async () => {
    const documentos = notas(4);
    const [, forged] = documentos;
    assert.ok(forged);
    const xml = forged.bytes.toString('latin1');
    const at = xml.indexOf('<SignatureValue>') + '<SignatureValue>'.length + 20;
    forged.bytes = Buffer.from(alterado(xml, at), 'latin1');
    const leitores = openReaders({ readerThreads: 1, dataFolder: folder }, { log: QUIET, autoridades });
    const lido = await leitores.read(documentos.map(({ nome, bytes }) => ({ caminho: nome, bytes })));
    await leitores.close();
    const verdicts = lido.pecas.map(([peca]) => peca?.kind === 'registro' && peca.assinatura.resultado);
    assert.deepEqual(verdicts, ['integra', 'alterada', 'integra', 'integra']);
  });

  function fragileReaders() {
    const filename = join(folder, 'reader.mjs');
    writeFileSync(filename, FRAGILE_READER);
    const pool = new Piscina<TarefaDeLeitura, Leitura>({
      filename,
      maxThreads: 2,
      concurrentTasksPerWorker: TAREFAS_DO_LEITOR,
      // As the service's own. Ended the moment it is idle, a thread may exit after the pool, which then starts another.
      idleTimeout: LEITOR_OCIOSO_MS,
      resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 8 },
    });
    const watch = new WorkWatch(() => pool.threads);
    return new Leitores({
      run: (tarefa) => watch.during(tarefa.marca, pool.run(tarefa)),
      close: () => endPool(pool),
      threads: 2,
      log: QUIET,
      autoridades,
    });
  }

  for (const death of ['exit', 'oom', 'loop', 'pattern']) {
    it(`are replaced when one dies by ${death}, and only its document is rejected`, async () => {
      const leitores = fragileReaders();
      const [hit, other] = await Promise.all([
        leitores.read(['a', death, 'b'].map(entry)),
        leitores.read([entry('c')]),
      ]);
      assert.deepEqual(codes(hit.pecas), ['lido', 'documento_nao_processavel', 'lido']);
      assert.deepEqual(codes(other.pecas), ['lido']);
      await leitores.close();
    });
  }

  it('may wait for as long as they must: only work counts', async () => {
    const leitores = fragileReaders();
    const lido = await leitores.read(['a', 'waiting', 'b'].map(entry));
    assert.deepEqual(codes(lido.pecas), ['lido', 'lido', 'lido']);
    await leitores.close();
  });

  it('hand back what they have read after a while', async () => {
    const leitores = openReaders({ readerThreads: 1, dataFolder: folder }, { log: QUIET, autoridades });
    // Each takes some hundred milliseconds, more than the part of a batch that is read at a time.
    const slow = Buffer.from(`<r>${'<a b="1"/>'.repeat(100_000)}</r>`);
    const names = ['a', 'b', 'c'];
    const lido = await leitores.read(names.map((caminho) => ({ caminho: `${caminho}.xml`, bytes: slow })));
    await leitores.close();
    assert.deepEqual(
      codes(lido.pecas),
      names.map(() => 'documento_desconhecido'),
    );
  });
});

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

describe('entries of an upload', () => {
  const parts = ['a.xml', 'b.xml', 'c.xml'].map((nome) => ({ nome, bytes: Buffer.from(nome) }));

  it('are the files of a zip, known by content, or the one content of anything else', async () => {
    const zip = await zipDe(parts);
    const inZip = await all(entradasDe({ bytes: zip, prontas: 0 }));
    assert.deepEqual(
      inZip.map((entrada) => entrada.caminho),
      ['a.xml', 'b.xml', 'c.xml'],
    );
    const [alone, ...none] = await all(entradasDe({ bytes: Buffer.from('<NFe/>'), prontas: 0 }));
    assert.equal(alone?.caminho, '');
    assert.deepEqual(none, []);
  });

  it('begin behind those that are committed', async () => {
    const rest = await all(entradasDe({ bytes: await zipDe(parts), prontas: 2 }));
    assert.deepEqual(
      rest.map((entrada) => entrada.caminho),
      ['c.xml'],
    );
    assert.deepEqual(await all(entradasDe({ bytes: Buffer.from('<NFe/>'), prontas: 1 })), []);
  });

  it('refuse a single content above the limit of one document, unread', async () => {
    const within = await all(entradasDe({ bytes: Buffer.alloc(DOCUMENTO_MAX_BYTES, ' '), prontas: 0 }));
    assert.ok('bytes' in (within[0] ?? {}));
    const [above] = await all(entradasDe({ bytes: Buffer.alloc(DOCUMENTO_MAX_BYTES + 1, ' '), prontas: 0 }));
    assert.ok(above && 'codigo' in above && above.codigo === 'documento_grande_demais');
  });

  async function* many(sizes: readonly number[]): AsyncGenerator<EntradaParaLer> {
    for (const size of sizes) yield { caminho: 'x', bytes: new Uint8Array(size) };
  }

  it('weigh what they hold in memory, large ones with the copy that their reader gets', async () => {
    const weights = async (sizes: readonly number[]) =>
      (await all(emLotes(many(sizes)))).map(({ pesoBytes }) => pesoBytes);
    assert.deepEqual(await weights([]), [0]);
    assert.deepEqual(await weights([1, 2]), [2 * ENTRADA_PESO_BYTES + 3]);
    assert.deepEqual(await weights([5, LOTE_BYTES + 1, 7]), [
      2 * ENTRADA_PESO_BYTES + 5 + 2 * (LOTE_BYTES + 1),
      ENTRADA_PESO_BYTES + 7,
    ]);
  });

  it('are grouped by number and by size, and the last group is known', async () => {
    const shape = async (sizes: readonly number[]) =>
      (await all(emLotes(many(sizes)))).map((lote) => [lote.entradas.length, lote.ultimo]);
    assert.deepEqual(await shape([]), [[0, true]]);
    assert.deepEqual(await shape([1]), [[1, true]]);
    assert.deepEqual(await shape(Array(LOTE_ENTRADAS).fill(1)), [[LOTE_ENTRADAS, true]]);
    assert.deepEqual(await shape(Array(LOTE_ENTRADAS + 1).fill(1)), [
      [LOTE_ENTRADAS, false],
      [1, true],
    ]);
    assert.deepEqual(await shape([LOTE_BYTES, 1, 1]), [
      [1, false],
      [2, true],
    ]);
  });
});
