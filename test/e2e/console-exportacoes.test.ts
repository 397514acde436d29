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
import { comMascara } from '../../src/console/exportacoes/palavras.ts';
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

const SOBRE_O_ZIP = ['manifest.csv', 'LEIA-ME.txt'];

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
    // Seven, an event each of two of them, the manifest and the LEIA-ME.
    assert.equal(files.size, 11);
    const manifest = (files.get('manifest.csv') ?? Buffer.from('')).toString('utf8');
    assert.ok(manifest.startsWith('\ufeffArquivo;SHA-256;Bytes;'));
    const sha256 = createHash('sha256').update(DOCUMENTOS.autorizada.bytes).digest('hex');
    assert.ok(manifest.includes(`${path};${sha256};${DOCUMENTOS.autorizada.bytes.length};`));
    assert.equal(manifest.trimEnd().split('\r\n').length, 10);
  });

  it('has no cancelled or denied note among the valid ones, and every event beside its note', async () => {
    const feita = await exportar({ tipo: 'zip', filtro: { cliente: cenario.emitente }, pasta: '' });
    const files = await openZip((await arquivo(feita.id)).bytes);
    const { autorizada, cancelada, corrigida, denegada, ultima, nfce, cancelamento, carta, inutilizacao } =
      DOCUMENTOS;
    const validas = [autorizada, corrigida, ultima, nfce];
    assert.deepEqual(
      [...files.keys()].sort(),
      [
        ...validas.map(({ chave }) => `${chave}.xml`),
        `${corrigida.chave}-110110-1.xml`,
        `Canceladas/${cancelada.chave}.xml`,
        `Canceladas/${cancelada.chave}-110111-1.xml`,
        `Denegadas/${denegada.chave}.xml`,
        `Inutilizadas/${inutilizacao.chave}.xml`,
        'LEIA-ME.txt',
        'manifest.csv',
      ].sort(),
    );
    for (const [path, { bytes }] of [
      [`Canceladas/${cancelada.chave}-110111-1.xml`, cancelamento],
      [`${corrigida.chave}-110110-1.xml`, carta],
    ] as const)
      assert.deepEqual(files.get(path), Buffer.from(bytes));
    const leiaMe = String(files.get('LEIA-ME.txt'));
    for (const told of [
      /\n4 documentos autorizados\./,
      /\n1 documento cancelado, à parte na pasta Canceladas/,
      /\n2 eventos, /,
    ])
      assert.match(leiaMe, told);
  });

  it('leaves out on request what is not valid, and the events', async () => {
    const filtro = { cliente: cenario.emitente };
    const feita = await exportar({ tipo: 'zip', filtro, pasta: '', soValidas: true, comEventos: false });
    const files = await openZip((await arquivo(feita.id)).bytes);
    const { autorizada, corrigida, ultima, nfce } = DOCUMENTOS;
    assert.deepEqual(
      [...files.keys()].sort(),
      [
        ...[autorizada, corrigida, ultima, nfce].map(({ chave }) => `${chave}.xml`),
        'LEIA-ME.txt',
        'manifest.csv',
      ].sort(),
    );
    assert.match(String(files.get('LEIA-ME.txt')), /DEIXADOS DE FORA/);
  });

  it('is called by its client, period and filter, in plain letters and as it is written', async () => {
    const filtro = {
      cliente: cenario.emitente,
      especie: 'nfe',
      emissaoDe: '2026-03-01',
      emissaoAte: '2026-03-31',
      tipo: 'Emitida',
    };
    const feita = await exportar({ tipo: 'csv', filtro });
    assert.match(feita.nome, new RegExp(`^.+ ${cenario.emitente} - 2026-03 - NF-e emitidas\\.csv$`));
    const disposition = (await arquivo(feita.id)).headers.get('content-disposition') ?? '';
    const [, simples = '', verdadeiro = ''] =
      /^attachment; filename="([ -~]+)"; filename\*=UTF-8''(\S+)$/.exec(disposition) ?? [];
    assert.equal(decodeURIComponent(verdadeiro), feita.nome);
    assert.match(simples, new RegExp(`-${cenario.emitente}-2026-03-NF-e-emitidas\\.csv$`));
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
    const names = [...files.keys()].filter((name) => !SOBRE_O_ZIP.includes(name));
    assert.equal(names.length, 3);
    for (const name of names) {
      assert.match(name, /^Canceladas\/2026\/Cancelada\/C_[^/]*\/[0-9A-Z]{44}(-110111-1\.xml|\.xml|\.pdf)$/);
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
        ...SOBRE_O_ZIP,
        `tudo/${DOCUMENTOS.autorizada.chave}-2.xml`,
        `tudo/${DOCUMENTOS.autorizada.chave}.xml`,
      ].sort(),
    );
  });

  it('is empty but for what tells of it when nothing matches', async () => {
    const feita = await exportar({ tipo: 'zip', filtro: { busca: 'ninguém' } });
    assert.deepEqual([feita.estado, feita.feitos], ['pronta', 0]);
    const files = await openZip((await arquivo(feita.id)).bytes);
    assert.deepEqual([...files.keys()], SOBRE_O_ZIP);
    assert.match(String(files.get('LEIA-ME.txt')), /Nenhum documento\./);
  });
});

/** A sheet as objects by the titles of its head. */
const linhasDe = ([head = [], ...rows]: readonly (readonly unknown[])[]) =>
  rows.map((row) => Object.fromEntries(head.map((titulo, index) => [String(titulo), row[index] ?? null])));

/** Amounts of a document's own XML, in hundredths. */
const centavos = (bytes: Uint8Array, elemento: string) =>
  Math.round(
    Number(
      new RegExp(`<${elemento}>([0-9.]+)</${elemento}>(?!.*<${elemento}>)`, 's').exec(
        String(Buffer.from(bytes)),
      )?.[1] ?? 0,
    ) * 100,
  );

describe('tables', () => {
  it('are CSV with a mark for UTF-8, semicolons, words and dates of people, and keys that are no numbers', async () => {
    const feita = await exportar({ tipo: 'csv', filtro: { cliente: cenario.emitente, especie: 'nfe' } });
    const text = (await arquivo(feita.id)).bytes.toString('utf8');
    assert.ok(text.startsWith('\ufeffChave de acesso;Espécie;Modelo;Série;Número;'));
    const rows = linhasDe(
      text
        .slice(1)
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(';')),
    );
    assert.equal(rows.length, 6);
    const { chave } = DOCUMENTOS.cancelada;
    const row = rows.find((each) => each['Chave de acesso'] === chave.replaceAll(/(.{4})(?=.)/g, '$1 '));
    assert.ok(row, text);
    assert.deepEqual(
      ['Espécie', 'Situação', 'Papel', 'Direção', 'Emissão', 'Conta na soma'].map((titulo) => row[titulo]),
      ['NF-e', 'Cancelada', 'Emitente', 'Saída', '02/03/2026 12:00:00', '1'],
    );
    assert.match(String(row.Valor), /^\d+,\d{2,}$/);
    assert.match(String(row['Emitente CPF/CNPJ']), /^..\....\..{3}\/.{4}-\d\d$/);
    assert.match(String(row.Protocolo), /^\d{4} /);
  });

  it('are workbooks of documents, items, events and sums, whose sums are those of the XMLs', async () => {
    const feita = await exportar({ tipo: 'xlsx', filtro: { cliente: cenario.emitente, especie: 'nfe' } });
    assert.equal(feita.estado, 'pronta', feita.erro);
    const { sheets } = await readXlsx((await arquivo(feita.id)).bytes);
    assert.deepEqual(
      sheets.map(({ name }) => name),
      ['Documentos', 'Itens', 'Eventos', 'Totais'],
    );
    const [documentos = [], itens = [], eventos = [], totais = []] = sheets.map(({ rows }) => linhasDe(rows));
    assert.equal(documentos.length, 6);
    const { autorizada, corrigida, ultima, cancelada, denegada } = DOCUMENTOS;
    const validas = [autorizada, corrigida, ultima];
    for (const [titulo, elemento] of [
      ['Valor', 'vNF'],
      ['ICMS', 'vICMS'],
      ['PIS', 'vPIS'],
      ['Produtos e serviços', 'vProd'],
    ] as const) {
      const expected = (notas: readonly { bytes: Uint8Array }[]) =>
        notas.reduce((sum, { bytes }) => sum + centavos(bytes, elemento), 0);
      const observed = (nome: string) =>
        Math.round(Number(totais.find((row) => row['O que soma'] === nome)?.[titulo]) * 100);
      assert.equal(observed('Saídas autorizadas'), expected(validas), titulo);
      assert.equal(observed('Autorizadas, cada uma contada uma vez'), expected(validas), titulo);
      assert.equal(observed('Canceladas'), expected([cancelada]), titulo);
      assert.equal(observed('Denegadas'), expected([denegada]), titulo);
      assert.equal(observed('Entradas autorizadas'), 0);
    }
    for (const row of documentos) {
      assert.match(String(row['Chave de acesso']), /^[0-9A-Z]{41,44}$/);
      assert.equal(typeof row['Emitente CPF/CNPJ'], 'string');
      if (row.Espécie === 'NF-e') assert.equal(typeof row.Valor, 'number');
    }
    const daAutorizada = itens.filter((row) => row['Chave de acesso'] === autorizada.chave);
    assert.deepEqual(
      daAutorizada.map((row) => [row.Item, typeof row.Quantidade, typeof row.Descrição]),
      [1, 2, 3].map((n) => [n, 'number', 'string']),
    );
    assert.equal(
      Math.round(daAutorizada.reduce((sum, row) => sum + Number(row.Valor), 0) * 100),
      centavos(autorizada.bytes, 'vProd'),
    );
    assert.deepEqual(
      eventos.map((row) => [row['Chave de acesso'], row.Evento, row['Situação do documento']]).sort(),
      [
        [cancelada.chave, 'Cancelamento', 'Cancelada'],
        [corrigida.chave, 'Carta de correção', 'Autorizada'],
      ].sort(),
    );
    for (const row of eventos) assert.notEqual(row['Justificativa ou correção'], null);
  });

  it('have a row of each client of a note, of which one is added, also when only the other is shown', async () => {
    const feita = await exportar({ tipo: 'xlsx', filtro: { chave: DOCUMENTOS.autorizada.chave } });
    const { bytes } = await arquivo(feita.id);
    const { sheets } = await readXlsx(bytes);
    const [documentos = [], , , totais = []] = sheets.map(({ rows }) => linhasDe(rows));
    assert.deepEqual(
      documentos.map((row) => [row.Direção, row['Conta na soma']]).sort(),
      [
        ['Entrada', 0],
        ['Saída', 1],
      ].sort(),
    );
    const total = centavos(DOCUMENTOS.autorizada.bytes, 'vNF');
    for (const nome of [
      'Entradas autorizadas',
      'Saídas autorizadas',
      'Autorizadas, cada uma contada uma vez',
    ])
      assert.equal(
        Math.round(Number(totais.find((row) => row['O que soma'] === nome)?.Valor) * 100),
        total,
        nome,
      );
    const xml = String((await openZip(bytes)).get('xl/worksheets/sheet1.xml'));
    const [visivel, , segunda] = [/<f>SUBTOTAL\(103,A2\)<\/f>/, null, /<f>([A-Z]+)3\*\(1-([A-Z]+)2\)<\/f>/];
    assert.match(xml, visivel);
    assert.match(xml, segunda);
    assert.match(xml, /<autoFilter ref="A1:[A-Z]+3"\/>/);
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
      assert.ok(row.includes(`;${comMascara(cenario.destinatario)};`));
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
