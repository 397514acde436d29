import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { AGORA, type Cofre, collect, EMITENTE, findEm, nota, openCofre } from '../cofre-testing.ts';
import { deleteDocumentos } from '../delete/excluir.ts';
import { conteudoOriginal } from '../read/feed.ts';
import { repairCofre } from '../verify/reparar.ts';
import { verifyCofre } from '../verify/verificar.ts';

const UM = 'MIIE'.repeat(200);
const OUTRO = 'MIIF'.repeat(200);

let cofre: Cofre;
beforeEach(async () => {
  cofre = await openCofre();
  await cofre.registrar(EMITENTE);
  await cofre.gravar(nota({ certificado: UM }), nota({ numero: 2, certificado: UM }));
  await cofre.gravar(
    nota({ numero: 3, certificado: UM }),
    nota({ numero: 4, certificado: OUTRO }),
    nota({ numero: 5 }),
  );
});
afterEach(() => cofre.db.close());

const usos = async () =>
  (
    await cofre.db.read
      .selectFrom('certificado_de_documento')
      .select(['texto', 'usos'])
      .orderBy('id')
      .execute()
  ).map(({ texto, usos: quantos }) => [texto.slice(0, 4), quantos]);

const versoes = () =>
  cofre.db.read.selectFrom('versao').select(['id', 'documento_id']).orderBy('id').execute();

async function readable(): Promise<number> {
  let read = 0;
  for (const { id } of await versoes()) {
    const original = await conteudoOriginal(cofre.db.read, { versaoId: id }).catch(() => null);
    if (original) read += 1;
  }
  return read;
}

const codigos = async () => [
  ...new Set((await collect(verifyCofre(cofre.db.read))).map(({ codigo }) => codigo)),
];

const reparar = async () =>
  collect(
    repairCofre(
      {
        db: cofre.db.write,
        agora: () => AGORA,
        homologacao: false,
        findInEnvio: () => findEm(new Map(), new Set()),
        acharProtocolos: async () => [],
      },
      await collect(verifyCofre(cofre.db.read)),
    ),
  );

describe('certificates of documents', () => {
  test('are kept once, and counted', async () => {
    assert.deepEqual(await usos(), [
      ['MIIE', 3],
      ['MIIF', 1],
    ]);
    assert.equal(await readable(), 5);
    assert.deepEqual(await codigos(), []);
  });

  test('are not counted again for a document that is there already', async () => {
    await cofre.gravar(nota({ certificado: UM }));
    assert.deepEqual((await usos())[0], ['MIIE', 3]);
  });

  test('are deleted with the last document that needs them', async () => {
    const ids = (await versoes()).map((versao) => versao.documento_id);
    const excluir = (quais: number[]) =>
      cofre.db.write
        .transaction()
        .execute((trx) => deleteDocumentos(trx, { contadorId: cofre.contadorId, ids: quais, agora: AGORA }));
    await excluir([ids[3] ?? 0, ids[0] ?? 0]);
    assert.deepEqual(await usos(), [['MIIE', 2]]);
    assert.equal(await readable(), 3);
    assert.deepEqual(await codigos(), []);
    await excluir([ids[1] ?? 0, ids[2] ?? 0]);
    assert.deepEqual(await usos(), []);
  });

  test('that are damaged are found, in every document that needs them', async () => {
    await cofre.danificar(`update certificado_de_documento set texto = 'MIIX' where usos = 3`);
    assert.deepEqual(await codigos(), ['conteudo_danificado', 'certificado_danificado']);
    assert.equal(await readable(), 2);
    // A document that comes anew brings the certificate back for all of them.
    await cofre.gravar(nota({ numero: 6, certificado: UM }));
    assert.deepEqual(await codigos(), []);
    assert.equal(await readable(), 6);
  });

  test('that are gone are found, and documents are not served without them', async () => {
    await cofre.danificar(`delete from certificado_de_documento where usos = 3`);
    assert.deepEqual(await codigos(), ['conteudo_danificado']);
    assert.equal(await readable(), 2);
  });

  test('that are counted wrongly are found and counted again', async () => {
    await cofre.danificar('update certificado_de_documento set usos = usos - 1');
    assert.deepEqual(await codigos(), ['certificado_contado_errado']);
    await reparar();
    assert.deepEqual(await usos(), [
      ['MIIE', 3],
      ['MIIF', 1],
    ]);
    assert.deepEqual(await codigos(), []);
  });
});
