import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Piscina } from 'piscina';
import { alterado } from '../../../test/support/alterado.ts';
import { gerarCenario } from '../../gerador/cenario.ts';
import { zipDe } from '../../gerador/zip.ts';
import { endPool } from '../../platform/threads/thread-start.ts';
import {
  DOCUMENTO_MAX_BYTES,
  ENTRADA_PESO_BYTES,
  LEITOR_OCIOSO_MS,
  LOTE_BYTES,
  LOTE_ENTRADAS,
  TAREFAS_DO_LEITOR,
} from '../limites.ts';
import { autoridadesDoProduto, empacotar } from '../standards/autoridades.ts';
import type { EntradaParaLer } from '../tipos.ts';
import { emLotes, entradasDe } from '../unpack/entradas.ts';
import { type Leitura, readContent, type TarefaDeLeitura } from './leitor.ts';
import { Leitores, leastBusy, openReaders, type RunTask, readersFor } from './leitores.ts';

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
  segundos: 0.5,
  excecoes: [],
});

function readers(run: RunTask, options: { threads?: number; prazoMs?: number } = {}) {
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
    const run: RunTask = async (tarefa, signal) => {
      hashes.push(...tarefa.partes.map(({ sha256 }) => sha256));
      await free.promise;
      return echo(tarefa, signal);
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

  it('reject the document that brings its thread down, and read its neighbours', async () => {
    const run: RunTask = async (tarefa, signal) => {
      if (tarefa.partes.some(({ caminho }) => caminho === 'veneno')) throw new Error('worker terminated');
      return echo(tarefa, signal);
    };
    const lido = await readers(run).read(['a', 'veneno', 'b'].map(entry));
    assert.deepEqual(codes(lido.pecas), ['lido', 'documento_nao_processavel', 'lido']);
    const [poison] = lido.pecas[1] ?? [];
    assert.ok(poison?.kind === 'rejeitado');
    assert.equal(poison.sha256, createHash('sha256').update('<veneno/>').digest('hex'));
  });

  it('cut off a document that keeps its reader too long', async () => {
    const run: RunTask = (tarefa, signal) => {
      if (tarefa.partes.every(({ caminho }) => caminho !== 'lento')) return echo(tarefa, signal);
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    };
    const lido = await readers(run, { prazoMs: 5 }).read(['a', 'lento'].map(entry));
    assert.deepEqual(codes(lido.pecas), ['lido', 'documento_nao_processavel']);
  });

  it('blame no document when no reader can be started at all', async () => {
    const run: RunTask = () => Promise.reject(new Error('cannot start a thread'));
    await assert.rejects(readers(run).read([entry('a')]), /cannot start a thread/);
  });

  it('run a few tasks at once for each thread, and no more', async () => {
    let now = 0;
    let most = 0;
    const run: RunTask = async (tarefa, signal) => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return echo(tarefa, signal);
    };
    const pool = readers(run, { threads: 3 });
    await Promise.all(Array.from({ length: 40 }, (_, index) => pool.read([entry(String(index))])));
    assert.equal(most, 3 * TAREFAS_DO_LEITOR);
  });

  it('try a document alone with nothing beside it: a slow neighbour is not its fault', async () => {
    let now = 0;
    const beside: number[] = [];
    let failed = false;
    const run: RunTask = async (tarefa, signal) => {
      now += 1;
      try {
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (tarefa.partes.length === 2 && !failed) {
          failed = true;
          throw new Error('worker terminated');
        }
        if (tarefa.partes.some(({ caminho }) => caminho === 'a' || caminho === 'b')) beside.push(now - 1);
        return await echo(tarefa, signal);
      } finally {
        now -= 1;
      }
    };
    const pool = readers(run);
    const others = Array.from({ length: 12 }, (_, index) => pool.read([entry(String(index))]));
    const lido = await pool.read(['a', 'b'].map(entry));
    await Promise.all(others);
    assert.deepEqual(codes(lido.pecas), ['lido', 'lido']);
    assert.deepEqual(beside, [0, 0]);
  });
});

/** Signed notes of one company, all with a signature of the same form. */
function notas(quantas: number): { nome: string; bytes: Buffer }[] {
  const { documentos } = gerarCenario({
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
  export default function read({ partes }) {
    const names = partes.map(({ caminho }) => caminho);
    if (names.includes('exit')) process.exit(3);
    if (names.includes('oom')) for (const kept = []; ; ) kept.push(new Array(1e5).fill(String(Math.random())));
    const peca = { especie: 'Outro', kind: 'ignorado', sha256: null, codigo: 'lido', mensagem: '' };
    const pecas = names.map((caminho) => [{ ...peca, caminho }]);
    return { pecas, segundos: 0, excecoes: [] };
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
      loadBalancer: leastBusy,
    });
    const { signal } = new AbortController();
    await pool.run(done, { signal });
    const tasks = [1, 2, 3].map(() => pool.run(done, { signal }));
    // This thread does not turn meanwhile, as in a commit.
    for (let seen = 1; seen < 4; seen = Atomics.load(done, 0))
      if (Atomics.wait(done, 0, seen, 2_000) === 'timed-out') break;
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

  for (const death of ['exit', 'oom']) {
    it(`are replaced when one dies by ${death}, and only its document is rejected`, async () => {
      const filename = join(folder, 'reader.mjs');
      writeFileSync(filename, FRAGILE_READER);
      const pool = new Piscina<TarefaDeLeitura, Leitura>({
        filename,
        maxThreads: 2,
        // As the service's own. Ended the moment it is idle, a thread may exit after the pool, which then starts another.
        idleTimeout: LEITOR_OCIOSO_MS,
        resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 8 },
      });
      const leitores = new Leitores({
        run: (tarefa, signal) => pool.run(tarefa, { signal }),
        close: () => endPool(pool),
        threads: 2,
        log: QUIET,
        autoridades,
      });
      const [hit, other] = await Promise.all([
        leitores.read(['a', death, 'b'].map(entry)),
        leitores.read([entry('c')]),
      ]);
      assert.deepEqual(codes(hit.pecas), ['lido', 'documento_nao_processavel', 'lido']);
      assert.deepEqual(codes(other.pecas), ['lido']);
      await leitores.close();
    });
  }
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
