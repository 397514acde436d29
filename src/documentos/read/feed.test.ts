import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { prepareConteudo } from '../bytes/conteudo.ts';
import {
  AGORA,
  type Cofre,
  chaveDe,
  EMITENTE,
  evento,
  inutilizacao,
  nota,
  openCofre,
  TERCEIRO,
} from '../cofre-testing.ts';
import type { PecaLida } from '../tipos.ts';
import { conteudoOriginal, entradaPorChave, entradaPorNsu, entradasComTexto, paginaDeNovos } from './feed.ts';

let cofre: Cofre;
let clienteId = 0;
beforeEach(async () => {
  cofre = await openCofre();
  clienteId = await cofre.registrar(EMITENTE);
});
afterEach(() => cofre.db.close());

const CHAVE = chaveDe({});

function novos(input: { nsu?: number; pagina?: number; tamanho?: number; comXml?: boolean } = {}) {
  const { nsu = 0, pagina = 1, tamanho = 50, comXml = false } = input;
  return paginaDeNovos(cofre.db.read, { clienteId, nsu, pagina, tamanho, comXml });
}

async function nsusDe(input: Parameters<typeof novos>[0]): Promise<number[]> {
  return (await novos(input)).entradas.map((entrada) => entrada.nsu);
}

function porChave(chave: string) {
  const { contadorId } = cofre;
  return entradaPorChave(cofre.db.read, { clienteId, contadorId, chave });
}

describe('a page of what is new', () => {
  beforeEach(() => cofre.gravar(...Array.from({ length: 10 }, (_, i) => nota({ numero: i + 1 }))));

  test('total is what is newer than the NSU, however small the page', async () => {
    for (const [nsu, total] of [
      [0, 10],
      [3, 7],
      [10, 0],
      [11, 0],
    ] as const) {
      assert.equal((await novos({ nsu, tamanho: 2 })).total, total);
    }
  });

  test('pages follow each other in the order of the NSU', async () => {
    assert.deepEqual(await nsusDe({ nsu: 3, pagina: 1, tamanho: 3 }), [4, 5, 6]);
    assert.deepEqual(await nsusDe({ nsu: 3, pagina: 2, tamanho: 3 }), [7, 8, 9]);
    assert.deepEqual(await nsusDe({ nsu: 3, pagina: 3, tamanho: 3 }), [10]);
  });

  test('past the end there is nothing, and the true total', async () => {
    assert.deepEqual(await novos({ pagina: 11, tamanho: 1 }), { total: 10, entradas: [] });
  });

  test('a page or an NSU beyond all numbers is past the end', async () => {
    for (const huge of [2 ** 53 - 1, 2 ** 53, 2 ** 62, 9.3e18]) {
      assert.deepEqual(await novos({ pagina: huge, tamanho: 500 }), { total: 10, entradas: [] });
      assert.deepEqual(await novos({ nsu: huge }), { total: 0, entradas: [] });
      assert.equal(await entradaPorNsu(cofre.db.read, { clienteId, nsu: huge }), null);
    }
  });

  test('a client without entries has an empty feed', async () => {
    clienteId = await cofre.registrar(TERCEIRO);
    assert.deepEqual(await novos(), { total: 0, entradas: [] });
  });
});

describe('entries with their text', () => {
  const pedacos = async (primeiro: number, ultimo: number) => {
    const found: string[] = [];
    for await (const entradas of entradasComTexto(cofre.db.read, { clienteId, primeiro, ultimo })) {
      assert.ok(entradas.every(({ xml, tamanho }) => xml?.length === tamanho));
      found.push(entradas.map(({ nsu }) => nsu).join(' '));
    }
    return found;
  };

  test('come in pieces of so many, and above one of so many bytes, known before texts are read', async () => {
    const notas = Array.from({ length: 20 }, (_, i) => {
      const peca = nota({ numero: i + 1 });
      assert.ok(peca.kind === 'registro');
      const bytes = Buffer.from(`<nota>${'x'.repeat([2, 3, 4].includes(i) ? 600_000 : 100)}</nota>`);
      return { ...peca, conteudo: prepareConteudo(bytes, 'utf-8') };
    });
    await cofre.gravar(...notas);
    assert.deepEqual(await pedacos(1, 20), ['1 2 3', '4', '5 6 7 8 9 10 11 12 13 14 15 16', '17 18 19 20']);
    assert.deepEqual(await pedacos(2, 3), ['2 3']);
    assert.deepEqual(await pedacos(4, 3), []);
  });
});

describe('an entry', () => {
  test('tells all that the record of the export needs', async () => {
    await cofre.gravar(nota({ numero: 42, serie: '7', data: '2026-02-03T04:05:06-04:00' }));
    const entrada = await entradaPorNsu(cofre.db.read, { clienteId, nsu: 1 });
    const { documentoId, versaoId, sha256, tamanho, ...rest } = entrada ?? {};
    assert.ok(tamanho && tamanho > 0);
    assert.deepEqual(rest, {
      nsu: 1,
      chave: chaveDe({ numero: 42, serie: '7', data: '2026-02-03T04:05:06-04:00' }),
      modelo: '55',
      status: 'Autorizada',
      tipo: 'Emitida',
      papel: 'emitente',
      serie: '7',
      numero: '42',
      dataEmissao: '2026-02-03T04:05:06-04:00',
      importadoEm: AGORA,
      evento: null,
      prova: 'assinada',
      layoutNacional: false,
      municipioPrestacao: null,
      revisao: 1,
      xml: null,
    });
  });

  test('shows the text of the document when it is asked for, without a byte order mark', async () => {
    const peca = nota();
    assert.ok(peca.kind === 'registro');
    const bytes = Buffer.from('\ufeff<nota>ação</nota>');
    await cofre.gravar({ ...peca, conteudo: prepareConteudo(bytes, 'utf-8') });
    const { entradas } = await novos({ comXml: true });
    assert.equal(entradas[0]?.xml, '<nota>ação</nota>');
    const original = await conteudoOriginal(cofre.db.read, { versaoId: entradas[0]?.versaoId ?? 0 });
    assert.deepEqual(original?.bytes, bytes);
  });

  test('shows other encodings as text and gives their bytes back untouched', async () => {
    const peca = nota();
    assert.ok(peca.kind === 'registro');
    const bytes = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><nota>ação</nota>', 'latin1');
    await cofre.gravar({ ...peca, conteudo: prepareConteudo(bytes, 'iso-8859-1') });
    const { entradas } = await novos({ comXml: true });
    assert.match(entradas[0]?.xml ?? '', /encoding="UTF-8".*ação/);
    const original = await conteudoOriginal(cofre.db.read, { versaoId: entradas[0]?.versaoId ?? 0 });
    assert.deepEqual(original?.bytes, bytes);
  });

  test('of a number that the client does not have is none', async () => {
    await cofre.gravar(nota());
    for (const nsu of [0, 2]) {
      assert.equal(await entradaPorNsu(cofre.db.read, { clienteId, nsu }), null);
    }
  });
});

describe('a document by its key', () => {
  test('is the document and not its events, with its newest NSU', async () => {
    await cofre.gravar(nota({ cStat: null }));
    await cofre.gravar(evento(CHAVE));
    await cofre.gravar(nota());
    const entrada = await porChave(CHAVE);
    assert.equal(entrada?.evento, null);
    assert.equal(entrada?.nsu, 3);
  });

  test('is the one of production where a test document has the same key', async () => {
    cofre.homologacao = true;
    await cofre.gravar(nota(), nota({ ambiente: 2 }));
    assert.equal((await porChave(CHAVE))?.nsu, 1);
    assert.equal((await novos()).total, 2);
  });

  test('is the newest event while only events are held', async () => {
    await cofre.gravar(evento(CHAVE, { codigo: '110110' }), evento(CHAVE));
    const entrada = await porChave(CHAVE);
    assert.equal(entrada?.evento?.codigo, '110111');
    assert.equal(entrada?.nsu, 2);
  });

  test('finds an inutilização by its Id', async () => {
    const peca: PecaLida = inutilizacao({ de: 1, ate: 2 });
    await cofre.gravar(peca);
    assert.ok(peca.kind === 'registro');
    assert.equal((await porChave(peca.registro.chave))?.status, 'Inutilizada');
  });

  test('is none for a client without part in it, and for an unknown key', async () => {
    await cofre.gravar(nota());
    assert.equal(await porChave(chaveDe({ numero: 2 })), null);
    clienteId = await cofre.registrar(TERCEIRO);
    assert.equal(await porChave(CHAVE), null);
  });
});

describe('the original bytes', () => {
  test('of an unknown version are none', async () => {
    assert.equal(await conteudoOriginal(cofre.db.read, { versaoId: 99 }), null);
  });

  test('tell which event they are', async () => {
    await cofre.gravar(evento(CHAVE, { codigo: '110110', sequencia: 3 }));
    const original = await conteudoOriginal(cofre.db.read, { versaoId: 1 });
    assert.deepEqual(original?.evento, { codigo: '110110', sequencia: 3 });
    assert.equal(original?.chave, CHAVE);
  });

  test('are never served altered when one stored bit has changed, wherever it lies', async () => {
    await cofre.gravar(nota());
    const { bytes } = await cofre.db.read.selectFrom('conteudo').select('bytes').executeTakeFirstOrThrow();
    const original = (await conteudoOriginal(cofre.db.read, { versaoId: 1 }))?.bytes;
    const texto = original?.toString();
    let refused = 0;
    for (let at = 0; at < bytes.length; at++) {
      const rotten = new Uint8Array(bytes);
      rotten[at] = (rotten[at] ?? 0) ^ 4;
      await cofre.db.write.updateTable('conteudo').set({ bytes: rotten }).execute();
      const [download, page] = await Promise.allSettled([
        conteudoOriginal(cofre.db.read, { versaoId: 1 }),
        novos({ comXml: true }),
      ]);
      if (download.status === 'rejected') refused++;
      else assert.deepEqual(download.value?.bytes, original, `byte ${at}`);
      if (page.status === 'fulfilled') assert.equal(page.value.entradas[0]?.xml, texto, `byte ${at}`);
    }
    // Bits of the header that say whether a checksum follows, or how much memory to set aside, alter nothing.
    assert.ok(refused >= bytes.length - 4, `${refused} of ${bytes.length}`);
  });
});
