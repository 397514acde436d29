import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { AGORA, type Cofre, DESTINATARIO, EMITENTE, nota, openCofre } from '../cofre-testing.ts';
import { deleteDocumentos } from '../delete/excluir.ts';
import { indexarAntigas } from './empresas.ts';
import { NOME_MAX, nomeGuardado, palavrasDe } from './palavras.ts';

let cofre: Cofre;
beforeEach(async () => {
  cofre = await openCofre();
  await cofre.registrar(EMITENTE);
});
afterEach(() => cofre.db.close());

async function indexadas(): Promise<string[]> {
  const rows = await cofre.db.read.selectFrom('empresa_palavra').select('cpf_cnpj').distinct().execute();
  return rows.map((row) => row.cpf_cnpj).sort();
}

it('words are upper case without accents, each once, and never longer than is typed', () => {
  assert.deepEqual(palavrasDe('São José & Cia. São'), ['SAO', 'JOSE', 'CIA']);
  assert.deepEqual(palavrasDe('  ... '), []);
  assert.deepEqual(palavrasDe('x'.repeat(1_000)), ['X'.repeat(30)]);
  assert.ok(palavrasDe(Array.from({ length: 100 }, (_one, index) => `p${index}`).join(' ')).length <= 12);
});

it('a name is kept, cut, exactly when there is a word in it', () => {
  const nomes = [
    'ACME',
    'É',
    'Ação & Cia',
    'e\u0301',
    '株式会社',
    '½',
    '٣',
    '',
    ' ',
    '.,-/&',
    '\u0301',
    '—',
    '🏭',
    '_',
  ];
  nomes.push(`${' '.repeat(NOME_MAX)}ACME`, `${'.'.repeat(NOME_MAX - 1)}É`, 'x'.repeat(NOME_MAX + 5));
  for (const nome of nomes) {
    const kept = palavrasDe(nome).length === 0 ? '' : nome.slice(0, NOME_MAX);
    assert.equal(nomeGuardado(nome), kept, JSON.stringify(nome));
  }
});

describe('the index of companies', () => {
  it('has the parties of what is stored, once', async () => {
    await cofre.gravar(nota({ numero: 1 }), nota({ numero: 2 }));
    await cofre.gravar(nota({ numero: 3 }));
    const rows = await cofre.db.read.selectFrom('empresa').select('cpf_cnpj').execute();
    assert.equal(rows.length, new Set(rows.map((row) => row.cpf_cnpj)).size);
    assert.ok((await indexadas()).includes(DESTINATARIO));
  });

  it('takes over what was stored before it was there, step by step', async () => {
    await cofre.gravar(nota());
    const before = await indexadas();
    const { db } = cofre;
    await db.write.deleteFrom('empresa').execute();
    await db.write.deleteFrom('empresa_palavra').execute();
    const contador = await db.read.selectFrom('documento').select('contador_id').executeTakeFirstOrThrow();
    await db.write
      .insertInto('empresa_pendente')
      .values({ contador_id: contador.contador_id, depois_de: '' })
      .execute();
    while (await db.write.transaction().execute((trx) => indexarAntigas(trx))) {
      // Until nothing is left.
    }
    assert.deepEqual(await indexadas(), before);
  });

  it('forgets who stands in deleted documents only', async () => {
    await cofre.gravar(nota({ numero: 1 }));
    const documento = await cofre.db.read
      .selectFrom('documento')
      .select(['id', 'contador_id'])
      .executeTakeFirstOrThrow();
    await cofre.db.write
      .transaction()
      .execute((trx) =>
        deleteDocumentos(trx, { contadorId: documento.contador_id, ids: [documento.id], agora: AGORA }),
      );
    assert.deepEqual(await indexadas(), []);
  });
});
