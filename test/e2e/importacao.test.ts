/** 4.1 GET /storage/arquivo/{id}: what becomes of a file, and what a death in the middle changes (nothing). */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { generateCenario, type ItemDoCenario } from '../../src/gerador/cenario.ts';
import { zipDe } from '../../src/gerador/zip.ts';
import {
  assinadoDe,
  der,
  mensagemDe,
  tarDe,
} from '../../src/importacao/unpack/containers/amostras-de-teste.ts';
import {
  createEscritorio,
  type Escritorio,
  fetchJson,
  imported,
  type Malote,
  makeDataFolder,
  startMalote,
  upload,
} from '../support/malote.ts';

const cenario = generateCenario({
  semente: 'importacao',
  clientes: 1,
  documentos: 90,
  inicio: '2026-03-01',
  meses: 1,
});
const documentos: ItemDoCenario[] = [...cenario.documentos];
const [cliente] = cenario.empresas.map((empresa) => empresa.id);
/** Without its declaration. */
const text = (bytes: Buffer) => bytes.toString().replace(/^<\?xml[^>]*\?>/, '');
const ORDER = ['Aguardando Upload', 'Em Processamento', 'Uploaded', 'Com Erro'];

interface Item {
  caminho: string;
  especie: string;
  chave: string | null;
  resultado: string;
  codigo: string | null;
  mensagem: string | null;
}

async function itensOf(malote: Malote, input: { token: string; id: string }): Promise<Item[]> {
  const items: Item[] = [];
  for (let pagina = 1; ; pagina++) {
    const url = `${malote.url}/storage/arquivo/${input.id}/itens?Tamanho=100&Pagina=${pagina}`;
    const { body } = await fetchJson(url, { token: input.token });
    items.push(...body.itens);
    if (pagina >= body.paginas) return items;
  }
}

/** Chaves of the client's feed, in the order of NSU, which is checked to be dense. */
async function feedOf(malote: Malote, { codigoCrm, token }: Escritorio): Promise<string[]> {
  const url = `${malote.url}/api/v1/${codigoCrm}/${cliente}/documentos/0/novos?Tamanho=500`;
  const { body } = await fetchJson(url, { token });
  assert.deepEqual(
    body.documentos.map((entrada: { nsu: number }) => entrada.nsu),
    body.documentos.map((_: unknown, index: number) => index + 1),
  );
  return body.documentos.map((entrada: { chave: string }) => entrada.chave);
}

describe('4.1 import of a file', () => {
  const dataFolder = makeDataFolder();
  let escritorio: Escritorio;
  let malote: Malote;
  const send = async (bytes: Uint8Array, extension: '.xml' | '.zip') => {
    const { token } = escritorio;
    const id = await upload(malote, { token, bytes, extension });
    const record = await imported(malote, { token, id });
    return { record, itens: await itensOf(malote, { token, id }) };
  };

  before(async () => {
    escritorio = await createEscritorio(dataFolder, { crm: '000502', clientes: [cliente ?? ''] });
    malote = await startMalote({ dataFolder, env: { MALOTE_LIMITE_MINUTO: '0' } });
  });
  after(async () => {
    await malote.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  });

  it('a zip with good and bad neighbours is Com Erro; the good ones are in, the bad ones named', async () => {
    const [first, second] = documentos.filter((item) => item.tipo === 'NFe');
    assert.ok(first && second);
    const inner = await zipDe([{ nome: 'dentro.xml', bytes: second.bytes }]);
    const zip = await zipDe([
      { nome: 'bom.xml', bytes: first.bytes },
      { nome: 'cortado.xml', bytes: first.bytes.subarray(0, 400) },
      { nome: 'interno.zip', bytes: inner },
      { nome: 'foto.jpg', bytes: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0]) },
      { nome: 'de novo.xml', bytes: first.bytes },
    ]);
    const { record, itens } = await send(zip, '.zip');
    assert.equal(record.status, 'Com Erro');
    assert.match(
      record.log,
      /^2 documentos importados, 1 já existente, 1 ignorado, 1 erro\ncortado\.xml: .+ \[[a-z_]+\]$/,
    );
    assert.deepEqual(Object.keys(record).slice(-2), ['dataInicioImportacao', 'dataFimImportacao']);
    assert.deepEqual(
      itens.map(({ caminho, resultado }) => [caminho, resultado]),
      [
        ['bom.xml', 'novo'],
        ['cortado.xml', 'rejeitado'],
        ['interno.zip/dentro.xml', 'novo'],
        ['foto.jpg', 'ignorado'],
        ['de novo.xml', 'duplicado'],
      ],
    );
    const feed = await feedOf(malote, escritorio);
    assert.deepEqual(feed, [first.chave, second.chave]);
  });

  it('hostile and empty files end in Com Erro with a sentence, and the next file goes on', async () => {
    const hostile: [string, Uint8Array][] = [
      ['spaces', Buffer.alloc(5_000_000, ' ')],
      ['NULs', Buffer.alloc(1_000)],
      ['cut zip', (await zipDe([{ nome: 'a.xml', bytes: Buffer.from('<a/>') }])).subarray(0, 30)],
      ['empty zip', await zipDe([])],
      ['DOCTYPE', Buffer.from('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>')],
      ['deep', Buffer.from('<a>'.repeat(50_000))],
      ['too large for a document', Buffer.alloc(10_000_001, 'a')],
      ['HTML', Buffer.from('<html><body>Erro 500</body></html>')],
    ];
    for (const [name, bytes] of hostile) {
      const { record } = await send(bytes, '.xml');
      assert.equal(record.status, 'Com Erro', name);
      assert.match(record.log, /\[[a-z0-9_]+\]$/, name);
      assert.doesNotMatch(record.log, /\bat \S+ \(|node:|\.ts:/, 'no stack');
    }
    // An empty file cannot be announced as such, but it can be sent.
    const { token } = escritorio;
    const json = { size: 1, extension: '.xml' };
    const { body: ticket } = await fetchJson(`${malote.url}/storage`, { token, json });
    assert.equal((await fetch(ticket.url, { method: 'PUT', body: '' })).status, 200);
    const empty = await imported(malote, { token, id: ticket.id });
    assert.match(empty.log, /^1 erro\narquivo: .+ \[arquivo_vazio\]$/);
    assert.equal(empty.tamanho, 0);

    const good = documentos.findLast((item) => item.tipo === 'NFe');
    assert.ok(good);
    assert.equal((await send(good.bytes, '.xml')).record.status, 'Uploaded');
  });

  it('a list of keys in a zip announces documents, and is Uploaded', async () => {
    const keys = documentos
      .filter((item) => item.tipo === 'NFe')
      .slice(2, 5)
      .map((item) => item.chave);
    const { record, itens } = await send(
      await zipDe([{ nome: 'chaves.txt', bytes: Buffer.from(keys.join('\r\n')) }]),
      '.zip',
    );
    assert.deepEqual([record.status, record.log], ['Uploaded', '']);
    assert.deepEqual(
      itens.map(({ chave, resultado }) => [chave, resultado]),
      keys.map((key) => [key, 'esperado']),
    );
  });

  it('states only go forward, whoever looks and how often', async () => {
    const { token } = escritorio;
    const id = await upload(malote, { token, bytes: await zipDe(documentos), extension: '.zip' });
    const watch = async () => {
      const seen: string[] = [];
      while (!['Uploaded', 'Com Erro'].includes(seen.at(-1) ?? '')) {
        seen.push((await fetchJson(`${malote.url}/storage/arquivo/${id}`, { token })).body.status);
      }
      return seen;
    };
    for (const seen of await Promise.all([watch(), watch(), watch()])) {
      const steps = seen.map((status) => ORDER.indexOf(status));
      assert.deepEqual(
        steps,
        steps.toSorted((a, b) => a - b),
      );
      assert.equal(seen.at(-1), 'Uploaded');
    }
    assert.equal((await itensOf(malote, { token, id })).length, documentos.length);
  });

  it('files as an office has them are read by what they are; words beside the notes are no error', async () => {
    const notas = documentos.filter((item) => item.tipo === 'NFe').slice(-5);
    const [one, two, three, four, five] = notas.map(({ bytes }) => Buffer.from(bytes));
    assert.ok(one && two && three && four && five);
    const { record, itens } = await send(
      await zipDe([
        { nome: 'leia-me.txt', bytes: Buffer.from('Bom dia, seguem as notas de março.\r\n') },
        { nome: 'nota.eml', bytes: mensagemDe([{ nome: 'nota.xml', bytes: one }]) },
        { nome: 'mes.tar.gz', bytes: gzipSync(tarDe({ nome: 'a/nota.xml', bytes: two })) },
        { nome: 'nota.xml.p7s', bytes: assinadoDe(der(0x04, three)) },
      ]),
      '.zip',
    );
    assert.deepEqual([record.status, record.log], ['Uploaded', '']);
    assert.deepEqual(
      itens.map(({ caminho, chave }) => [caminho, chave]),
      [
        ['leia-me.txt', null],
        ['nota.eml/nota.xml', notas[0]?.chave],
        ['mes.tar.gz/a/nota.xml', notas[1]?.chave],
        ['nota.xml.p7s', notas[2]?.chave],
      ],
    );
    const alone = await send(mensagemDe([{ nome: 'nota.xml', bytes: four }]), '.xml');
    assert.deepEqual([alone.record.status, alone.itens[0]?.caminho], ['Uploaded', 'nota.xml']);
    const list = `<lote>${text(one).replace('<natOp>', '<natOp>A & B ')}${text(five)}</lote>`;
    const malformed = await send(Buffer.from(list), '.xml');
    assert.equal(malformed.record.status, 'Com Erro');
    assert.deepEqual(
      malformed.itens.map(({ chave, resultado }) => [chave, resultado === 'rejeitado']),
      [
        [notas[0]?.chave, true],
        [notas[4]?.chave, false],
      ],
    );
  });

  it('another office sees nothing of a file', async () => {
    const { token } = escritorio;
    const id = await upload(malote, { token, bytes: Buffer.from('x'), extension: '.xml' });
    const other = await createEscritorio(dataFolder, { crm: '000503' });
    for (const path of [id, `${id}/itens`]) {
      const { status, body } = await fetchJson(`${malote.url}/storage/arquivo/${path}`, {
        token: other.token,
      });
      assert.deepEqual([status, body.codigo], [404, 'arquivo_nao_encontrado']);
    }
  });
});
