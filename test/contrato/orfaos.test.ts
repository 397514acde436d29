/** Stored files that no row names, on disk and in a bucket, on both engines: what is not proven to be elsewhere stays, or comes back. */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { findOrfaos } from '../../src/cli/conferir-arquivos.ts';
import { type DepsDosOrfaos, destinoDe, tendOrfao } from '../../src/cli/orfaos.ts';
import { blobDoEnvio } from '../../src/importacao/blob-do-envio.ts';
import { insertArquivo } from '../../src/importacao/queries.ts';
import type { BlobStore } from '../../src/platform/storage/blob-store.ts';
import { openDiskBlobStore } from '../../src/platform/storage/disk.ts';
import { openS3BlobStore } from '../../src/platform/storage/s3.ts';
import { S3Client } from '../../src/platform/storage/s3-client.ts';
import { type BancoAberto, openBanco } from '../support/bancos.ts';
import { semPostgres } from '../support/postgres/banco.ts';
import { type S3DeTeste, startS3 } from '../support/s3.ts';

const T0 = Date.UTC(2026, 5, 1);
const UM = { codigoCrm: '000001', criadoEm: T0 };
const OUTRO = { codigoCrm: '000002', criadoEm: T0 + 1 };
const XML = Buffer.from('<nfeProc/>');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

let base: string;
let s3: S3DeTeste;
let stores = 0;
before(async () => {
  base = await mkdtemp(join(tmpdir(), 'malote-orfaos-'));
  s3 = await startS3();
  Object.assign(process.env, s3.env);
});
after(async () => {
  await s3[Symbol.asyncDispose]();
  await rm(base, { recursive: true, force: true });
});

const MEDIA: Record<string, () => Promise<BlobStore>> = {
  disk: async () => openDiskBlobStore(await mkdtemp(join(base, 'disk-'))),
  S3: async () => {
    const settings = {
      bucket: s3.bucket,
      prefix: `orfaos-${process.pid}-${stores++}`,
      endpoint: s3.endpoint,
    };
    const spoolFolder = await mkdtemp(join(base, 'spool-'));
    return openS3BlobStore({ settings, spoolFolder, client: new S3Client(settings) });
  },
};
const motivo = await semPostgres();

for (const motor of ['sqlite', 'postgres'] as const) {
  for (const [medium, open] of Object.entries(MEDIA)) {
    describe(`a stored file that no row names (${motor}, ${medium})`, {
      skip: motor === 'postgres' && motivo ? motivo : false,
    }, () => {
      let banco: BancoAberto;
      let storage: BlobStore;
      let deps: DepsDosOrfaos;
      beforeEach(async () => {
        banco = await openBanco({ motor });
        storage = await open();
        // Two hours later: a young file may still be accepted.
        deps = { db: banco.db, storage, clock: { now: () => Date.now() + 7_200_000 } };
        for (const [n, { codigoCrm, criadoEm }] of [UM, OUTRO].entries()) {
          await banco.db.write
            .insertInto('contador')
            .values({ id: n + 1, codigo_crm: codigoCrm, nome: 'n', email: 'e', criado_em: criadoEm })
            .execute();
        }
      });
      afterEach(async () => {
        await storage.close();
        await banco.close();
      });

      const put = (key: string, bytes = XML) =>
        storage.put(key, Readable.from([bytes]), { maxBytes: 1_000_000 });
      async function stored(bytes = XML, id: string = randomUUID(), dono = UM): Promise<string> {
        const key = blobDoEnvio(id, dono);
        await put(key, bytes);
        return key;
      }
      const idOf = (key: string) => key.slice(0, 36);
      async function upload(row: {
        id?: string;
        status?: string;
        bytes?: Buffer | null;
        blob?: string | null;
        contadorId?: number;
      }): Promise<string> {
        const { id = randomUUID(), status = 'Uploaded', bytes = XML, blob = null, contadorId = 1 } = row;
        await insertArquivo(banco.db.write, {
          id,
          contador_id: contadorId,
          extensao: '.xml',
          tamanho_anunciado: 1,
          status,
          criado_em: T0,
          expira_em: T0 / 1000,
          kid: 'k',
          sha256: bytes && sha256(bytes),
          blob,
        });
        return id;
      }
      const row = (id: string) =>
        banco.db.read.selectFrom('arquivo').selectAll().where('id', '=', id).executeTakeFirst();
      async function orphans(): Promise<string[]> {
        const keys: string[] = [];
        for await (const key of findOrfaos(deps)) keys.push(key);
        return keys.sort();
      }
      /** What `malote verificar --reparar` does with all of them. */
      async function tend(): Promise<(string | undefined)[]> {
        const told: (string | undefined)[] = [];
        for (const key of await orphans()) {
          const orfao = await destinoDe(deps, key);
          told.push(orfao?.destino);
          if (orfao) await tendOrfao(deps, orfao);
        }
        return told;
      }

      it('becomes an upload of its office again under its own id, in line to be imported, and tells so', async () => {
        const key = await stored(XML, undefined, OUTRO);
        assert.deepEqual(await tend(), ['importar']);
        const again = await row(idOf(key));
        assert.deepEqual(
          [again?.contador_id, again?.status, again?.blob, again?.sha256, again?.extensao, again?.origem],
          [2, 'Em Processamento', key, sha256(XML), '.xml', 'sistema'],
        );
        assert.match(String(again?.nome), /recuperado/);
        const job = await banco.db.read.selectFrom('job').selectAll().executeTakeFirst();
        assert.deepEqual([job?.arquivo_id, job?.contador_id, job?.estado], [idOf(key), 2, 'pronto']);
        const audited = await banco.db.read.selectFrom('auditoria').selectAll().executeTakeFirst();
        assert.deepEqual(
          [audited?.acao, audited?.contador_id, audited?.alvo],
          ['importacao.arquivo_recuperado', 2, `arquivo/${idOf(key)}`],
        );
        assert.deepEqual(await orphans(), []);
        assert.ok((await storage.get(key)).equals(XML));
      });

      it('stays while the ticket that it was sent for may still take it', async () => {
        const key = await stored();
        await upload({ id: idOf(key), status: 'Aguardando Upload', bytes: null });
        assert.deepEqual(await tend(), [undefined]);
        assert.deepEqual(await orphans(), [key]);
      });

      it('becomes another upload where its own lapsed, or took other bytes: states only go forward', async () => {
        for (const [status, bytes] of [
          ['Expirado', null],
          ['Uploaded', Buffer.from('<other/>')],
        ] as const) {
          const key = await stored(Buffer.from(`<sent for="${status}"/>`));
          await upload({ id: idOf(key), status, bytes, contadorId: 1 });
          assert.deepEqual(await tend(), ['importar']);
          assert.equal((await row(idOf(key)))?.status, status);
          const [other] = await banco.db.read
            .selectFrom('arquivo')
            .selectAll()
            .where('origem', '=', 'sistema')
            .where('sha256', '=', sha256(await storage.get(key)))
            .execute();
          assert.ok(other?.blob && other.blob !== key);
          assert.deepEqual(await tend(), ['sobra'], 'now its bytes are elsewhere');
          assert.deepEqual(await orphans(), []);
          assert.ok((await storage.get(other.blob)).includes(status));
        }
      });

      it('goes where its upload, or another of its office, gives back the very bytes', async () => {
        const mine = await stored();
        const twice = blobDoEnvio(idOf(mine), UM);
        await upload({ id: idOf(mine), blob: mine });
        await put(twice);
        const other = await stored();
        assert.deepEqual(await tend(), ['sobra', 'sobra']);
        assert.deepEqual(await orphans(), []);
        assert.ok((await storage.get(mine)).equals(XML));
        await assert.rejects(storage.get(other), { code: 'ENOENT' });
      });

      it('does not go for what only another office has, or what has bytes no more that hold', async () => {
        const foreign = await stored(XML, undefined, OUTRO);
        await upload({ id: idOf(foreign), contadorId: 2, blob: foreign });
        const lost = randomUUID();
        await upload({ id: lost, blob: blobDoEnvio(lost, UM) });
        const key = await stored();
        assert.deepEqual(await tend(), ['importar']);
        assert.equal((await row(idOf(key)))?.contador_id, 1);
      });

      it('gives its upload back the bytes that it has lost', async () => {
        const id = randomUUID();
        const lost = blobDoEnvio(id, UM);
        await upload({ id, blob: lost });
        const key = await stored(XML, id);
        assert.deepEqual(await tend(), ['religar']);
        assert.equal((await row(id))?.blob, key);
        const rotten = await stored(Buffer.from('<rotten/>'), randomUUID());
        await upload({ id: idOf(rotten), blob: rotten, bytes: XML });
        const sound = await stored(XML, idOf(rotten));
        assert.equal((await destinoDe(deps, sound))?.destino, 'religar');
      });

      it('goes where its upload was let go with all that came in it', async () => {
        const key = await stored();
        await upload({ id: idOf(key), blob: null });
        assert.deepEqual(await tend(), ['sobra']);
        assert.deepEqual(await orphans(), []);
      });

      it('stays for ever where nobody knows whose it is, and the reason is told', async () => {
        const old = `${randomUUID()}-1a2b3c4d`;
        const strangers = await stored(XML, undefined, { codigoCrm: '000001', criadoEm: T0 + 5 });
        const pack = `${randomUUID()}-exclusao-0001`;
        const keys = [old, strangers, pack, 'abc-outra-coisa'];
        for (const key of [old, pack, 'abc-outra-coisa']) await put(key);
        for (let time = 0; time < 2; time++) {
          assert.deepEqual(await tend(), ['sem_dono', 'sem_dono', 'sem_dono', 'sem_dono']);
          assert.deepEqual(await orphans(), keys.toSorted());
        }
        assert.equal(await row(idOf(strangers)), undefined, 'another installation may have the same code');
      });

      it('is not touched while the database may lose what is to stand for it', async () => {
        const [key, named] = [await stored(), await stored()];
        await upload({ id: idOf(named), blob: named });
        deps = { ...deps, db: { ...banco.db, foldLog: () => false } };
        const orfao = await destinoDe(deps, key);
        assert.equal(orfao?.destino, 'sobra');
        assert.equal(orfao && (await tendOrfao(deps, orfao)), null);
        assert.deepEqual(await orphans(), [key]);
      });

      it('is no orphan where a row names it after all, and no proof of itself', async () => {
        const key = await stored();
        await upload({ blob: key });
        assert.equal(await destinoDe(deps, key), null);
      });

      it('is left as it was when its row cannot be written, and the next try does it', async () => {
        const key = await stored();
        const away = new Proxy(banco.db.write, {
          get(target, name) {
            if (name === 'transaction') throw new Error('power cut');
            return Reflect.get(target, name, target);
          },
        });
        const orfao = await destinoDe(deps, key);
        assert.ok(orfao);
        await assert.rejects(tendOrfao({ ...deps, db: { ...banco.db, write: away } }, orfao), /power cut/);
        assert.deepEqual(await orphans(), [key]);
        assert.deepEqual(await tend(), ['importar']);
      });
    });
  }
}
