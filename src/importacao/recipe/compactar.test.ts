import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, deflateRawSync } from 'node:zlib';
import { type BancoAberto, openBanco } from '../../../test/support/bancos.ts';
import { contandoLinhas } from '../../../test/support/consultas.ts';
import { checkEnvios } from '../../cli/conferir-arquivos.ts';
import { comprimir, prepareConteudo } from '../../documentos/bytes/conteudo.ts';
import {
  bytesDoEnvio,
  devolverBytes,
  refazerEnvio,
  refazerSePossivel,
} from '../../documentos/bytes/envios.ts';
import { deflacaoComo } from '../../documentos/bytes/receita.ts';
import { storeLotes } from '../../documentos/store/store.ts';
import type { PecaLida } from '../../documentos/tipos.ts';
import { generateCenario } from '../../gerador/cenario.ts';
import { DatabaseAwayError } from '../../platform/db/faults.ts';
import { onFailpoint } from '../../platform/failpoint.ts';
import {
  BlobNotFoundError,
  type BlobStore,
  BlobStoreUnavailableError,
} from '../../platform/storage/blob-store.ts';
import { openDiskBlobStore } from '../../platform/storage/disk.ts';
import { bytesDoArquivo, reimportar } from '../again/reimportar.ts';
import { insertArquivo, insertItens } from '../queries.ts';
import { readContent } from '../reading/leitor.ts';
import { judged } from '../reading/pecas.ts';
import { entradasDe } from '../unpack/entradas.ts';
import { forgeZip } from '../unpack/unpack-testing.ts';
import { compactOne } from './compactar.ts';

const T0 = Date.UTC(2026, 5, 1);
const NO_SCHEMA = {
  validar: () => ({ resultado: 'nao_verificado' as const, esquema: null, motivo: null }),
};
const cenario = generateCenario({
  semente: 'compactar',
  clientes: 1,
  documentos: 12,
  inicio: '2026-03-01',
  meses: 1,
});
const documentos = [...cenario.documentos].map(({ bytes }) => Buffer.from(bytes));
const [um = Buffer.alloc(0), outro = Buffer.alloc(0)] = documentos;
const nota = (index: number) => documentos[index] ?? Buffer.alloc(0);

let folder: string;
let banco: BancoAberto;
let storage: BlobStore;
let envios = 0;
let agora = T0;
beforeEach(async () => {
  agora = T0;
  sossego = true;
  atendendo = false;
  desistidos = [];
  folder = mkdtempSync(join(tmpdir(), 'malote-compactar-'));
  storage = await openDiskBlobStore(folder);
  banco = await openBanco();
  await banco.db.write
    .insertInto('contador')
    .values({ codigo_crm: '000001', nome: 'n', email: 'e', criado_em: T0 })
    .execute();
});
afterEach(async () => {
  await banco.close();
  rmSync(folder, { recursive: true, force: true });
});

let sossego = true;
let atendendo = false;
let desistidos: string[] = [];
const deps = () => ({
  db: banco.db,
  storage,
  clock: { now: () => agora },
  isAtRest: () => Promise.resolve(sossego),
  atendendo: () => atendendo,
  desistiu: (id: string) => void desistidos.push(id),
});
const files = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
const arquivo = (id: string) =>
  banco.db.read.selectFrom('arquivo').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Keeps an upload and imports it. @returns its id */
async function importar(bytes: Buffer): Promise<string> {
  const id = `00000000-0000-4000-8000-${String(++envios).padStart(12, '0')}`;
  const blob = `${id}-00000000`;
  const stored = await storage.put(blob, Readable.from([bytes]), { maxBytes: 30_000_000 });
  const pecas: PecaLida[] = [];
  for await (const entrada of entradasDe({ bytes, prontas: 0 })) {
    if ('bytes' in entrada) pecas.push(...readContent(entrada, { validador: NO_SCHEMA }));
    else pecas.push(judged(entrada));
  }
  await banco.db.write.transaction().execute(async (trx) => {
    const arquivoNumero = await insertArquivo(trx, {
      id,
      contador_id: 1,
      extensao: '.zip',
      tamanho_anunciado: bytes.length,
      tamanho: stored.sizeBytes,
      status: 'Uploaded',
      criado_em: T0,
      expira_em: T0 / 1000,
      fim_em: T0,
      kid: 'k',
      sha256: stored.sha256,
      blob,
    });
    const lotes = [{ arquivoNumero, contadorId: 1, pecas }];
    const [gravadas = []] = await storeLotes(trx, { lotes, agora: T0, homologacao: false });
    await insertItens(trx, { arquivoNumero, primeiraOrdem: 1, pecas: gravadas });
  });
  agora = T0 + 3_600_000;
  return id;
}

const compactar = () => compactOne(deps(), () => true);

/** Rows can be read, contents cannot. */
function sumindoNaReceita(): BancoAberto['db']['read'] {
  return new Proxy(banco.db.read, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (name !== 'selectFrom') return typeof value === 'function' ? value.bind(target) : value;
      return (table: string) => {
        if (table.startsWith('receita')) throw new DatabaseAwayError(new Error('the connection broke'));
        return value.call(target, table);
      };
    },
  });
}

/** The readers' door to the database, which can be away. */
function quePodeSumir(away: () => boolean): BancoAberto['db']['read'] {
  return new Proxy(banco.db.read, {
    get(target, name) {
      if (away()) throw new DatabaseAwayError(new Error('the connection broke'));
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const deflated = (body: Buffer, level: number, memLevel = 8) => ({
  name: `nota-${level}.xml`,
  body,
  data: deflateRawSync(body, { level, memLevel }),
});

/** A note under the key of another one, with a content of its own. */
function contraditoria(original: Buffer, n: number): Buffer {
  const digest = createHash('sha1').update(String(n)).digest('base64');
  return Buffer.from(
    original
      .toString()
      .replace(/<DigestValue>[^<]*/, `<DigestValue>${digest}`)
      .replace(/<vNF>[^<]*/, `<vNF>${n}.00`),
  );
}

describe('the bytes of an upload that is done', () => {
  const cases: [name: string, bytes: () => Buffer][] = [
    ['a zip as most are', () => forgeZip(documentos.map((body, i) => ({ name: `${i}.xml`, body })))],
    [
      'a zip of several writers',
      () => forgeZip([deflated(um, 1), deflated(outro, 9), deflated(nota(2), 4), deflated(nota(3), 6, 9)]),
    ],
    [
      'a zip made with zlib, as Java, PHP and Python do',
      () =>
        forgeZip(
          documentos.map((body, at) => ({
            name: `${at}.xml`,
            body,
            data: deflacaoComo(body, { motor: 'zlib', level: 6, memLevel: 8 }),
          })),
        ),
    ],
    [
      'a zip with an entry that is not deflated',
      () => forgeZip([{ name: 'a.xml', body: um, data: um, method: 0 }]),
    ],
    [
      'a zip in a zip',
      () =>
        forgeZip([
          {
            name: 'i.zip',
            body: forgeZip([
              { name: 'a.xml', body: um },
              { name: 'b.xml', body: outro },
            ]),
          },
        ]),
    ],
    [
      'a zip with other things in it',
      () =>
        forgeZip([
          { name: '__MACOSX/._a', body: 'x' },
          { name: 'a.xml', body: um },
          { name: 'leia-me.txt', body: 'isto não é documento' },
          { name: 'b.xml', body: outro },
        ]),
    ],
    ['a document alone', () => um],
  ];
  for (const [name, make] of cases) {
    test(`are replaced by a recipe, and come back as they were: ${name}`, async () => {
      const bytes = make();
      const id = await importar(bytes);
      assert.equal(await compactar(), true);
      const row = await arquivo(id);
      assert.deepEqual([row.blob, row.receita, files().length], [null, 1, 0]);
      const back = await bytesDoEnvio({ db: banco.db.read, storage }, row);
      assert.ok(back?.equals(bytes));
      assert.equal(await compactar(), false);
    });
  }

  test('are found by who looked where they were just before, and gone where the upload is gone', async () => {
    const id = await importar(um);
    const before = await arquivo(id);
    await compactar();
    const read = () => bytesDoEnvio({ db: banco.db.read, storage }, before);
    assert.ok((await read())?.equals(um));
    await devolverBytes(deps(), id);
    assert.ok((await read())?.equals(um));
    const blob = (await arquivo(id)).blob ?? '';
    await storage.delete(blob);
    await assert.rejects(read(), BlobNotFoundError);
  });

  test('stay beside their recipe until the database has it where a damaged log cannot take it back', async () => {
    let folded = false;
    const db = { ...banco.db, foldLog: () => folded };
    const soltos: string[] = [];
    await importar(um);
    assert.equal(await compactOne({ ...deps(), db }, () => true, soltos), true);
    assert.deepEqual([files().length, soltos.length], [1, 1]);
    await importar(outro);
    folded = true;
    assert.equal(await compactOne({ ...deps(), db }, () => true, soltos), true);
    assert.deepEqual([files().length, soltos.length], [0, 0]);
  });

  test('stay where nothing would be saved', async () => {
    // A writer whose deflate is none of those that are known.
    const data = deflateRawSync(um, { strategy: constants.Z_FIXED });
    const bytes = forgeZip([{ name: 'a.xml', body: um, data }]);
    const id = await importar(bytes);
    assert.equal(await compactar(), true);
    const row = await arquivo(id);
    assert.deepEqual([row.blob !== null, row.receita, files().length], [true, 2, 1]);
  });

  test('stay where most of them are no document', async () => {
    const pdf = Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(200_000)]);
    const id = await importar(
      forgeZip([
        { name: 'a.xml', body: um },
        { name: 'danfe.pdf', body: pdf },
      ]),
    );
    assert.equal(await compactar(), true);
    const row = await arquivo(id);
    assert.deepEqual([row.blob !== null, row.receita, files().length], [true, 2, 1]);
  });

  test('stay while the upload is young, and while there is other work', async () => {
    const id = await importar(um);
    agora = T0 + 1_000;
    assert.equal(await compactar(), false);
    agora = T0 + 3_600_000;
    assert.equal(await compactOne(deps(), () => false), false);
    assert.equal((await arquivo(id)).receita, 0);
  });

  const held = {
    'the process is not at rest': () => (sossego = false),
    'pages are read all the time': () => (atendendo = true),
  };
  for (const [why, hold] of Object.entries(held))
    test(`stay while ${why}, for ten minutes at most`, async () => {
      const id = await importar(um);
      hold();
      agora = T0 + 5 * 60_000;
      assert.equal(await compactar(), false);
      assert.equal((await arquivo(id)).receita, 0);
      agora = T0 + 11 * 60_000;
      assert.equal(await compactar(), true);
      assert.equal((await arquivo(id)).receita, 1);
    });

  test('are tried again when other work came, even if it was gone at once', async () => {
    const entries = [
      { name: 'a.xml', body: um },
      { name: 'b.xml', body: outro },
    ];
    const id = await importar(forgeZip(entries));
    agora = T0 + 60_000;
    for (let came = 1; came <= 6; came++) {
      let asked = 0;
      await compactOne(deps(), () => ++asked !== came);
      assert.notEqual((await arquivo(id)).receita, 2, `came at look ${came}`);
    }
    await compactar();
    assert.equal((await arquivo(id)).receita, 1);
  });

  test('stay when a document in it is damaged: it is what that can be repaired from', async () => {
    const id = await importar(
      forgeZip([
        { name: 'a.xml', body: um },
        { name: 'b.xml', body: outro },
      ]),
    );
    const { bytes } = comprimir(prepareConteudo(Buffer.from('<outro/>'), 'utf-8'));
    await banco.db.write
      .updateTable('conteudo')
      .set({ bytes, formato: 3 })
      .where('versao_id', '=', 1)
      .execute();
    assert.equal(await compactar(), true);
    assert.equal((await arquivo(id)).receita, 2);
  });

  test('are tried again when it was the database that went away meanwhile', async () => {
    const id = await importar(forgeZip([{ name: 'a.xml', body: um }]));
    let away = false;
    const read = quePodeSumir(() => away);
    // Asked for the first time once it is known which documents there are.
    const semTrabalho = () => {
      away = true;
      return true;
    };
    const broken = { ...deps(), db: { ...banco.db, write: banco.db.write, read } };
    await assert.rejects(compactOne(broken, semTrabalho), DatabaseAwayError);
    assert.equal(await compactar(), true);
    assert.equal((await arquivo(id)).receita, 1);
  });

  test('are not called gone or damaged by who asks for them while the store or the database is away', async () => {
    const bytes = forgeZip([{ name: 'a.xml', body: um }]);
    const id = await importar(bytes);
    const gone = new BlobStoreUnavailableError('the bucket');
    const semLoja = { ...deps(), storage: { ...storage, get: () => Promise.reject(gone) } as never };
    await assert.rejects(bytesDoArquivo(semLoja, await arquivo(id)), BlobStoreUnavailableError);
    const pedido = { contadorId: 1, usuarioId: 1, alcance: null, id };
    await assert.rejects(reimportar(semLoja, pedido), BlobStoreUnavailableError);
    await compactar();
    let away = false;
    const db = { ...banco.db, write: banco.db.write, read: quePodeSumir(() => away) };
    const row = await arquivo(id);
    assert.ok((await bytesDoArquivo({ ...deps(), db }, row))?.equals(bytes));
    const conferidos = checkEnvios({ ...deps(), config: { dataFolder: folder }, db });
    away = true;
    await assert.rejects(bytesDoArquivo({ ...deps(), db }, row), DatabaseAwayError);
    await assert.rejects(refazerSePossivel(db.read, id), DatabaseAwayError);
    away = false;
    const conferir = checkEnvios({
      ...deps(),
      config: { dataFolder: folder },
      db: { ...db, read: sumindoNaReceita() },
    });
    await assert.rejects(conferir.next(), DatabaseAwayError);
    assert.deepEqual((await conferidos.next()).value, { conferidos: 1, faltas: [] });
  });

  test('stay when they are damaged: a recipe of them would hide it', async () => {
    const bytes = forgeZip([{ name: 'a.xml', body: um }]);
    const id = await importar(bytes);
    const [path = ''] = files();
    const damaged = Buffer.from(bytes);
    // The time in the entry's header, which no reader looks at.
    damaged[10] = (damaged[10] ?? 0) ^ 1;
    writeFileSync(path, damaged);
    assert.equal(await compactar(), true);
    const row = await arquivo(id);
    assert.deepEqual([row.blob !== null, row.receita], [true, 2]);
    assert.ok(readFileSync(path).equals(damaged));
  });

  test('are there once, with whatever the process dies', async () => {
    const bytes = forgeZip([{ name: 'a.xml', body: um }]);
    const id = await importar(bytes);
    const dying = {
      ...deps(),
      storage: {
        ...storage,
        get: storage.get.bind(storage),
        delete: () => Promise.reject(new Error('died')),
      },
    };
    await assert.rejects(
      compactOne(dying as never, () => true),
      /died/,
    );
    // The file is an orphan now, which `verificar` tells; the upload is whole.
    assert.equal(files().length, 1);
    assert.ok((await refazerEnvio(banco.db.read, id))?.equals(bytes));
  });

  test('come back in place of the recipe, before documents that it needs are deleted', async () => {
    const bytes = forgeZip([{ name: 'a.xml', body: um }]);
    const id = await importar(bytes);
    await compactar();
    await devolverBytes(deps(), id);
    const row = await arquivo(id);
    assert.equal(row.receita, 2);
    assert.ok((await storage.get(row.blob ?? '')).equals(bytes));
    assert.equal(await refazerEnvio(banco.db.read, id), null);
    await devolverBytes(deps(), id);
    assert.equal(files().length, 1);
  });

  test('come back to one place, however often the process dies before the row says so', async () => {
    const id = await importar(um);
    await compactar();
    const dying = { read: banco.db.read, write: { transaction: () => assert.fail('died') } };
    for (let death = 0; death < 2; death++)
      await assert.rejects(devolverBytes({ ...deps(), db: dying as never }, id), /died/);
    await devolverBytes(deps(), id);
    assert.equal(files().length, 1);
    assert.ok((await storage.get((await arquivo(id)).blob ?? '')).equals(um));
  });

  test('are not replaced while documents of the office are being deleted', async () => {
    const id = await importar(um);
    await banco.db.write
      .insertInto('exclusao')
      .values({
        id: 'e',
        contador_id: 1,
        estado: 'confirmada',
        cortes: '{}',
        criada_em: T0,
        criada_por: 'u',
        expira_em: T0,
      } as never)
      .execute();
    assert.equal(await compactar(), false);
    assert.equal((await arquivo(id)).receita, 0);
    assert.equal(files().length, 1);
  });

  test('are not replaced by a recipe of documents that were deleted since it was made', async () => {
    const id = await importar(um);
    let transactions = 0;
    const transaction = () => ({
      execute: async (work: (trx: never) => Promise<unknown>) => {
        // The first notes that it is begun, the second one puts the recipe.
        if (++transactions === 2) await banco.db.write.deleteFrom('conteudo').execute();
        return banco.db.write.transaction().execute(work as never);
      },
    });
    const db = { read: banco.db.read, write: { transaction } };
    assert.equal(await compactOne({ ...deps(), db: db as never }, () => true), false);
    assert.equal((await arquivo(id)).receita, 0);
    assert.equal(files().length, 1);
  });

  test('that a recipe does not give again are refused, not given altered', async () => {
    const id = await importar(um);
    await compactar();
    const { bytes } = comprimir(prepareConteudo(Buffer.from('<outro/>'), 'utf-8'));
    await banco.db.write
      .updateTable('conteudo')
      .set({ bytes, formato: 3 })
      .where('versao_id', '=', 1)
      .execute();
    await assert.rejects(refazerEnvio(banco.db.read, id), /cannot be made again/);
  });

  test('cost as many rows as there are items, though all of them contradict each other', async () => {
    const rowsOf = async (copias: number) => {
      const entries = Array.from({ length: copias }, (_, n) => ({
        name: `${n}.xml`,
        body: contraditoria(um, envios * 1_000 + n),
      }));
      await importar(forgeZip(entries));
      const { db: read, linhas } = contandoLinhas(banco.db.read);
      assert.equal(await compactOne({ ...deps(), db: { ...banco.db, read } }, () => true), true);
      return linhas();
    };
    const dezenas = await rowsOf(30);
    const centenas = await rowsOf(300);
    assert.ok(centenas < 12 * dezenas && centenas < 3_000, `${dezenas} rows of 30, ${centenas} of 300`);
  });

  describe('whose recipe is begun and never ended', () => {
    afterEach(() => onFailpoint(null));
    const RETOMAR_MS = 10 * 60_000;
    const tentativas = async (id: string) => (await arquivo(id)).receita_tentativas;

    test('stay as they came after the second time, and so does nothing of what comes behind them', async () => {
      const id = await importar(um);
      const outra = await importar(outro);
      const falha = new Error('the thread went down');
      onFailpoint(() => {
        throw falha;
      });
      for (const vez of [1, 2]) {
        await assert.rejects(
          compactOne(deps(), () => true),
          falha,
        );
        assert.equal(await tentativas(id), vez);
        agora += RETOMAR_MS + 1;
      }
      onFailpoint(null);
      assert.equal(await compactar(), true);
      assert.deepEqual(desistidos, [id]);
      const row = await arquivo(id);
      assert.deepEqual([row.blob !== null, row.receita], [true, 2]);
      assert.equal(await compactar(), true);
      assert.equal((await arquivo(outra)).receita, 1);
      assert.equal(await compactar(), false);
    });

    test('are passed over while another process may still be at it', async () => {
      const id = await importar(um);
      const outra = await importar(outro);
      const elsewhere = compactOne(
        { ...deps(), storage: { ...storage, get: () => new Promise(() => {}) } as never },
        () => true,
      );
      void elsewhere;
      while ((await tentativas(id)) === 0) await nextTurn();
      assert.equal(await compactar(), true);
      assert.deepEqual([(await arquivo(id)).receita, (await arquivo(outra)).receita], [0, 1]);
      assert.equal(await compactar(), false);
      agora += RETOMAR_MS + 1;
      assert.equal(await compactar(), true);
      assert.equal((await arquivo(id)).receita, 1);
    });

    test('are not told to have been begun once other work has come', async () => {
      const id = await importar(um);
      let asked = 0;
      assert.equal(await compactOne(deps(), () => ++asked === 1), false);
      assert.equal(await tentativas(id), 0);
      assert.equal(await compactar(), true);
    });
  });
});
