import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Documento } from '../documentos/apresentar.ts';
import { inofensivo, linhaCsv } from './colunas.ts';
import { faultOfPasta, pastaDe, segmento } from './pasta.ts';

const documento = {
  cliente: { cpfCnpj: '12345678000190', nome: '../../etc/passwd' },
  dataEmissao: '2026-03-05T10:00:00-03:00',
  especie: 'NFe',
  modelo: '55',
  serie: '..',
  papel: 'emitente',
  tipo: 'Emitida',
  status: 'Autorizada',
  emitente: { cpfCnpj: 'CON', nome: null },
} as unknown as Documento;

describe('folders of a ZIP', () => {
  it('are filled from the document', () => {
    assert.equal(
      pastaDe('{cnpj}/{ano}-{mes}/{modelo}/{papel}', documento),
      '12345678000190/2026-03/55/emitente',
    );
  });

  it('never lead out, whatever a document or a pattern says', () => {
    for (const padrao of [
      '../..',
      '/etc',
      '{cliente}',
      '{serie}/{serie}',
      'C:\\x',
      '..\\..\\x',
      './.',
      '\u0000/a',
      '~',
    ]) {
      const pasta = pastaDe(padrao, documento);
      assert.ok(!pasta.startsWith('/') && !pasta.includes('\\') && !pasta.includes('\u0000'), padrao);
      for (const part of pasta.split('/'))
        assert.ok(part === '' || !/^\.+$/.test(part), `${padrao}: ${pasta}`);
    }
  });

  it('have no name that Windows keeps for devices', () => {
    assert.equal(pastaDe('{emitente}', documento), '_CON');
    assert.equal(segmento('nul.xml'), '_nul.xml');
  });

  it('refuse fields that do not exist', () => {
    assert.match(faultOfPasta('{senha}') ?? '', /não existe/);
    assert.match(faultOfPasta('{cnpj') ?? '', /não fecham/);
    assert.equal(faultOfPasta('{cnpj}/{ano}'), null);
  });
});

describe('cells', () => {
  it('are never formulas', () => {
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1']) {
      assert.match(inofensivo(text), /^('| )/);
    }
    assert.equal(inofensivo('Padaria'), 'Padaria');
  });

  it('are quoted where they have a semicolon, a quote or a line end', () => {
    assert.equal(linhaCsv(['a;b', 'c"d', 'e\nf', null, 1.5]), '"a;b";"c""d";e f;;1,5\r\n');
  });
});
