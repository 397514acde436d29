import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { arquivosDe, gravarDocumento } from './exportar-pasta.ts';

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
        [`2026-03/55/${chave}.xml`, '<nota/>'],
        [`2026-03/55/${chave}-110111-1.xml`, '<evento/>'],
      ],
    );
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
    assert.equal(await gravarDocumento(path, Buffer.from('um')), 'novo');
    assert.equal(await gravarDocumento(path, Buffer.from('um')), 'igual');
    assert.equal(await gravarDocumento(path, Buffer.from('dois')), 'substituido');
    assert.equal(readFileSync(path, 'utf8'), 'dois');
    const names = readdirSync(join(path, '..')).sort();
    assert.equal(names.length, 2);
    assert.equal(readFileSync(join(path, '..', names[0] ?? ''), 'utf8'), 'um');
  });
});
