import assert from 'node:assert/strict';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openZip } from '../../../test/support/abrir-zip.ts';
import type { Documento } from '../documentos/apresentar.ts';
import { celulaCsv, inofensivo, linhaCsv } from './celulas.ts';
import { faultOfPasta, pastaDe, segmento } from './pasta.ts';
import { type ConteudoDoDocumento, type Desenho, writeZip, type ZipInput } from './zip.ts';

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

  it('are in a CSV what no spreadsheet turns into something else', () => {
    for (const [tipo, valor, written] of [
      [
        'identificador',
        '35260312345678000190550010000000011000000017',
        '3526 0312 3456 7800 0190 5500 1000 0000 0110 0000 0017',
      ],
      ['identificador', '135260000000001', '1352 6000 0000 001'],
      ['identificador', '0623079', '0623 079'],
      ['identificador', '1234567', '1234567'],
      ['pessoa', '12345678000190', '12.345.678/0001-90'],
      ['pessoa', '12ABC34501DE35', '12.ABC.345/01DE-35'],
      ['pessoa', '12345678909', '123.456.789-09'],
      ['moeda', '1234.5', '1234,50'],
      ['moeda', '-0.123', '-0,123'],
      ['quantidade', '3', '3'],
      ['quantidade', '3.5000', '3,5000'],
      ['data', '2026-03-05T10:00:00-03:00', '05/03/2026 10:00:00'],
      ['data', '2026-03-05', '05/03/2026'],
      ['texto', '000123', "'000123"],
      ['texto', '5E10', "'5E10"],
      ['texto', '1-2', "'1-2"],
      ['texto', '5102', '5102'],
      ['texto', '', null],
      ['moeda', null, null],
    ] as const)
      assert.equal(celulaCsv({ titulo: 't', tipo, valor: () => valor }, null), written, `${tipo} ${valor}`);
  });
});

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
const notaDe = (chave: string, more: object = {}) =>
  ({
    ...documento,
    ...nada,
    chave,
    cliente: pessoa,
    emitente: pessoa,
    destinatario: pessoa,
    ...more,
  }) as Documento;

const guardado = (texto = '<a/>') => ({
  sha256: 'aa',
  tamanho: texto.length,
  xml: async () => Buffer.from(texto),
});

describe('a ZIP', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'malote-zip-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function zipDe(
    pagina: Documento[],
    conteudos: ConteudoDoDocumento[],
    more: Partial<ZipInput> = {},
  ): Promise<Map<string, Buffer>> {
    const path = join(folder, 'a.zip');
    await writeZip(createWriteStream(path), {
      paginas: (async function* () {
        yield pagina;
      })(),
      conteudosDe: async () => conteudos,
      pasta: 'p',
      soValidas: false,
      comEventos: true,
      descricao: { cliente: 'Empresa', filtros: ['Emissão: desde 01/03/2026'], pedidaEm: '05/03/2026 10:00' },
      manifesto: join(folder, 'm'),
      onDocumento: () => {},
      ...more,
    });
    return openZip(readFileSync(path));
  }
  const linhasDe = (files: Map<string, Buffer>) =>
    String(files.get('manifest.csv') ?? '')
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(';'));

  it('has no empty file for a document that could not be drawn: the manifest names it and says why', async () => {
    const falta = 'Sem PDF: o desenho passou do tempo, o XML está completo';
    const com = (desenho: Desenho) => ({ nota: guardado(), pdf: async () => desenho, eventos: [] });
    const files = await zipDe(
      ['1', '2', '3'].map((chave) => notaDe(chave)),
      [com({ bytes: Buffer.from('%PDF-') }), com({ falta }), { nota: null, pdf: null, eventos: [] }],
    );
    assert.deepEqual([...files.keys()].sort(), [
      'LEIA-ME.txt',
      'manifest.csv',
      'p/1.pdf',
      'p/1.xml',
      'p/2.xml',
    ]);
    const observed = linhasDe(files).map((cells) => cells[3]);
    assert.deepEqual(observed, ['', falta, 'Conteúdo excluído ao fim do prazo de guarda']);
    const leiaMe = String(files.get('LEIA-ME.txt'));
    assert.match(leiaMe, /\n2 documentos autorizados\.\r\n/);
    assert.match(leiaMe, /\n1 documento sem PDF: /);
    assert.match(leiaMe, /\n1 documento sem arquivo: o conteúdo foi excluído/);
  });

  const evento = (codigo: string, descricao: string) => ({
    codigo,
    descricao,
    sequencia: 1,
    data: '2026-03-06T10:00:00-03:00',
    afastado: false,
    arquivo: guardado('<evento/>'),
  });
  const situacoes = ['Autorizada', 'Cancelada', 'Denegada', 'Pendente', 'Inutilizada', 'Nova'];
  const notas = situacoes.map((status) => notaDe(status.toUpperCase(), { status }));
  const conteudos = notas.map(({ status }) => ({
    nota: guardado(),
    pdf: null,
    eventos:
      status === 'Cancelada' ? [evento('110111', 'Cancelamento'), evento('210200', 'Confirmação')] : [],
  }));

  it('keeps what is not valid apart, each event beside its document, and counts it all', async () => {
    const teste = notaDe('TESTE', { homologacao: true });
    const files = await zipDe(
      [...notas, teste],
      [...conteudos, { nota: guardado(), pdf: null, eventos: [] }],
    );
    assert.deepEqual(
      [...files.keys()].sort(),
      [
        'Canceladas/p/CANCELADA-110111-1.xml',
        'Canceladas/p/CANCELADA-210200-1.xml',
        'Canceladas/p/CANCELADA.xml',
        'Denegadas/p/DENEGADA.xml',
        'Homologacao/p/TESTE.xml',
        'Inutilizadas/p/INUTILIZADA.xml',
        'LEIA-ME.txt',
        'Outras/p/NOVA.xml',
        'Sem protocolo/p/PENDENTE.xml',
        'manifest.csv',
        'p/AUTORIZADA.xml',
      ].sort(),
    );
    assert.equal(String(files.get('Canceladas/p/CANCELADA-110111-1.xml')), '<evento/>');
    const leiaMe = String(files.get('LEIA-ME.txt'));
    assert.ok(
      leiaMe.startsWith(
        '\ufeffEXPORTAÇÃO DE DOCUMENTOS FISCAIS\r\n\r\nEmpresa\r\nEmissão: desde 01/03/2026\r\n',
      ),
    );
    assert.match(
      leiaMe,
      /\n1 documento autorizado\.\r\n1 documento cancelado, à parte na pasta Canceladas\.\r\n/,
    );
    assert.match(
      leiaMe,
      /\n2 eventos, cada um ao lado.*\r\n {4}1 × Cancelamento \(110111\)\r\n {4}1 × Confirmação \(210200\)/,
    );
    const doEvento = linhasDe(files).find(([path]) => path?.includes('110111')) ?? [];
    assert.deepEqual(doEvento.slice(3, 6), ['Cancelamento', 'CANCELADA', 'Evento']);
  });

  it('leaves out what is not valid where that is asked for: the manifest and the LEIA-ME tell of it', async () => {
    const files = await zipDe(notas, conteudos, { soValidas: true });
    assert.deepEqual([...files.keys()].sort(), ['LEIA-ME.txt', 'manifest.csv', 'p/AUTORIZADA.xml']);
    assert.equal(linhasDe(files).length, situacoes.length);
    assert.match(String(files.get('LEIA-ME.txt')), /DEIXADOS DE FORA[^\n]*\n1 documento cancelado\.\r\n/);
  });

  it('fails, and ends nothing else, where its manifest cannot be written', async () => {
    const slow = (async function* () {
      // What a page takes: meanwhile nobody waits for the manifest.
      await delay(50);
      yield [];
    })();
    const made = zipDe([], [], { paginas: slow, manifesto: join(folder, 'full', 'm') });
    await assert.rejects(made, { code: 'ENOENT' });
  });
});
