/** Mass exports over HTTP: ZIP with manifest, spreadsheet, CSV; progress, expiry, restart, and nobody else's. */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readXlsx } from 'hucre/xlsx';
import { findOrfaos } from '../../src/cli/conferir-arquivos.ts';
import { readConfig } from '../../src/config.ts';
import { openBlobStore } from '../../src/platform/storage/open.ts';
import { openZip } from '../support/abrir-zip.ts';
import { type CenarioDeExportacao, DOCUMENTOS, prepareCenario } from '../support/cenario-exportacao.ts';
import { logInToConsole, type Pedinte } from '../support/console.ts';
import { answerOnce } from '../support/espera.ts';
import { exportacoesGuardadas } from '../support/exportacoes.ts';
import { createEscritorio, type Malote, makeDataFolder, startMalote, withDeps } from '../support/malote.ts';
import { ambienteDoBanco } from '../support/motor.ts';
import { runJson } from '../support/programa.ts';

let malote: Malote;
let dataFolder: string;
let cenario: CenarioDeExportacao;
let admin: Pedinte;
let colega: Pedinte;
let doCliente: Pedinte;
let deFora: Pedinte;

before(async () => {
  dataFolder = makeDataFolder();
  malote = await startMalote({ dataFolder });
  cenario = await prepareCenario(malote, { crm: '61' });
  const { contadorId } = cenario;
  admin = await logInToConsole(malote, { contadorId });
  colega = await logInToConsole(malote, { contadorId, papel: 'operador' });
  doCliente = await logInToConsole(malote, {
    contadorId,
    papel: 'cliente',
    clientes: [cenario.destinatario],
  });
  const outro = await createEscritorio(dataFolder, { crm: '62', clientes: [cenario.emitente] });
  deFora = await logInToConsole(malote, { contadorId: outro.contadorId });
});
after(() => malote[Symbol.asyncDispose]());

async function exportar(json: object, quem: Pedinte = admin) {
  const asked = await quem.ask('/exportacoes', { method: 'POST', json });
  assert.equal(asked.status, 200, JSON.stringify(asked.body));
  return answerOnce('the export has ended', {
    ask: async () => (await quem.ask(`/exportacoes/${asked.body.id}`)).body,
    is: ({ estado }) => !['na_fila', 'em_andamento'].includes(estado),
  });
}

async function arquivo(id: string, quem: Pedinte = admin) {
  const answer = await fetch(`${malote.url}/console/api/exportacoes/${id}/arquivo`, {
    headers: { cookie: quem.cookie },
  });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

/** Whether the store has its file. */
const guardada = async (id: string) =>
  (await exportacoesGuardadas(dataFolder)).some((key) => key.startsWith(id));

describe('a ZIP', () => {
  it('has each document byte by byte in its folder, and a manifest that names them with their hash', async () => {
    const feita = await exportar({ tipo: 'zip', filtro: { cliente: cenario.emitente } });
    assert.equal(feita.estado, 'pronta', feita.erro);
    assert.equal(feita.feitos, 7);
    const { status, headers, bytes } = await arquivo(feita.id);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/zip');
    assert.equal(bytes.length, feita.bytes);
    const files = await openZip(bytes);
    const path = `${cenario.emitente}/2026-03/55/emitente/${DOCUMENTOS.autorizada.chave}.xml`;
    assert.deepEqual(files.get(path), Buffer.from(DOCUMENTOS.autorizada.bytes));
    assert.equal(files.size, 8);
    const manifest = (files.get('manifest.csv') ?? Buffer.from('')).toString('utf8');
    assert.ok(manifest.startsWith('\ufeffArquivo;SHA-256;Bytes;'));
    const sha256 = createHash('sha256').update(DOCUMENTOS.autorizada.bytes).digest('hex');
    assert.ok(manifest.includes(`${path};${sha256};${DOCUMENTOS.autorizada.bytes.length};`));
    assert.equal(manifest.trimEnd().split('\r\n').length, 8);
  });

  it('takes a pattern for folders, chosen documents, and PDFs beside them', async () => {
    const { body } = await admin.ask(
      `/documentos?chave=${DOCUMENTOS.cancelada.chave}&cliente=${cenario.emitente}`,
    );
    const feita = await exportar({
      tipo: 'zip',
      filtro: { cliente: cenario.emitente },
      ids: [body.itens[0].id],
      pasta: '../{ano}/..//{situacao}/C:\\{cliente}',
      comPdf: true,
    });
    assert.equal(feita.estado, 'pronta', feita.erro);
    const files = await openZip((await arquivo(feita.id)).bytes);
    const names = [...files.keys()].filter((name) => name !== 'manifest.csv');
    assert.equal(names.length, 2);
    for (const name of names) {
      assert.match(name, /^2026\/Cancelada\/C_[^/]*\/[0-9A-Z]{44}\.(xml|pdf)$/);
      assert.ok(!name.includes('..') && !name.includes('\\'));
    }
    const pdf = names.find((name) => name.endsWith('.pdf')) ?? '';
    assert.equal(files.get(pdf)?.subarray(0, 5).toString(), '%PDF-');
  });

  it('keeps one document apart for each of two clients in one folder', async () => {
    const feita = await exportar({
      tipo: 'zip',
      filtro: { chave: DOCUMENTOS.autorizada.chave },
      pasta: 'tudo',
    });
    const files = await openZip((await arquivo(feita.id)).bytes);
    assert.deepEqual(
      [...files.keys()].sort(),
      [
        'manifest.csv',
        `tudo/${DOCUMENTOS.autorizada.chave}-2.xml`,
        `tudo/${DOCUMENTOS.autorizada.chave}.xml`,
      ].sort(),
    );
  });

  it('is empty but for its manifest when nothing matches', async () => {
    const feita = await exportar({ tipo: 'zip', filtro: { busca: 'ninguém' } });
    assert.deepEqual([feita.estado, feita.feitos], ['pronta', 0]);
    assert.deepEqual([...(await openZip((await arquivo(feita.id)).bytes)).keys()], ['manifest.csv']);
  });
});

describe('tables', () => {
  it('are CSV with a mark for UTF-8, semicolons and no total row', async () => {
    const feita = await exportar({ tipo: 'csv', filtro: { cliente: cenario.emitente, especie: 'nfe' } });
    const text = (await arquivo(feita.id)).bytes.toString('utf8');
    const [head, ...rows] = text.trimEnd().split('\r\n');
    assert.ok(head?.startsWith('\ufeffChave de acesso;Espécie;Modelo;Série;Número;'));
    assert.equal(rows.length, 6);
    for (const row of rows) assert.match(row, /^[0-9A-Z]{41,44};/);
    assert.ok(
      rows.some((row) => /;\d+,\d+;/.test(row)),
      'decimal comma',
    );
  });

  it('are spreadsheets whose keys and CNPJs are text and whose values are numbers', async () => {
    const feita = await exportar({ tipo: 'xlsx', filtro: { cliente: cenario.emitente, especie: 'nfe' } });
    assert.equal(feita.estado, 'pronta', feita.erro);
    const { sheets } = await readXlsx((await arquivo(feita.id)).bytes);
    const [head, ...rows] = sheets[0]?.rows ?? [];
    assert.equal(head?.[0], 'Chave de acesso');
    assert.equal(rows.length, 6);
    const column = head?.indexOf('Valor') ?? -1;
    for (const row of rows) {
      assert.equal(typeof row[0], 'string');
      assert.ok(row[column] === null || row[column] === undefined || typeof row[column] === 'number');
    }
  });
});

describe('who may have it', () => {
  it('is only who asked for it', async () => {
    const feita = await exportar({ tipo: 'csv' });
    for (const quem of [colega, doCliente, deFora]) {
      assert.equal((await quem.ask(`/exportacoes/${feita.id}`)).status, 404);
      assert.equal((await arquivo(feita.id, quem)).status, 404);
      assert.equal((await quem.ask(`/exportacoes/${feita.id}`, { method: 'DELETE' })).status, 404);
      const { itens } = (await quem.ask('/exportacoes')).body;
      assert.ok(!itens.some(({ id }: { id: string }) => id === feita.id));
    }
  });

  it('somebody of papel cliente exports nothing but the own client, by ids neither', async () => {
    const other = await admin.ask(`/documentos?chave=${DOCUMENTOS.nfce.chave}`);
    const feita = await exportar({ tipo: 'csv', ids: [other.body.itens[0].id] }, doCliente);
    assert.equal(feita.feitos, 0);
    const toda = await exportar({ tipo: 'csv' }, doCliente);
    const text = (await arquivo(toda.id, doCliente)).bytes.toString('utf8');
    for (const row of text.trimEnd().split('\r\n').slice(1))
      assert.ok(row.includes(`;${cenario.destinatario};`));
    const refused = await doCliente.ask('/exportacoes', {
      method: 'POST',
      json: { tipo: 'csv', filtro: { cliente: cenario.emitente } },
    });
    assert.equal(refused.status, 404);
  });

  it('is refused while five of the same person wait, and again possible when they have ended', async () => {
    const { id: usuarioId, contadorId } = await withDeps(dataFolder, async ({ db }) => {
      const row = await db.read
        .selectFrom('usuario')
        .select(['id', 'contador_id'])
        .where('id', '=', colega.usuarioId)
        .executeTakeFirstOrThrow();
      return { id: row.id, contadorId: row.contador_id };
    });
    const now = Date.now();
    const ids = Array.from({ length: 5 }, () => randomUUID());
    await withDeps(dataFolder, ({ db }) =>
      db.write
        .insertInto('exportacao')
        .values(
          ids.map((id) => ({
            id,
            contador_id: contadorId,
            usuario_id: usuarioId,
            cliente_id: null,
            tipo: 'csv' as const,
            pedido: JSON.stringify({ tipo: 'csv', pasta: '', comPdf: false }),
            estado: 'na_fila' as const,
            processo: 'another',
            criado_em: now,
            expira_em: now + 3_600_000,
          })),
        )
        .execute(),
    );
    const refused = await colega.ask('/exportacoes', { json: { tipo: 'csv' } });
    assert.deepEqual([refused.status, refused.body.codigo], [429, 'exportacoes_demais']);
    assert.equal((await exportar({ tipo: 'csv' })).estado, 'pronta', 'somebody else is not held up');
    await withDeps(dataFolder, ({ db }) =>
      db.write.deleteFrom('exportacao').where('id', 'in', ids).execute(),
    );
    assert.equal((await exportar({ tipo: 'csv' }, colega)).estado, 'pronta');
  });

  it('refuses what it cannot do', async () => {
    for (const [json, codigo] of [
      [{ tipo: 'doc' }, 'valor_invalido'],
      [{ tipo: 'zip', pasta: '{senha}' }, 'dados_invalidos'],
      [{ tipo: 'zip', filtro: { visao: 'faltantes' } }, 'dados_invalidos'],
      [{ tipo: 'csv', filtro: { emissaoDe: 'ontem' } }, 'data_invalida'],
      [{ tipo: 'csv', filtro: { cliente: '1' } }, 'cpf_cnpj_invalido'],
    ] as const) {
      const { status, body } = await admin.ask('/exportacoes', { method: 'POST', json });
      assert.deepEqual([status, body.codigo], [400, codigo], JSON.stringify(json));
    }
  });
});

describe('the end of an export', () => {
  it('is not taken for a file that belongs to nothing, as long as it can be downloaded', async () => {
    const feita = await exportar({ tipo: 'csv' });
    const storage = await openBlobStore(readConfig({ MALOTE_DATA: dataFolder }));
    const later = { now: () => Date.now() + 2 * 3_600_000 };
    const orphans = await withDeps(dataFolder, async ({ db }) => {
      const found: string[] = [];
      for await (const key of findOrfaos({ db, storage, clock: later })) found.push(key);
      return found;
    });
    await storage.close();
    assert.deepEqual(orphans, []);
    assert.ok(await guardada(feita.id));
  });

  it('is left out of a backup, its file neither copied nor missed', async () => {
    const feita = await exportar({ tipo: 'csv' });
    const copia = join(mkdtempSync(join(tmpdir(), 'malote-copia-')), 'copia');
    try {
      const env = { MALOTE_DATA: dataFolder, ...(await ambienteDoBanco(dataFolder)) };
      const { code, value } = await runJson(env, 'backup', '--para', copia);
      assert.equal(code, 0, JSON.stringify(value));
      const manifesto = JSON.parse(readFileSync(join(copia, 'manifesto.json'), 'utf8'));
      assert.deepEqual(manifesto.faltas, []);
      const names = readdirSync(copia, { recursive: true }) as string[];
      assert.ok(
        names.some((name) => name.includes('exportacao')),
        'the rows are there',
      );
      assert.ok(!names.some((name) => name.includes(feita.id)));
    } finally {
      rmSync(join(copia, '..'), { recursive: true, force: true });
    }
  });

  it('leaves no file behind when it is deleted', async () => {
    const feita = await exportar({ tipo: 'csv' });
    assert.ok(await guardada(feita.id));
    assert.equal((await admin.ask(`/exportacoes/${feita.id}`, { method: 'DELETE' })).status, 200);
    assert.ok(!(await guardada(feita.id)));
    assert.equal((await admin.ask(`/exportacoes/${feita.id}`)).status, 404);
  });

  it('is told: what a restart interrupted, what expired', async () => {
    const [a, b] = [await exportar({ tipo: 'csv' }), await exportar({ tipo: 'csv' })];
    await malote.stop();
    await withDeps(dataFolder, async ({ db }) => {
      await db.write
        .updateTable('exportacao')
        .set({ estado: 'em_andamento', fim_em: null, blob: null })
        .where('id', '=', a.id)
        .execute();
      await db.write.updateTable('exportacao').set({ expira_em: 1 }).where('id', '=', b.id).execute();
    });
    malote = await startMalote({ dataFolder });
    const ask = async (id: string) =>
      (await (
        await fetch(`${malote.url}/console/api/exportacoes/${id}`, { headers: { cookie: admin.cookie } })
      ).json()) as { estado: string; erro: string };
    const interrompida = await ask(a.id);
    assert.equal(interrompida.estado, 'interrompida');
    assert.match(interrompida.erro, /Peça-a de novo/);
    assert.equal((await ask(b.id)).estado, 'expirada');
    assert.equal((await arquivo(b.id)).status, 409);
    for (const { id } of [a, b]) assert.ok(!(await guardada(id)));
  });
});
