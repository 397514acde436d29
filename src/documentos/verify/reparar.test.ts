import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { MOTOR } from '../../../test/support/motor.ts';
import { descomprimir } from '../bytes/conteudo.ts';
import { readHash } from '../bytes/hash-guardado.ts';
import {
  AGORA,
  type Cofre,
  chaveDe,
  collect,
  comEnvios,
  DESTINATARIO,
  EMITENTE,
  esperado,
  evento,
  findEm,
  inutilizacao,
  nota,
  openCofre,
} from '../cofre-testing.ts';
import { MOTIVO_EM_CODIGO, PAPEL_EM_CODIGO, TIPO_EM_CODIGO } from '../lean/codigos.ts';
import { COLUNAS_GUARDADAS } from '../queries-leitura.ts';
import { type DepsDoReparo, repairCofre } from './reparar.ts';
import { verifyCofre } from './verificar.ts';

let cofre: Cofre;
/** Documents of uploads that are still there, by SHA-256. */
let envios: Map<string, Uint8Array>;
beforeEach(async () => {
  cofre = await openCofre();
  await cofre.registrar(EMITENTE);
  await cofre.registrar(DESTINATARIO);
  await cofre.gravar(nota({ cStat: null }), nota({ numero: 2 }), nota({ numero: 3 }));
  await cofre.gravar(nota(), nota({ numero: 3, conteudo: 'outro' }));
  await cofre.gravar(evento(chaveDe({ numero: 2 })), inutilizacao({ de: 5, ate: 7 }));
  await cofre.gravar(esperado(chaveDe({ numero: 8 })));
  await comEnvios(cofre);
  const rows = await cofre.db.read
    .selectFrom('versao')
    .innerJoin('conteudo', 'conteudo.versao_id', 'versao.id')
    .leftJoin('bloco', 'bloco.id', 'conteudo.bloco_id')
    .leftJoin('certificado_de_documento', 'certificado_de_documento.id', 'conteudo.certificado_id')
    .select(['versao.sha256', ...COLUNAS_GUARDADAS])
    .execute();
  envios = new Map(rows.map((row) => [readHash(row.sha256), descomprimir(row)]));
});
afterEach(() => cofre.db.close());

const achados = () => collect(verifyCofre(cofre.db.read));
const codigos = async () => [...new Set((await achados()).map(({ codigo }) => codigo))].sort();
const feeds = () =>
  cofre.db.read.selectFrom('entrada').selectAll().orderBy('cliente_id').orderBy('nsu').execute();
async function reparar(deps: Partial<DepsDoReparo> = {}) {
  return collect(
    repairCofre(
      {
        db: cofre.db.write,
        agora: () => AGORA,
        homologacao: false,
        findInEnvio: ({ documentos }) => findEm(envios, documentos),
        acharProtocolos: async () => [],
        ...deps,
      },
      await achados(),
    ),
  );
}

const REPARO = MOTIVO_EM_CODIGO.escrever('reparo');

describe('damage is repaired, and no number moves', () => {
  /** Told: readers were shown something else. */
  const cases: [name: string, text: string, told?: 'told'][] = [
    ['a wrong count', 'update contagem set quantidade = quantidade + 1 where cliente_id = 2'],
    ['missing counts', 'delete from contagem where cliente_id = 1'],
    [
      'a count of a day that has nothing',
      "insert into contagem (cliente_id, modelo, dia, tipo, status, carta_correcao, quantidade) values (1, '55', '2020-01-01', 'Emitida', 'Autorizada', 0, 4)",
    ],
    [
      'a listing row with another papel and the other side',
      `update participacao set papel = ${PAPEL_EM_CODIGO.escrever('autorizado')}, tipo = ${TIPO_EM_CODIGO.escrever('Recebida')} where cliente_id = 1 and documento_id = 2`,
    ],
    ['a document that no row counts', 'update participacao set repetida = 2 where documento_id = 2'],
    ['no served version', 'update versao set servida = 0 where documento_id = 1', 'told'],
    ['no served version of one in conflict', 'update versao set servida = 0 where documento_id = 3', 'told'],
    [
      'a status that does not follow',
      "update documento set status = 'Autorizada' where numero_inicial = 2 and classe = 'documento'",
      'told',
    ],
    ['a status of an event', "update documento set status = 'Evento' where classe = 'evento'"],
    [
      'a status of an inutilização',
      "update documento set status = 'Autorizada' where classe = 'inutilizacao'",
      'told',
    ],
    [
      'a listing row with another day',
      'update participacao set emitido_em = emitido_em - 86400000 where documento_id = 2',
    ],
    ['a listing row with a status of no word', 'update participacao set status = 99 where documento_id = 2'],
    [
      'a listing row with an old NSU',
      'update participacao set nsu = 1 where cliente_id = 1 and documento_id = 1 and nsu <> 1',
    ],
    [
      'an entry that is not listed',
      "delete from participacao where cliente_id = 1 and documento_id = (select id from documento where classe = 'inutilizacao')",
    ],
    [
      'bytes of no version',
      'insert into conteudo (versao_id, formato, soma, bytes) select 900, formato, soma, bytes from conteudo where versao_id = 1',
    ],
    ['bytes that are gone', 'delete from conteudo where versao_id = 2'],
    [
      'bytes of another document',
      'update conteudo set bytes = (select bytes from conteudo where versao_id = 2) where versao_id = 1',
    ],
    ['a form that is unknown', 'update conteudo set formato = 99 where versao_id = 1'],
    ['another checksum', 'update conteudo set soma = soma + 1 where versao_id = 1'],
    ['an expected key whose document is there', `update esperado set chave = '${chaveDe({})}'`],
  ];
  for (const [name, text, told] of cases) {
    test(name, async () => {
      const before = await feeds();
      const served = await cofre.db.read.selectFrom('versao').select('id').where('servida', '=', 1).execute();
      assert.ok((await cofre.danificar(text)) > 0, 'nothing was damaged');
      assert.notDeepEqual(await achados(), []);
      const done = await reparar();
      assert.ok(done.length > 0);
      for (const { mensagem } of done) assert.match(mensagem, /^[A-Z].*\.$/);
      assert.deepEqual(await achados(), []);
      const after = await feeds();
      assert.deepEqual(
        after.filter(({ motivo }) => motivo !== REPARO),
        before,
      );
      assert.equal(after.length > before.length, told === 'told', 'who reads by NSU is told');
      const now = await cofre.db.read.selectFrom('versao').select('id').where('servida', '=', 1).execute();
      assert.deepEqual(
        now.map(({ id }) => id).sort(),
        served.map(({ id }) => id).sort(),
        'the same versions are served',
      );
      assert.deepEqual(await reparar(), [], 'a second run finds nothing to do');
    });
  }

  test('a document that waits is delivered with the next number, once', async () => {
    await cofre.danificar(
      'insert into participante (documento_id, papel, cpf_cnpj, contador_id) select id, ' +
        `${PAPEL_EM_CODIGO.escrever('autorizado')}, '${DESTINATARIO}', contador_id from documento where classe = 'inutilizacao'`,
    );
    assert.deepEqual(await codigos(), ['documento_nao_entregue']);
    const before = await feeds();
    await reparar();
    assert.deepEqual(await achados(), []);
    assert.equal((await feeds()).length, before.length + 1);
    assert.deepEqual(await reparar(), []);
  });

  test('much at once', async () => {
    for (const [name, text] of cases) if (name !== 'bytes of another document') await cofre.danificar(text);
    await reparar();
    await reparar();
    assert.deepEqual(await achados(), []);
  });
});

describe('bytes that belong to nothing', () => {
  const conteudos = () =>
    cofre.db.read.selectFrom('conteudo').select(['versao_id', 'bytes']).orderBy('versao_id').execute();
  const blocos = () => cofre.db.read.selectFrom('bloco').selectAll().orderBy('id').execute();

  test('stay where they may be the only copy: of a version whose row is gone, of a block that nothing points to', async () => {
    await cofre.danificar('delete from versao where id = 1');
    const before = await conteudos();
    await reparar();
    assert.ok((await codigos()).includes('conteudo_solto'));
    assert.deepEqual(await conteudos(), before);
    await cofre.gravar(...[11, 12, 13, 14, 15].map((numero) => nota({ numero })));
    const [bloco] = await blocos();
    assert.ok(bloco);
    await cofre.danificar(`delete from conteudo where bloco_id = ${bloco.id}`);
    await reparar({ findInEnvio: () => findEm(new Map(), new Set()) });
    assert.ok((await codigos()).includes('bloco_solto'));
    assert.deepEqual(await blocos(), [bloco]);
  });

  test('go where all documents in them are in the vault, with whatever certificate', async () => {
    const certificado = 'QUJD'.repeat(200);
    const notas = [11, 12, 13, 14, 15].map((numero) => nota({ numero, certificado }));
    await cofre.gravar(...notas);
    await comEnvios(cofre);
    const [bloco] = await blocos();
    assert.ok(bloco);
    await cofre.danificar(
      `insert into bloco (id, contador_id, soma, bytes) select 900, contador_id, soma, bytes from bloco where id = ${bloco.id}`,
    );
    assert.deepEqual(await codigos(), ['bloco_solto']);
    const done = await reparar();
    assert.match(String(done[0]?.mensagem), /os que traz estão guardados/);
    assert.deepEqual(await achados(), []);
    assert.deepEqual(await blocos(), [bloco]);
  });

  test('stay where they cannot be read', async () => {
    await cofre.danificar(
      `insert into conteudo (versao_id, formato, soma, bytes) values (900, 3, 0, ${MOTOR === 'postgres' ? "'\\x00112233'" : "x'00112233'"})`,
    );
    assert.deepEqual(await reparar(), []);
    assert.deepEqual(await codigos(), ['conteudo_solto']);
  });

  test('stay where a version has lost its hash, and nobody has deleted its document', async () => {
    await cofre.danificar(`update versao set sha256 = ${MOTOR === 'postgres' ? "''" : "x''"} where id = 2`);
    const before = await conteudos();
    await reparar();
    assert.deepEqual(await codigos(), ['versao_sem_soma']);
    assert.deepEqual(await conteudos(), before);
  });
});

describe('what cannot be repaired is left as it is, and found again', () => {
  const cases: [name: string, text: string, codigo: string][] = [
    ['a hole in a feed', 'delete from entrada where cliente_id = 1 and nsu = 2', 'nsu_com_lacuna'],
    [
      'a counter that is ahead',
      'update cliente set ultimo_nsu = ultimo_nsu + 1 where id = 1',
      'nsu_com_lacuna',
    ],
    ['an entry without its client', 'delete from cliente where id = 2', 'entrada_sem_cliente'],
  ];
  for (const [name, text, codigo] of cases) {
    test(name, async () => {
      await cofre.danificar(text);
      const before = await feeds();
      await reparar();
      assert.ok((await codigos()).includes(codigo));
      assert.deepEqual(await feeds(), before);
    });
  }

  test('of an upload all documents are looked for in one go', async () => {
    await cofre.danificar('delete from conteudo where versao_id in (1, 2, 3)');
    const asked: number[] = [];
    const done = await reparar({
      findInEnvio: ({ documentos }) => {
        asked.push(documentos.size);
        return findEm(envios, documentos);
      },
    });
    assert.equal(done.length, 3);
    const uploads = await cofre.db.read
      .selectFrom('versao')
      .select('arquivo_numero')
      .distinct()
      .where('id', 'in', [1, 2, 3])
      .execute();
    assert.equal(asked.length, uploads.length);
    assert.equal(
      asked.reduce((sum, one) => sum + one, 0),
      3,
    );
    assert.deepEqual(await achados(), []);
  });

  test('a document whose upload is gone too', async () => {
    await cofre.danificar('delete from conteudo where versao_id = 1');
    assert.deepEqual(await reparar({ findInEnvio: () => findEm(new Map(), new Set()) }), []);
    assert.deepEqual(await codigos(), ['conteudo_ausente']);
  });

  test('an upload that holds other bytes is never taken for the document', async () => {
    await cofre.danificar('delete from conteudo where versao_id = 1');
    assert.deepEqual(
      await reparar({ findInEnvio: () => findEm(new Map([['', Buffer.from('<outro/>')]]), new Set([''])) }),
      [],
    );
    assert.deepEqual(await codigos(), ['conteudo_ausente']);
  });
});
