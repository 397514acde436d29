import assert from 'node:assert/strict';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openZip } from '../../../test/support/abrir-zip.ts';
import type { Documento } from '../documentos/apresentar.ts';
import { inofensivo, linhaCsv } from './colunas.ts';
import { faultOfPasta, pastaDe, segmento } from './pasta.ts';
import { type Desenho, writeZip } from './zip.ts';

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

describe('a ZIP with PDFs', () => {
  it('has no empty file for a document that could not be drawn: the manifest names it and says why', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'malote-zip-'));
    const path = join(folder, 'a.zip');
    const nada = Object.fromEntries(
      [
        'numero',
        'numeroFinal',
        'dataImportacao',
        'uf',
        'valor',
        'manifestacao',
        'finalidade',
        'nsu',
        'prova',
      ].map((campo) => [campo, null]),
    );
    const pessoa = { cpfCnpj: '11222333000181', nome: 'Empresa' };
    const [desenhado, semDesenho, excluido] = ['1', '2', '3'].map(
      (chave) =>
        ({
          ...documento,
          ...nada,
          chave,
          cliente: pessoa,
          emitente: pessoa,
          destinatario: pessoa,
        }) as Documento,
    ) as [Documento, Documento, Documento];
    const arquivo = (desenho: Desenho) => ({
      sha256: 'aa',
      tamanho: 3,
      xml: async () => Buffer.from('<a/>'),
      pdf: async () => desenho,
    });
    const falta = 'Sem PDF: o desenho passou do tempo, o XML está completo';
    try {
      await writeZip(createWriteStream(path), {
        paginas: (async function* () {
          yield [desenhado, semDesenho, excluido];
        })(),
        arquivosDe: async () => [arquivo({ bytes: Buffer.from('%PDF-') }), arquivo({ falta }), null],
        pasta: 'p',
        manifesto: join(folder, 'm'),
        onDocumento: () => {},
      });
      const files = await openZip(readFileSync(path));
      assert.deepEqual([...files.keys()].sort(), ['manifest.csv', 'p/1.pdf', 'p/1.xml', 'p/2.xml']);
      const lines = (files.get('manifest.csv') ?? Buffer.alloc(0)).toString().trimEnd().split('\r\n');
      const observed = lines.slice(1).map((line) => line.split(';')[3]);
      assert.deepEqual(observed, ['', falta, 'Conteúdo excluído ao fim do prazo de guarda']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('fails, and ends nothing else, where its manifest cannot be written', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'malote-zip-'));
    try {
      const made = writeZip(createWriteStream(join(folder, 'a.zip')), {
        paginas: (async function* () {
          // What a page takes: meanwhile nobody waits for the manifest.
          await delay(50);
          yield [];
        })(),
        arquivosDe: async () => [],
        pasta: 'p',
        manifesto: join(folder, 'full', 'm'),
        onDocumento: () => {},
      });
      await assert.rejects(made, { code: 'ENOENT' });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
