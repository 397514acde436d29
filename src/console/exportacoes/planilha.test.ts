import assert from 'node:assert/strict';
import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { readXlsx } from 'hucre/xlsx';
import { openZip } from '../../../test/support/abrir-zip.ts';
import { SEM_TOTAIS } from '../../fiscal/valores/tipos.ts';
import type { Documento } from '../documentos/apresentar.ts';
import type { LinhaDeDocumento, PaginaDeLinhas } from './linhas.ts';
import { writePlanilha } from './planilha.ts';
import { letra } from './xlsx.ts';

const pessoa = { cpfCnpj: '11222333000181', nome: 'Empresa' };
const vazio = Object.fromEntries(
  ['numeroFinal', 'uf', 'manifestacao', 'prova', 'finalidade', 'nsu', 'serie'].map((campo) => [campo, null]),
);
const linha = (
  more: Partial<Omit<LinhaDeDocumento, 'documento'>> & { documento?: Partial<Documento> },
): LinhaDeDocumento => ({
  valores: null,
  direcao: null,
  conta: true,
  ...more,
  documento: {
    ...vazio,
    chave: '35260312345678000190550010000000011000000017',
    especie: 'NFe',
    modelo: '55',
    numero: '1',
    status: 'Autorizada',
    tipo: 'Recebida',
    papel: 'destinatario',
    dataEmissao: '2026-03-05T10:00:00-03:00',
    dataImportacao: '2026-03-06T10:00:00-03:00',
    emitente: pessoa,
    destinatario: pessoa,
    cliente: pessoa,
    valor: '10.01',
    cartaCorrecao: false,
    homologacao: false,
    ...more.documento,
  } as Documento,
});

describe('a workbook', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'malote-planilha-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function livroDe(documentos: LinhaDeDocumento[]): Promise<Buffer> {
    const path = join(folder, 'livro.xlsx');
    const paginas = (async function* (): AsyncGenerator<PaginaDeLinhas> {
      // One by one: rows of one document may stand in two pages.
      for (const documento of documentos) yield { documentos: [documento], eventos: [] };
    })();
    const descricao = { cliente: 'Empresa', filtros: ['Emissão: março'], pedidaEm: '05/03/2026 10:00' };
    await writePlanilha(createWriteStream(path), {
      paginas,
      descricao,
      rascunho: (nome) => join(folder, nome),
    });
    return readFileSync(path);
  }
  async function totaisDe(bytes: Buffer): Promise<Map<unknown, unknown[]>> {
    const { sheets } = await readXlsx(bytes);
    return new Map((sheets.at(-1)?.rows ?? []).map((row) => [row[0], row.slice(1, 3)]));
  }

  it('adds a note of several clients once: of its rows the first that the filter shows', async () => {
    const bytes = await livroDe([
      linha({ direcao: 'Saída' }),
      linha({ direcao: 'Entrada', conta: false }),
      linha({ conta: false }),
      linha({ direcao: 'Entrada', documento: { valor: '0.10' } }),
    ]);
    const xml = String((await openZip(bytes)).get('xl/worksheets/sheet1.xml'));
    const visivel = /<f>([A-Z]+)2<\/f>/.exec(xml)?.[1];
    const formulas = [...xml.matchAll(/<c r="[A-Z]+(\d)"[^>]*><f>([^<]*)<\/f><v>(\d)<\/v>/g)].map(
      ([, row, formula, value]) => `${row} ${formula} ${value}`,
    );
    const c = letra([...xml.matchAll(/<col min/g)].length - 2);
    assert.deepEqual(formulas, [
      ...[`2 ${visivel}2 1`, '2 SUBTOTAL(103,A2) 1'],
      ...[`3 ${visivel}3*(1-${c}2) 0`, '3 SUBTOTAL(103,A3) 1'],
      ...[`4 ${visivel}4*(1-${c}2-${c}3) 0`, '4 SUBTOTAL(103,A4) 1'],
      ...[`5 ${visivel}5 1`, '5 SUBTOTAL(103,A5) 1'],
    ]);
    const totais = await totaisDe(bytes);
    assert.deepEqual(totais.get('Autorizadas, cada uma contada uma vez'), [2, 10.11]);
    assert.deepEqual(totais.get('Saídas autorizadas'), [1, 10.01]);
    assert.deepEqual(totais.get('Entradas autorizadas'), [2, 10.11]);
  });

  it('keeps what is cancelled, denied, without protocol or of a test out of the sums of the valid', async () => {
    const totais = await totaisDe(
      await livroDe([
        linha({ direcao: 'Entrada', documento: { status: 'Cancelada', valor: '1.00' } }),
        linha({ direcao: 'Entrada', documento: { status: 'Denegada', valor: '2.00' } }),
        linha({ direcao: 'Entrada', documento: { status: 'Pendente', valor: '4.00' } }),
        linha({ direcao: 'Entrada', documento: { homologacao: true, valor: '8.00' } }),
        linha({ direcao: 'Entrada', documento: { valor: '16.00' } }),
      ]),
    );
    assert.deepEqual(
      ['Entradas autorizadas', 'Canceladas', 'Denegadas', 'Sem protocolo'].map((nome) => totais.get(nome)),
      [
        [1, 16],
        [1, 1],
        [1, 2],
        [1, 4],
      ],
    );
  });

  it('has every text as it is, also what markup, formulas and control characters are made of; nothing is 0 that is not there', async () => {
    const nome = 'A & B <Ltda> "x" \u0001 😀 \ud800';
    const valores = {
      ...{ natureza: '=SOMA(A1)', cfops: ['5102', '5405'], protocolo: '135260000000001', autorizadoEm: null },
      ...{ emitente: { ie: '0623079', uf: 'MG' }, destinatario: { ie: null, uf: null } },
      ...{ totais: { ...SEM_TOTAIS, icms: '1.80' }, itens: [] },
    };
    const bytes = await livroDe([linha({ valores, documento: { emitente: { ...pessoa, nome } } })]);
    const [head = [], row = []] = (await readXlsx(bytes)).sheets[0]?.rows ?? [];
    const celula = (titulo: string) => row[head.indexOf(titulo)] ?? null;
    assert.deepEqual(
      ['Emitente', 'Natureza da operação', 'CFOP', 'IE do emitente', 'Protocolo', 'ICMS', 'IPI'].map(celula),
      ['A & B <Ltda> "x"   😀 \ufffd', "'=SOMA(A1)", '5102 / 5405', '0623079', '135260000000001', 1.8, null],
    );
    assert.equal((celula('Emissão') as Date).toISOString(), '2026-03-05T10:00:00.000Z');
  });

  it('leaves nothing open of one that breaks', async () => {
    const paginas = (async function* (): AsyncGenerator<PaginaDeLinhas> {
      yield { documentos: [linha({})], eventos: [] };
      throw new Error('the database is away');
    })();
    const descricao = { cliente: '', filtros: [], pedidaEm: '' };
    const made = writePlanilha(new PassThrough(), {
      paginas,
      descricao,
      rascunho: (nome) => join(folder, nome),
    });
    await assert.rejects(made, /the database is away/);
    assert.ok(!readdirSync(folder).includes('totais.gz'));
  });
});
