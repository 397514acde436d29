import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Tabelas } from '../../banco/tabelas.ts';
import { connectSqliteThreads } from '../../platform/db/connect.ts';
import { sha256De } from '../bytes/conteudo.ts';
import {
  AGORA,
  type Cofre,
  chaveDe,
  cpf,
  DESTINATARIO,
  EMITENTE,
  evento,
  nota,
  openCofre,
  TERCEIRO,
  TRANSPORTADOR,
} from '../cofre-testing.ts';
import type { Leitor } from '../queries-leitura.ts';
import { conteudoOriginal, entradaPorNsu, paginaDeNovos } from '../read/feed.ts';
import type { PecaLida } from '../tipos.ts';
import { storeLotes } from './store.ts';

let cofre: Cofre;
beforeEach(async () => {
  cofre = await openCofre();
});
afterEach(() => cofre.db.close());

const CHAVE = chaveDe({});

async function resultados(...pecas: PecaLida[]): Promise<string[]> {
  return (await cofre.gravar(...pecas)).map((peca) => peca.resultado);
}

function nsus(feed: readonly { nsu: number }[]): number[] {
  return feed.map((entrada) => entrada.nsu);
}

async function textoServido(
  db: Leitor,
  { clienteId, nsu }: { clienteId: number; nsu: number },
): Promise<string | null> {
  const pagina = await paginaDeNovos(db, { clienteId, nsu: nsu - 1, pagina: 1, tamanho: 1, comXml: true });
  return pagina.entradas[0]?.xml ?? null;
}

async function servida(clienteId: number, nsu: number): Promise<string> {
  return (await textoServido(cofre.db.read, { clienteId, nsu })) ?? 'nenhuma';
}

function textoDe(peca: PecaLida): string {
  assert.ok(peca.kind === 'registro');
  return JSON.stringify(peca.registro);
}

async function count(table: 'documento' | 'versao' | 'conteudo' | 'participacao'): Promise<number> {
  const { n } = await cofre.db.read
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

describe('an entry for each registered party', () => {
  test('a document makes one entry for every registered client that takes part in it', async () => {
    const emitente = await cofre.registrar(EMITENTE);
    const destinatario = await cofre.registrar(DESTINATARIO);
    const transportador = await cofre.registrar(TRANSPORTADOR);
    const alheio = await cofre.registrar(TERCEIRO);
    assert.deepEqual(await resultados(nota({ outros: [['transportador', TRANSPORTADOR]] })), ['novo']);
    for (const id of [emitente, destinatario, transportador]) {
      assert.deepEqual(await cofre.feed(id), [{ nsu: 1, chave: CHAVE, status: 'Autorizada' }]);
    }
    assert.deepEqual(await cofre.feed(alheio), []);
  });

  test('one document in two feeds is one stored copy', async () => {
    await cofre.registrar(EMITENTE);
    await cofre.registrar(DESTINATARIO);
    await cofre.gravar(nota());
    assert.deepEqual([await count('documento'), await count('versao'), await count('conteudo')], [1, 1, 1]);
    assert.equal(await count('participacao'), 2);
  });

  test('a client that plays several parts has one entry, with the strongest', async () => {
    const id = await cofre.registrar(TRANSPORTADOR);
    const peca = nota({
      destinatario: null,
      outros: [
        ['autorizado', TRANSPORTADOR],
        ['transportador', TRANSPORTADOR],
        ['autorizado', TRANSPORTADOR],
      ],
    });
    await cofre.gravar(peca);
    const { entradas } = await paginaDeNovos(cofre.db.read, {
      clienteId: id,
      nsu: 0,
      pagina: 1,
      tamanho: 50,
      comXml: false,
    });
    assert.deepEqual(
      entradas.map(({ nsu, papel, tipo }) => ({ nsu, papel, tipo })),
      [{ nsu: 1, papel: 'transportador', tipo: 'Recebida' }],
    );
  });

  test('a CPF that issues is a client like any other', async () => {
    const produtor = cpf(123456780);
    const id = await cofre.registrar(produtor);
    await cofre.gravar(
      nota({ emitente: produtor, serie: '920' }),
      nota({ numero: 2, destinatario: produtor }),
    );
    const { entradas } = await paginaDeNovos(cofre.db.read, {
      clienteId: id,
      nsu: 0,
      pagina: 1,
      tamanho: 50,
      comXml: false,
    });
    assert.deepEqual(
      entradas.map((entrada) => entrada.tipo),
      ['Emitida', 'Recebida'],
    );
  });

  test('an event about the note of a CPF that issues in its own series reaches that CPF', async () => {
    const produtor = cpf(123456780);
    const id = await cofre.registrar(produtor);
    const chave = chaveDe({ emitente: produtor, serie: '920' });
    assert.deepEqual(await resultados(evento(chave, { autor: null })), ['evento']);
    assert.deepEqual(await cofre.feed(id), [{ nsu: 1, chave, status: 'Cancelada' }]);
  });

  test('two offices keep the same document apart', async () => {
    const outro = await cofre.novoContador();
    const meu = await cofre.registrar(EMITENTE);
    const dele = await cofre.registrar(EMITENTE, outro);
    const results = await cofre.db.write.transaction().execute((trx) =>
      storeLotes(trx, {
        lotes: [
          { arquivoNumero: 1, contadorId: cofre.contadorId, pecas: [nota()] },
          { arquivoNumero: 2, contadorId: outro, pecas: [nota(), evento(CHAVE)] },
          { arquivoNumero: 3, contadorId: cofre.contadorId, pecas: [nota()] },
        ],
        agora: AGORA,
        homologacao: false,
      }),
    );
    assert.deepEqual(
      results.map((pecas) => pecas.map((peca) => peca.resultado)),
      [['novo'], ['novo', 'evento'], ['duplicado']],
    );
    assert.deepEqual(await cofre.feed(meu), [{ nsu: 1, chave: CHAVE, status: 'Autorizada' }]);
    assert.deepEqual(await cofre.feed(dele), [
      { nsu: 1, chave: CHAVE, status: 'Cancelada' },
      { nsu: 2, chave: CHAVE, status: 'Cancelada' },
    ]);
  });

  test('numbers are dense and grow in order of arrival over many files', async () => {
    const id = await cofre.registrar(EMITENTE);
    for (const numero of [5, 3, 9]) await cofre.gravar(nota({ numero }), nota({ numero: numero + 100 }));
    const feed = await cofre.feed(id);
    assert.deepEqual(nsus(feed), [1, 2, 3, 4, 5, 6]);
    assert.deepEqual(
      feed.map(({ chave }) => Number(chave.slice(25, 34))),
      [5, 105, 3, 103, 9, 109],
    );
  });

  test('nothing of a transaction that fails has happened, and its numbers are given to the next', async () => {
    const id = await cofre.registrar(EMITENTE);
    const lotes = [{ arquivoNumero: 1, contadorId: cofre.contadorId, pecas: [nota()] }];
    const act = cofre.db.write.transaction().execute(async (trx) => {
      await storeLotes(trx, { lotes, agora: AGORA, homologacao: false });
      throw new Error('the process dies');
    });
    await assert.rejects(act);
    assert.deepEqual([await count('documento'), await count('conteudo')], [0, 0]);
    await cofre.gravar(nota({ numero: 2 }));
    assert.deepEqual(nsus(await cofre.feed(id)), [1]);
  });

  test('an empty file and an empty list of files change nothing', async () => {
    assert.deepEqual(await cofre.gravar(), []);
    const none = await cofre.db.write
      .transaction()
      .execute((trx) => storeLotes(trx, { lotes: [], agora: AGORA, homologacao: false }));
    assert.deepEqual(none, []);
  });
});

describe('the same document again', () => {
  test('keeps each of its sets of bytes once, in whatever company and order they come', async () => {
    const versoes = [nota(), nota({ conteudo: 'outro' }), nota({ cStat: null, conteudo: 'um terceiro' })];
    await cofre.gravar(...versoes, ...versoes);
    await cofre.gravar(...versoes.toReversed());
    for (const peca of versoes) await cofre.gravar(peca, peca);
    const kept = await cofre.db.read.selectFrom('versao').select(['documento_id', 'sha256']).execute();
    assert.equal(kept.length, versoes.length);
    assert.equal(new Set(kept.map(({ documento_id, sha256 }) => `${documento_id}/${sha256}`)).size, 3);
  });

  test('the same bytes make no entry', async () => {
    const id = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota());
    assert.deepEqual(await resultados(nota()), ['duplicado']);
    assert.deepEqual(nsus(await cofre.feed(id)), [1]);
    assert.equal(await count('versao'), 1);
  });

  test('other bytes of the same content make no entry and are not kept', async () => {
    const id = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota());
    assert.deepEqual(await resultados(nota({ copia: 'outra indentação' })), ['duplicado']);
    assert.deepEqual(nsus(await cofre.feed(id)), [1]);
    assert.equal(await count('versao'), 1);
  });

  test('a version with protocol takes the place of one without, under a new NSU as well as the old', async () => {
    const id = await cofre.registrar(EMITENTE);
    const [sem, com] = [nota({ cStat: null }), nota()];
    assert.deepEqual(await resultados(sem), ['novo']);
    assert.deepEqual(await cofre.feed(id), [{ nsu: 1, chave: CHAVE, status: 'Pendente' }]);
    assert.deepEqual(await resultados(com), ['atualizado']);
    assert.deepEqual(await cofre.feed(id), [
      { nsu: 1, chave: CHAVE, status: 'Autorizada' },
      { nsu: 2, chave: CHAVE, status: 'Autorizada' },
    ]);
    for (const nsu of [1, 2]) assert.ok((await servida(id, nsu)).includes(textoDe(com)));
  });

  test('a version without protocol that comes late changes nothing', async () => {
    const id = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota());
    assert.deepEqual(await resultados(nota({ cStat: null })), ['duplicado']);
    assert.deepEqual(await cofre.feed(id), [{ nsu: 1, chave: CHAVE, status: 'Autorizada' }]);
  });

  test('the replaced version stays in the vault, byte for byte', async () => {
    await cofre.registrar(EMITENTE);
    const sem = nota({ cStat: null });
    await cofre.gravar(sem);
    await cofre.gravar(nota());
    const versoes = await cofre.db.read
      .selectFrom('versao')
      .select(['id', 'servida'])
      .orderBy('id')
      .execute();
    assert.deepEqual(
      versoes.map((versao) => versao.servida),
      [0, 1],
    );
    const primeira = await conteudoOriginal(cofre.db.read, { versaoId: versoes[0]?.id ?? 0 });
    assert.ok(sem.kind === 'registro');
    assert.equal(primeira && sha256De(primeira.bytes), sem.conteudo.sha256);
  });

  test('an intact copy takes the place of one whose signature does not verify, and not the other way', async () => {
    const id = await cofre.registrar(EMITENTE);
    const intacta = nota({ copia: 'intacta' });
    await cofre.gravar(nota({ copia: 'alterada', assinatura: 'alterada' }));
    assert.deepEqual(await resultados(intacta), ['atualizado']);
    assert.ok((await servida(id, 1)).includes('"intacta"'));
    assert.deepEqual(await resultados(nota({ copia: 'outra', assinatura: 'alterada' })), ['duplicado']);
    assert.deepEqual(nsus(await cofre.feed(id)), [1, 2]);
  });

  test('a client that only the newer version names gets it once', async () => {
    await cofre.registrar(EMITENTE);
    const transportador = await cofre.registrar(TRANSPORTADOR);
    await cofre.gravar(nota({ cStat: null }));
    assert.deepEqual(await cofre.feed(transportador), []);
    await cofre.gravar(nota({ conteudo: 'b', outros: [['transportador', TRANSPORTADOR]] }));
    assert.deepEqual(nsus(await cofre.feed(transportador)), [1]);
  });

  test('a client shows the part that it plays in the version that is served now', async () => {
    const id = await cofre.registrar(DESTINATARIO);
    await cofre.gravar(nota({ cStat: null }));
    await cofre.gravar(nota({ conteudo: 'b', destinatario: null, outros: [['autorizado', DESTINATARIO]] }));
    const entrada = await entradaPorNsu(cofre.db.read, { clienteId: id, nsu: 2 });
    assert.equal(entrada?.papel, 'autorizado');
  });

  test('a client that only the replaced version named keeps its entry', async () => {
    const id = await cofre.registrar(DESTINATARIO);
    await cofre.gravar(nota({ cStat: null }));
    await cofre.gravar(nota({ conteudo: 'b', destinatario: TERCEIRO }));
    assert.deepEqual(nsus(await cofre.feed(id)), [1, 2]);
    const terceiro = await cofre.registrar(TERCEIRO);
    assert.deepEqual(nsus(await cofre.feed(terceiro)), [1]);
  });

  test('a party that only the replaced version named is handed nothing when it registers later', async () => {
    await cofre.gravar(nota({ cStat: null }));
    await cofre.gravar(nota({ conteudo: 'b', destinatario: TERCEIRO }));
    assert.deepEqual(await cofre.feed(await cofre.registrar(DESTINATARIO)), []);
  });
});

describe('the same key with another content', () => {
  test('is a conflict: both are kept and the first authorised one is served', async () => {
    const id = await cofre.registrar(EMITENTE);
    const primeira = nota();
    await cofre.gravar(primeira);
    const [peca] = await cofre.gravar(nota({ conteudo: 'outro' }));
    assert.equal(peca?.resultado, 'conflito');
    assert.equal(peca?.codigo, 'chave_com_outro_conteudo');
    assert.match(peca?.mensagem ?? '', new RegExp(`${CHAVE}.*primeira autorizada`));
    assert.equal(await count('versao'), 2);
    assert.ok((await servida(id, 1)).includes(textoDe(primeira)));
    assert.deepEqual(nsus(await cofre.feed(id)), [1]);
  });

  test('an authorised one takes the place of a pending one', async () => {
    const id = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota({ cStat: null }));
    const autorizada = nota({ conteudo: 'outro' });
    const [peca] = await cofre.gravar(autorizada);
    assert.equal(peca?.resultado, 'conflito');
    assert.match(peca?.mensagem ?? '', /passa a ser a entregue/);
    assert.ok((await servida(id, 1)).includes(textoDe(autorizada)));
    assert.deepEqual(await cofre.feed(id), [
      { nsu: 1, chave: CHAVE, status: 'Autorizada' },
      { nsu: 2, chave: CHAVE, status: 'Autorizada' },
    ]);
  });

  test('sent again it is told again and kept once', async () => {
    await cofre.registrar(EMITENTE);
    await cofre.gravar(nota());
    await cofre.gravar(nota({ conteudo: 'outro' }));
    assert.deepEqual(await resultados(nota({ conteudo: 'outro' })), ['conflito']);
    assert.equal(await count('versao'), 2);
  });

  test('the protocol of the content that is not served is kept as well', async () => {
    await cofre.registrar(EMITENTE);
    await cofre.gravar(nota());
    await cofre.gravar(nota({ conteudo: 'outro', cStat: null }));
    assert.deepEqual(await resultados(nota({ conteudo: 'outro' })), ['conflito']);
    assert.equal(await count('versao'), 3);
  });
});

test('over connections in threads a reader sees what was stored as soon as it is committed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'malote-cofre-'));
  const path = join(folder, 'malote.db');
  const local = await openCofre(path);
  const clienteId = await local.registrar(EMITENTE);
  await local.db.close();
  const db = connectSqliteThreads<Tabelas>(path);
  try {
    const peca = nota();
    const lotes = [{ arquivoNumero: 1, contadorId: local.contadorId, pecas: [peca] }];
    await db.write
      .transaction()
      .execute((trx) => storeLotes(trx, { lotes, agora: AGORA, homologacao: false }));
    const texto = await textoServido(db.read, { clienteId, nsu: 1 });
    assert.ok(texto?.includes(textoDe(peca)));
  } finally {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
