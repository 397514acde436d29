import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { arquivosDe } from '../cliente/arquivos.ts';
import type { DocumentoComNsu } from '../cliente/cliente.ts';
import { Arrumacao, storeDocumento } from './exportar-pasta.ts';

const chave = '35260312ABC34501DE35550010000000011000000017';
const documento = {
  chave,
  modelo: '55',
  data_emissao: '2026-03-31T23:00:00-03:00',
  status: 'Autorizada',
  url_download: 'http://servidor/nota',
  xml: '<nota/>',
  evento: null,
};
const evento = {
  codigo: '110111',
  descricao: 'Cancelamento',
  sequencia: 1,
  id: `ID110111${chave}01`,
  data: '2026-04-02T10:00:00-03:00',
  prova: 'assinada' as const,
  url_download: 'http://servidor/evento',
  xml: '<evento/>',
};
const lugarDe = (entrada: Parameters<typeof arquivosDe>[0]) => arquivosDe(entrada)[0]?.lugar ?? '';

describe('the files of an entry', () => {
  it('puts a document below its month and model', () => {
    assert.equal(lugarDe(documento), `2026-03/55/${chave}.xml`);
  });

  it('are of an event the document again and the event beside it, even when it came a month later', () => {
    assert.deepEqual(
      arquivosDe({ ...documento, status: 'Cancelada', evento }).map(({ lugar, xml }) => [lugar, xml]),
      [
        [`Canceladas/2026-03/55/${chave}.xml`, '<nota/>'],
        [`Canceladas/2026-03/55/${chave}-110111-1.xml`, '<evento/>'],
      ],
    );
  });

  it('lie apart from the valid ones in every situation that is not, also in one that is not known', () => {
    const folders = ['Autorizada', 'Denegada', 'Pendente', 'Inutilizada', 'Suspensa'].map(
      (status) => lugarDe({ ...documento, status }).split('/2026-03/')[0],
    );
    assert.deepEqual(folders, [
      `2026-03/55/${chave}.xml`,
      'Denegadas',
      'Sem protocolo',
      'Inutilizadas',
      'Outras',
    ]);
  });

  it('are of an event whose document has not come the event alone', () => {
    const so = { ...documento, ...evento, status: 'Evento', evento };
    assert.deepEqual(
      arquivosDe(so).map(({ lugar }) => lugar),
      [`2026-03/55/${chave}-110111-1.xml`],
    );
  });

  it('are of a correction the document alone', () => {
    const correcao = { ...evento, codigo: 'correcao', sequencia: 0, id: '', url_download: '', xml: '' };
    assert.deepEqual(
      arquivosDe({ ...documento, evento: correcao }).map(({ lugar }) => lugar),
      [`2026-03/55/${chave}.xml`],
    );
  });

  it('goes by the date where the key has no month', () => {
    const composed = { ...documento, chave: 'NFSE-3550308-11222333000181-7-ABC', modelo: 'NFSe' };
    assert.equal(lugarDe(composed), '2026-03/NFSe/NFSE-3550308-11222333000181-7-ABC.xml');
  });

  it('never leaves the folder, whatever an answer says', () => {
    for (const evil of ['../../fora', '..', 'a/b', 'c:\\x', '.oculto', '']) {
      const place = lugarDe({ ...documento, chave: evil, modelo: evil, data_emissao: evil });
      assert.equal(place.split('/').length, 3, place);
      assert.ok(
        !place.split('/').some((part) => part === '..' || part === '.' || part.includes('\\')),
        place,
      );
    }
  });
});

describe('gravarDocumento', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'malote-exportar-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('writes, recognises the same bytes, and keeps other bytes aside', async () => {
    const path = join(folder, '2026-03', '55', 'x.xml');
    assert.equal(await storeDocumento(path, Buffer.from('um')), 'novo');
    assert.equal(await storeDocumento(path, Buffer.from('um')), 'igual');
    assert.equal(await storeDocumento(path, Buffer.from('dois')), 'substituido');
    assert.equal(readFileSync(path, 'utf8'), 'dois');
    const names = readdirSync(join(path, '..')).sort();
    assert.equal(names.length, 2);
    assert.equal(readFileSync(join(path, '..', names[0] ?? ''), 'utf8'), 'um');
  });
});

describe('Arrumacao', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'malote-arrumar-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const outra = chave.replace(/^35/, '31');
  const com = (status: string, more: object = {}) =>
    ({ ...documento, status, ...more }) as unknown as DocumentoComNsu;
  const escrever = (path: string, text = path) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const arquivos = () =>
    (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith('.xml')).sort();

  it('moves a note that was cancelled with its events and what it took the place of, and no other', async () => {
    const dela = ['', '-110110-1', '.anterior-0123456789ab', '-110110-1.anterior-0123456789ab'];
    for (const resto of dela) escrever(`2026-03/55/${chave}${resto}.xml`);
    const doutras = [`2026-03/55/${outra}.xml`, `2026-03/55/${chave}0.xml`, `2026-03/55/${chave}.novo.xml`];
    for (const path of doutras) escrever(path);
    const arrumacao = new Arrumacao(folder);
    assert.equal(await arrumacao.arrumar(com('Cancelada')), dela.length);
    assert.deepEqual(
      arquivos(),
      [...doutras, ...dela.map((resto) => `Canceladas/2026-03/55/${chave}${resto}.xml`)].sort(),
    );
    assert.equal(arrumacao.mudadas.size, 2);
    assert.equal(await arrumacao.arrumar(com('Cancelada')), 0, 'nothing is left to do');
    assert.equal(await new Arrumacao(folder).arrumar(com('Autorizada')), dela.length, 'and back');
  });

  it('finishes what a run left half done, and loses no bytes', async () => {
    escrever(`2026-03/55/${chave}.xml`, 'velha');
    escrever(`2026-03/55/${chave}-110111-1.xml`, 'evento');
    escrever(`Canceladas/2026-03/55/${chave}.xml`, 'nova');
    escrever(`Canceladas/2026-03/55/${chave}-110111-1.xml`, 'evento');
    await new Arrumacao(folder).arrumar(com('Cancelada'));
    const names = arquivos();
    assert.equal(names.length, 3);
    assert.ok(names.every((name) => name.startsWith('Canceladas/')));
    const textos = names.map((name) => readFileSync(join(folder, name), 'utf8')).sort();
    assert.deepEqual(textos, ['evento', 'nova', 'velha']);
  });

  it('leaves alone an event whose document has not come', async () => {
    escrever(`2026-03/55/${chave}-110111-1.xml`);
    assert.equal(await new Arrumacao(folder).arrumar(com('Evento')), 0);
    assert.equal(await new Arrumacao(folder).arrumar(com('Cancelada')), 1, 'and takes it along when it has');
  });
});
