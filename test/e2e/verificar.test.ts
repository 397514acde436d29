/** R24 and I8: rotten bytes are found one and all, never served as data, and come back from the uploads. */
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  createEscritorio,
  type Escritorio,
  fetchJson,
  imported,
  importFile,
  type Malote,
  makeDataFolder,
  startMalote,
  withDeps,
} from '../support/malote.ts';
import { ambienteDoBanco } from '../support/motor.ts';
import { checkFeed, lerFeed } from '../support/observador.ts';
import { runJson } from '../support/programa.ts';
import { generateRemessa, type Remessa } from '../support/remessa.ts';

const PODRES = 100;
let malote: Malote;
let remessa: Remessa;
let escritorio: Escritorio;
let env: Record<string, string>;
before(async () => {
  remessa = await generateRemessa({ semente: 'verificar', clientes: 2, documentos: 160, porArquivo: 20 });
  // The uploads stay as they came, however long the machine takes: they are the second copy here.
  malote = await startMalote({ env: { MALOTE_LIMITE_MINUTO: '0', MALOTE_COMPACTAR_ENVIOS: '0' } });
  env = { MALOTE_DATA: malote.dataFolder, ...(await ambienteDoBanco(malote.dataFolder)) };
  escritorio = await createEscritorio(malote.dataFolder, { crm: '9', clientes: remessa.clientes });
  for (const arquivo of remessa.arquivos) await importFile(malote, { token: escritorio.token, ...arquivo });
});
after(() => malote[Symbol.asyncDispose]());

const verificar = (...args: string[]) => runJson(env, 'verificar', ...args);
async function checkFeeds(): Promise<void> {
  const { codigoCrm, token } = escritorio;
  for (const [cpfCnpj, esperadas] of remessa.esperadas) {
    const feed = { codigoCrm, token, cpfCnpj };
    await checkFeed(malote, { feed, vistas: await lerFeed(malote, feed), esperadas });
  }
}

interface Podre {
  nsu: number;
  cpfCnpj: string;
}

/** One byte of what a hundred stored documents and more stand in, somewhere else in each. @returns where these are told of */
function rot(): Promise<Podre[]> {
  return withDeps(malote.dataFolder, async ({ db }) => {
    const rows = await db.read
      .selectFrom('conteudo')
      .innerJoin('versao', 'versao.id', 'conteudo.versao_id')
      .innerJoin('entrada', 'entrada.documento_id', 'versao.documento_id')
      .innerJoin('cliente', 'cliente.id', 'entrada.cliente_id')
      .leftJoin('bloco', 'bloco.id', 'conteudo.bloco_id')
      .select(['conteudo.versao_id', 'conteudo.bloco_id', 'conteudo.bytes', 'bloco.bytes as do_bloco'])
      .select(['entrada.nsu', 'cliente.cpf_cnpj as cpfCnpj'])
      .orderBy('conteudo.versao_id')
      .execute();
    const once = [...new Map(rows.map((row) => [row.versao_id, row])).values()];
    const frames = Map.groupBy(once, ({ versao_id, bloco_id }) => bloco_id ?? -versao_id);
    const found: Podre[] = [];
    for (const [i, [frame, documentos]] of [...frames].entries()) {
      if (found.length >= PODRES) break;
      const bytes = documentos[0]?.do_bloco ?? documentos[0]?.bytes ?? new Uint8Array();
      const rotten = new Uint8Array(bytes);
      const at = 6 + ((i * 97) % (bytes.length - 6));
      rotten[at] = (rotten[at] ?? 0) ^ (1 << (i % 8));
      await (frame > 0
        ? db.write.updateTable('bloco').set({ bytes: rotten }).where('id', '=', frame).execute()
        : db.write.updateTable('conteudo').set({ bytes: rotten }).where('versao_id', '=', -frame).execute());
      found.push(...documentos);
    }
    assert.ok(found.length >= PODRES);
    return found;
  });
}

describe('malote verificar', () => {
  it('finds nothing wrong while the server runs', async () => {
    const { code, value } = await verificar();
    assert.equal(code, 0, JSON.stringify(value));
    assert.deepEqual(value.achados, []);
    assert.equal(value.arquivos, remessa.arquivos.length);
    await checkFeeds();
  });

  it(`finds every document of ${PODRES} and more that one changed byte reaches; each is a problem, never data, until it is repaired`, async () => {
    const rotten = await rot();
    const found = await verificar();
    assert.equal(found.code, 1);
    assert.equal(found.value.totalDeAchados, rotten.length, 'all of them, and nothing else');
    const { codigoCrm, token } = escritorio;
    for (const { nsu, cpfCnpj } of rotten) {
      const path = `${malote.url}/api/v1/${codigoCrm}/${cpfCnpj}/documentos/${nsu}`;
      const whole = await fetchJson(`${path}?Xml=true`, { token });
      assert.deepEqual([whole.status, whole.body.codigo], [500, 'erro_interno']);
      assert.match(String(whole.headers.get('content-type')), /^application\/problem\+json/);
      const record = await fetchJson(path, { token });
      assert.equal(record.status, 200, 'what is known of it is not lost');
      const download = await fetch(record.body.url_download ?? record.body.documentos?.[0]?.url_download);
      assert.equal(download.status, 500);
      assert.match(await download.text(), /"codigo":"erro_interno"/);
    }
    const repaired = await verificar('--reparar');
    assert.equal(repaired.code, 0, JSON.stringify(repaired.value.achados?.slice(0, 3)));
    assert.equal(repaired.value.totalDeReparos, rotten.length);
    await checkFeeds();
    assert.equal((await verificar()).code, 0);
  });

  it('finds an upload that nobody would import any more, and puts it in line again', async () => {
    const { token } = escritorio;
    const id = await withDeps(malote.dataFolder, async ({ db }) => {
      const { id } = await db.read.selectFrom('arquivo').select('id').executeTakeFirstOrThrow();
      await db.write.deleteFrom('job').where('arquivo_id', '=', id).execute();
      await db.write
        .updateTable('arquivo')
        .set({ status: 'Em Processamento' })
        .where('id', '=', id)
        .execute();
      return id;
    });
    const { code, value } = await verificar();
    assert.deepEqual([code, value.achados.length, value.achados[0]?.conferencia], [1, 1, 'fila']);
    assert.equal((await verificar('--reparar')).code, 0);
    assert.equal((await imported(malote, { id, token })).status, 'Uploaded');
  });

  it('touches nothing of a store that belongs to another database', async () => {
    const root = join(malote.dataFolder, 'arquivos');
    const old = new Date(Date.now() - 2 * 3_600_000);
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    for (const { parentPath, name } of files) utimesSync(join(parentPath, name), old, old);
    const other = makeDataFolder();
    try {
      const elsewhere = { MALOTE_DATA: other, DATABASE_URL: '' };
      await runJson(elsewhere, 'conta', 'criar', '--crm', '9', '--nome', 'Outro', '--email', 'a@b.c');
      rmSync(join(other, 'arquivos'), { recursive: true, force: true });
      cpSync(root, join(other, 'arquivos'), { recursive: true, preserveTimestamps: true });
      const { code, value } = await runJson(elsewhere, 'verificar', '--reparar');
      assert.deepEqual([code, value.erro.codigo], [1, 'banco_de_outra_instalacao']);
      const left = readdirSync(join(other, 'arquivos'), { recursive: true, withFileTypes: true });
      assert.equal(left.filter((one) => one.isFile()).length, files.length);
    } finally {
      rmSync(other, { recursive: true });
    }
  });

  it('finds a changed byte, and a missing file, among the uploads, and names them', async () => {
    const root = join(malote.dataFolder, 'arquivos');
    const paths = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    assert.equal(paths.length, remessa.arquivos.length);
    const originals = paths.map((path) => readFileSync(path));
    const expected = paths.map((path, i) => {
      const id = basename(path).slice(0, 36);
      if (i === 0) {
        rmSync(path);
        return `arquivo ${id}: os bytes enviados (${basename(path)}) não estão guardados`;
      }
      const bytes = Buffer.from(originals[i] ?? []);
      const at = (i * 331) % bytes.length;
      bytes[at] = (bytes[at] ?? 0) ^ 4;
      writeFileSync(path, bytes);
      return `arquivo ${id}: os bytes não conferem com o SHA-256`;
    });
    const { code, value } = await verificar('--reparar');
    assert.equal(code, 1);
    assert.deepEqual(
      value.achados
        .map((achado: { conferencia: string; mensagem: string }) => [achado.conferencia, achado.mensagem])
        .sort(),
      expected.map((mensagem) => ['arquivos', mensagem]).sort(),
    );
    for (const [i, path] of paths.entries()) writeFileSync(path, originals[i] ?? '');
    assert.equal((await verificar()).code, 0);
  });

  it('removes what interrupted transfers left, and no file of which it is not known that it is elsewhere', async () => {
    const root = join(malote.dataFolder, 'arquivos');
    const [shard = ''] = readdirSync(root).filter((name) => name.length === 2);
    const old = `${shard}345678-0000-4000-8000-000000000000-aaaaaaaa`;
    const young = old.replace('aaaaaaaa', 'bbbbbbbb');
    const leftover = join(root, 'tmp', 'sobra');
    for (const path of [join(root, shard, old), join(root, shard, young), leftover]) writeFileSync(path, 'x');
    const then = Date.now() / 1000 - 7_200;
    for (const path of [join(root, shard, old), leftover]) utimesSync(path, then, then);
    const said = [
      `arquivo ${old}: está guardado sem registro no banco, e o seu nome, de uma versão anterior, não diz o escritório; nada o apaga. Veja o que é com malote orfao copiar, e importe-o com malote orfao importar`,
    ];
    const mensagens = ({ achados }: { achados: { mensagem: string }[] }) =>
      achados.map(({ mensagem }) => mensagem);
    const told = await verificar();
    assert.deepEqual([told.code, mensagens(told.value)], [1, said]);
    const repaired = await verificar('--reparar');
    assert.deepEqual([repaired.code, mensagens(repaired.value)], [1, said]);
    assert.equal(repaired.value.totalDeReparos, 0);
    const left = readdirSync(root, { recursive: true, encoding: 'utf8' });
    assert.ok(!left.some((name) => name.endsWith('sobra')));
    for (const name of [old, young]) assert.ok(left.includes(join(shard, name)));

    const orfao = (...args: string[]) => runJson(env, 'orfao', ...args);
    assert.deepEqual(
      (await orfao('listar')).value.orfaos.map(({ arquivo }: { arquivo: string }) => arquivo),
      [old],
    );
    assert.equal(
      (await orfao('copiar', '--arquivo', young, '--para', leftover)).value.erro.codigo,
      'orfao_nao_encontrado',
    );
    await orfao('copiar', '--arquivo', old, '--para', leftover);
    assert.equal(readFileSync(leftover, 'utf8'), 'x');
    rmSync(leftover);
    const { code, value } = await orfao('importar', '--arquivo', old, '--crm', '9');
    assert.deepEqual([code, value.id, value.codigoCrm], [0, old.slice(0, 36), '000009']);
    const { status } = await imported(malote, { id: value.id, token: escritorio.token });
    assert.equal(status, 'Com Erro', 'it was imported: an x is no document');
    assert.equal((await verificar()).code, 0);
  });
});
