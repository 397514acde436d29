/** R21: a backup while uploads go on, put back elsewhere; an outside checker compares (I2–I5). And what is refused. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { checkCopia } from '../../src/copia/conferir.ts';
import { ErroDeCopia } from '../../src/copia/erros.ts';
import { fetchJson, imported, type Malote, startMalote, upload } from '../support/malote.ts';
import { checkFeed, lerFeed } from '../support/observador.ts';
import { type BancoDePostgres, createBanco, semPostgres } from '../support/postgres/banco.ts';
import { ambiente, BIN, runJson } from '../support/programa.ts';
import { generateRemessa, type Remessa } from '../support/remessa.ts';
import { type S3DeTeste, startS3 } from '../support/s3.ts';

let base: string;
let s3: S3DeTeste;
let remessa: Remessa;
const bancos: BancoDePostgres[] = [];
const run = runJson;
before(async () => {
  base = mkdtempSync(join(tmpdir(), 'malote-copia-'));
  s3 = await startS3();
  remessa = await generateRemessa({ semente: 'copia', clientes: 3, documentos: 90, porArquivo: 8 });
});
after(async () => {
  await s3[Symbol.asyncDispose]();
  for (const banco of bancos) await banco.drop();
  rmSync(base, { recursive: true, force: true });
});

const semBanco = await semPostgres();
const bucket = (nome: string) => ({ ...s3.env, MALOTE_ARQUIVOS: `s3://${s3.bucket}/${nome}-${process.pid}` });
const sqlite = async () => ({ DATABASE_URL: '' });
const postgres = async () => {
  const banco = await createBanco({ vazio: true });
  bancos.push(banco);
  return { DATABASE_URL: banco.url };
};
/** By the command line, since the engine is the installation's and not that of the run. */
async function openEscritorio(env: Record<string, string>): Promise<{ token: string; codigoCrm: string }> {
  const conta = ['--crm', '7', '--nome', 'Escritório', '--email', 'a@b.c'];
  const { value } = await run(env, 'conta', 'criar', ...conta);
  for (const cpfCnpj of remessa.clientes) {
    const cliente = ['--crm', '7', '--cpf-cnpj', cpfCnpj, '--nome', 'Cliente', '--email', 'c@d.e'];
    assert.equal((await run(env, 'cliente', 'criar', ...cliente)).code, 0);
  }
  return { token: value.token, codigoCrm: '000007' };
}
/** Settings of an installation, by its name. */
type Meio = (nome: string) => Promise<Record<string, string>>;
/** Where the backup comes from, and where it goes. */
const MEIOS: Record<string, [de: Meio, para: Meio]> = {
  'SQLite and disk': [sqlite, sqlite],
  'PostgreSQL and disk': [postgres, postgres],
  'PostgreSQL and a bucket, put back into SQLite and disk': [
    async (nome) => ({ ...(await postgres()), ...bucket(nome) }),
    sqlite,
  ],
  'SQLite and disk, put back into PostgreSQL and a bucket': [
    sqlite,
    async (nome) => ({ ...(await postgres()), ...bucket(nome) }),
  ],
};

for (const [meio, [meioDe, meioPara]] of Object.entries(MEIOS)) {
  const skip = meio.includes('PostgreSQL') && semBanco !== null ? semBanco : false;
  describe(`a backup of ${meio}`, { skip }, () => {
    let root: string;
    const at = async (nome: string, meioOf: Meio) => ({
      MALOTE_DATA: join(root, nome),
      ...(await meioOf(`m${Object.keys(MEIOS).indexOf(meio)}-${nome}`)),
    });
    before(() => {
      root = mkdtempSync(join(base, 'm-'));
    });

    for (const forma of meio === 'SQLite and disk' ? ['pasta'] : ['arquivo.tar']) {
      it(`made while uploads go on is put back elsewhere whole (${forma})`, async () => {
        const de = await at(`de-${forma}`, meioDe);
        const para = await at(`para-${forma}`, meioPara);
        const copia = join(root, `copia-${forma}`);
        const { token, codigoCrm } = await openEscritorio(de);
        const malote = await startMalote({
          dataFolder: de.MALOTE_DATA,
          env: { ...de, MALOTE_LIMITE_MINUTO: '0' },
        });
        const enviados: string[] = [];
        const half = Math.floor(remessa.arquivos.length / 2);
        const send = async (server: Malote, from: number, to: number) => {
          for (const arquivo of remessa.arquivos.slice(from, to)) {
            enviados.push(await upload(server, { token, ...arquivo }));
          }
        };
        try {
          await send(malote, 0, 6);
          for (const id of enviados) await imported(malote, { token, id });
          const feeds = remessa.clientes.map((cpfCnpj) => ({ codigoCrm, token, cpfCnpj }));
          const known = await Promise.all(feeds.map((feed) => lerFeed(malote, feed)));
          await send(malote, 6, half);
          const acked = enviados.length;
          const [made] = await Promise.all([
            run(de, 'backup', '--para', copia),
            send(malote, half, remessa.arquivos.length),
          ]);
          assert.equal(made.code, 0, JSON.stringify(made.value));
          assert.deepEqual(made.value.faltas, []);
          assert.ok(made.value.arquivos >= acked, 'what was acknowledged before is in');
          await malote.kill();

          mkdirSync(para.MALOTE_DATA, { recursive: true });
          copyFileSync(join(de.MALOTE_DATA, 'chave-mestra'), join(para.MALOTE_DATA, 'chave-mestra'));
          const back = await run(para, 'restaurar', '--de', copia);
          assert.equal(back.code, 0, JSON.stringify(back.value));
          assert.deepEqual(back.value.verificacao.achados, []);
          assert.equal(back.value.chave, 'presente');

          const outro = await startMalote({
            dataFolder: para.MALOTE_DATA,
            env: { ...para, MALOTE_LIMITE_MINUTO: '0' },
          });
          try {
            for (const id of enviados.slice(0, acked)) {
              assert.equal(
                (await imported(outro, { token, id })).status,
                'Uploaded',
                'an acknowledged file ends well',
              );
            }
            for (const [i, feed] of feeds.entries()) {
              const seen = await lerFeed(outro, feed);
              assert.deepEqual(seen.slice(0, known[i]?.length), known[i], 'no NSU has moved');
            }
            // What was sent after the moment of the backup is sent again, as any client does that was not answered.
            const again: string[] = [];
            for (const arquivo of remessa.arquivos) again.push(await upload(outro, { token, ...arquivo }));
            for (const id of again) await imported(outro, { token, id });
            for (const feed of feeds) {
              const esperadas = remessa.esperadas.get(feed.cpfCnpj) ?? new Map();
              await checkFeed(outro, { feed, vistas: await lerFeed(outro, feed), esperadas });
            }
          } finally {
            await outro.stop();
          }
          const check = await run(para, 'verificar');
          assert.equal(check.code, 0, JSON.stringify(check.value));
        } finally {
          await malote.kill();
        }
      });
    }
  });
}

describe('backup and restore', () => {
  let env: Record<string, string>;
  let copia: string;
  let n = 0;
  const fresh = () => ({ MALOTE_DATA: join(base, `r-${n++}`) });
  const failed = async (target: Record<string, string>, ...args: string[]) => {
    const { code, value } = await run(target, ...args);
    assert.equal(code, 1, JSON.stringify(value));
    return value.erro.codigo as string;
  };
  before(async () => {
    env = fresh();
    copia = join(base, 'boa');
    await run(env, 'conta', 'criar', '--crm', '1', '--nome', 'Escritório', '--email', 'a@b.c');
    await run(env, 'semear', '--crm', '1', '--documentos', '40', '--clientes', '2');
    const { code } = await run(env, 'backup', '--para', copia, '--com-chave');
    assert.equal(code, 0);
  });

  it('the copy can be looked at with common tools', () => {
    execFileSync('sha256sum', ['-c', '--quiet', 'somas/00001.sha256'], { cwd: copia });
    const manifesto = JSON.parse(readFileSync(join(copia, 'manifesto.json'), 'utf8'));
    assert.equal(manifesto.formato, 'malote-copia');
    assert.deepEqual(readdirSync(join(copia, 'banco')).includes('documento'), true);
  });

  it('the one file is a tar that others read', async () => {
    const tar = join(base, 'boa.tar');
    await run(env, 'backup', '--para', tar);
    const names = execFileSync('tar', ['tf', tar], { encoding: 'utf8' }).trim().split('\n');
    assert.equal(names.at(-1), 'manifesto.json');
    assert.ok(names.includes('banco/documento/00001.jsonl.zst'));
    assert.ok(!names.includes('chave-mestra'));
  });

  it('without being asked for, the master key is in no byte of it', async () => {
    const sem = join(base, 'sem-chave.tar');
    await run(env, 'backup', '--para', sem);
    const key = readFileSync(join(env.MALOTE_DATA ?? '', 'chave-mestra'), 'utf8').trim();
    assert.equal(readFileSync(sem).includes(key), false);
    assert.equal(readFileSync(sem).includes(Buffer.from(key, 'base64')), false);
    assert.equal(await failed(fresh(), 'restaurar', '--de', sem), 'chave_mestra_ausente');
    const target = fresh();
    const { code, value } = await run(target, 'restaurar', '--de', sem, '--sem-chave');
    assert.deepEqual([code, value.chave], [0, 'ausente']);
    const malote = await startMalote({ dataFolder: target.MALOTE_DATA, env: { DATABASE_URL: '' } });
    assert.equal((await fetchJson(`${malote.url}/readyz`)).status, 200, 'what nothing opens is forgotten');
    await malote.stop();
  });

  it('is not made without the key that opens what is in it, and no other key is made', async () => {
    const target = fresh();
    await run(target, 'restaurar', '--de', copia);
    await (await startMalote({ dataFolder: target.MALOTE_DATA, env: { DATABASE_URL: '' } })).stop();
    const file = join(target.MALOTE_DATA, 'chave-mestra');
    rmSync(file);
    assert.equal(
      await failed(target, 'backup', '--para', join(base, 'nenhuma.tar')),
      'configuracao_invalida',
    );
    assert.equal(existsSync(file), false);
    await assert.rejects(startMalote({ dataFolder: target.MALOTE_DATA, env: { DATABASE_URL: '' } }));
    assert.equal(existsSync(file), false);
    assert.equal((await run(target, 'chave-mestra', 'perdida', '--confirmar')).code, 0);
    const malote = await startMalote({ dataFolder: target.MALOTE_DATA, env: { DATABASE_URL: '' } });
    await malote.stop();
    assert.ok(existsSync(file));
  });

  it('is not made of an installation that is not there', async () => {
    const target = fresh();
    for (const command of [
      ['backup', '--para', join(base, 'vazia.tar')],
      ['verificar'],
      ['verificar', '--reparar'],
      ['token', 'gerar', '--crm', '1'],
      ['cliente', 'listar', '--crm', '1'],
      ['usuario', 'redefinir', '--crm', '1', '--email', 'a@b.co'],
      ['oauth', 'listar'],
      ['semear', '--crm', '1', '--documentos', '1', '--clientes', '1'],
    ])
      assert.equal(await failed(target, ...command), 'instalacao_nao_encontrada', command.join(' '));
    assert.equal(existsSync(join(target.MALOTE_DATA, 'malote.sqlite')), false);
  });

  it('the time of the last good one is known to the database', async () => {
    const { value } = await run(env, 'auditoria', 'listar');
    assert.match(JSON.stringify(value), /copia\.feita/);
  });

  it('brings key, tokens and audit log back, and a server starts on it', async () => {
    const target = fresh();
    const { code, value } = await run(target, 'restaurar', '--de', copia);
    assert.deepEqual([code, value.chave], [0, 'da_copia']);
    assert.equal(
      readFileSync(join(target.MALOTE_DATA, 'chave-mestra'), 'utf8'),
      readFileSync(join(env.MALOTE_DATA ?? '', 'chave-mestra'), 'utf8'),
    );
    assert.equal((await run(target, 'auditoria', 'verificar')).code, 0);
    const malote = await startMalote({ dataFolder: target.MALOTE_DATA, env: { DATABASE_URL: '' } });
    assert.equal((await fetchJson(`${malote.url}/readyz`)).status, 200);
    await malote.stop();
  });

  it('never puts a copy on top of data, nor under a running server, unless told so', async () => {
    const target = fresh();
    await run(target, 'conta', 'criar', '--crm', '2', '--nome', 'Outro', '--email', 'a@b.c');
    rmSync(join(target.MALOTE_DATA, 'chave-mestra'), { force: true });
    assert.equal(await failed(target, 'restaurar', '--de', copia), 'destino_com_dados');
    const malote = await startMalote({ dataFolder: target.MALOTE_DATA, env: { DATABASE_URL: '' } });
    rmSync(join(target.MALOTE_DATA, 'chave-mestra'), { force: true });
    assert.equal(await failed(target, 'restaurar', '--de', copia, '--substituir'), 'destino_em_uso');
    await malote.stop();
    const { code, value } = await run(target, 'restaurar', '--de', copia, '--substituir');
    assert.equal(code, 0, JSON.stringify(value));
    assert.ok(existsSync(value.anterior), 'the former database is kept');
  });

  it('reads no log of another database whose file was taken away', async () => {
    const target = fresh();
    const malote = await startMalote({ dataFolder: target.MALOTE_DATA, env: { DATABASE_URL: '' } });
    await run(target, 'conta', 'criar', '--crm', '2', '--nome', 'Outro', '--email', 'a@b.c');
    await malote.kill();
    const path = join(target.MALOTE_DATA, 'malote.sqlite');
    assert.ok(existsSync(`${path}-wal`), 'a killed server leaves its log');
    renameSync(path, `${path}.ruim`);
    rmSync(join(target.MALOTE_DATA, 'chave-mestra'));
    const { code, value } = await run(target, 'restaurar', '--de', copia);
    assert.deepEqual([code, value.anterior, value.verificacao?.achados], [0, null, []]);
    const db = new DatabaseSync(path, { readOnly: true });
    assert.deepEqual(
      db
        .prepare('select codigo_crm from contador')
        .all()
        .map(({ codigo_crm }) => codigo_crm),
      ['000001'],
    );
    db.close();
    const logs = readdirSync(target.MALOTE_DATA).filter((name) => /anterior-.*-wal$/.test(name));
    assert.equal(logs.length, 1, 'the log is kept for whoever has the file');
  });

  it('never takes another key for the right one', async () => {
    const target = fresh();
    mkdirSync(target.MALOTE_DATA, { recursive: true });
    writeFileSync(join(target.MALOTE_DATA, 'chave-mestra'), `${Buffer.alloc(32, 7).toString('base64')}\n`);
    assert.equal(await failed(target, 'restaurar', '--de', copia), 'chave_mestra_diferente');
  });

  it('refuses to write over something', async () => {
    assert.equal(await failed(env, 'backup', '--para', copia), 'destino_existente');
  });

  it('refuses what is no backup, not whole, or damaged in any part, and names the part', async () => {
    assert.equal(await failed(fresh(), 'restaurar', '--de', join(base, 'nada')), 'copia_inexistente');
    const manifesto = JSON.parse(readFileSync(join(copia, 'manifesto.json'), 'utf8'));
    const parts = readFileSync(join(copia, 'somas', '00001.sha256'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.slice(66));
    assert.equal(parts.length, manifesto.partes);
    for (const part of [...parts, 'somas/00001.sha256', 'manifesto.json']) {
      const path = join(copia, part);
      const good = readFileSync(path);
      for (const bad of [
        Buffer.concat([good.subarray(0, 9), Buffer.of((good[9] ?? 0) ^ 1), good.subarray(10)]),
        null,
      ]) {
        if (bad === null) rmSync(path);
        else writeFileSync(path, bad);
        const fault = await checkCopia(copia).catch((error: unknown) => error);
        assert.ok(fault instanceof ErroDeCopia, part);
        assert.match(fault.codigo, /^copia_(danificada|incompleta)$/, part);
        if (parts.includes(part)) assert.ok(fault.message.includes(part), fault.message);
        writeFileSync(path, good);
      }
    }
    const tar = readFileSync(join(base, 'boa.tar'));
    for (const length of [0, 100, 5_000, tar.length - 3_000]) {
      const cut = join(base, 'cortada.tar');
      writeFileSync(cut, tar.subarray(0, length));
      await assert.rejects(checkCopia(cut), { codigo: 'copia_incompleta' }, String(length));
    }
    const target = fresh();
    assert.equal(await failed(target, 'restaurar', '--de', join(base, 'cortada.tar')), 'copia_incompleta');
    assert.equal(existsSync(join(target.MALOTE_DATA, 'malote.sqlite')), false);
  });

  it('killed at any moment, a backup leaves nothing that could be taken for one', async () => {
    for (const wait of [400, 900]) {
      const para = join(base, `morta-${wait}`);
      const child = spawn(process.execPath, [BIN, 'backup', '--para', para], {
        env: ambiente(env),
        stdio: 'ignore',
      });
      await Promise.race([delay(wait), once(child, 'exit')]);
      const finished = child.exitCode !== null;
      if (!finished) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      // Killed between the manifest and the name, all of it is there: whole, or refused, and nothing between.
      const named = existsSync(para);
      const de = named ? para : `${para}.parcial`;
      const { code, value } = await run(fresh(), 'restaurar', '--de', de, '--sem-chave');
      if (named) assert.equal(code, 0, JSON.stringify(value));
      else if (code !== 0) assert.match(value.erro.codigo, /^copia_(incompleta|danificada|inexistente)$/);
    }
  });

  it('killed at any moment, a restore leaves the database as it was', async () => {
    for (const wait of [400, 900]) {
      const target = fresh();
      const child = spawn(process.execPath, [BIN, 'restaurar', '--de', copia], {
        env: ambiente(target),
        stdio: 'ignore',
      });
      await Promise.race([delay(wait), once(child, 'exit')]);
      if (child.exitCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      if (!existsSync(join(target.MALOTE_DATA, 'malote.sqlite'))) {
        rmSync(join(target.MALOTE_DATA, 'chave-mestra'), { force: true });
        assert.equal((await run(target, 'restaurar', '--de', copia)).code, 0);
      }
      assert.equal((await run(target, 'verificar')).code, 0);
    }
  });
});
