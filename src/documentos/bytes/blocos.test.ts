import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import type { KyselyPlugin } from 'kysely';
import {
  AGORA,
  type Cofre,
  chaveDe,
  cnpj,
  collect,
  comEnvios,
  DESTINATARIO,
  EMITENTE,
  findEm,
  nota,
  type OpcoesDaNota,
  openCofre,
} from '../cofre-testing.ts';
import { deleteDocumentos } from '../delete/excluir.ts';
import type { Leitor } from '../queries-leitura.ts';
import { conteudoOriginal, textosDe } from '../read/feed.ts';
import type { PecaLida } from '../tipos.ts';
import { repairCofre } from '../verify/reparar.ts';
import { verifyCofre } from '../verify/verificar.ts';
import { closeBloco, openBloco, prepareConteudo, sha256De } from './conteudo.ts';
import { readHash } from './hash-guardado.ts';

const CERTIFICADO = 'MIIE'.repeat(200);
const OUTRO_EMITENTE = cnpj(757575750001);

let cofre: Cofre;
/** Bytes of each document that a test has stored, by their hash. */
let enviados: Map<string, Buffer>;
beforeEach(async () => {
  cofre = await openCofre();
  await cofre.registrar(EMITENTE);
  enviados = new Map();
});
afterEach(() => cofre.db.close());

/** A document with these bytes. */
function comBytes(opcoes: OpcoesDaNota, bytes: Buffer): PecaLida {
  const peca = nota(opcoes);
  assert.ok(peca.kind === 'registro');
  enviados.set(sha256De(bytes), bytes);
  return { ...peca, conteudo: prepareConteudo(bytes, 'utf-8') };
}

const textoDe = (numero: number) =>
  `<nota numero="${numero}"><xNome>Empresa ${numero}</xNome>${'<det>item</det>'.repeat(20)}</nota>`;

const notas = (numeros: readonly number[], opcoes: OpcoesDaNota = {}) =>
  numeros.map((numero) => comBytes({ ...opcoes, numero }, Buffer.from(textoDe(numero))));

const ate = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

const blocos = () => cofre.db.read.selectFrom('bloco').select(['id', 'bytes']).orderBy('id').execute();

/** Keys by block, in the order of their positions; under null those that stand in none. */
async function chavesPorBloco(): Promise<Map<number | null, string[]>> {
  const rows = await cofre.db.read
    .selectFrom('conteudo')
    .innerJoin('versao', 'versao.id', 'conteudo.versao_id')
    .innerJoin('documento', 'documento.id', 'versao.documento_id')
    .select(['conteudo.bloco_id', 'conteudo.posicao', 'documento.chave'])
    .orderBy('conteudo.posicao')
    .orderBy('conteudo.versao_id')
    .execute();
  return new Map(
    [...Map.groupBy(rows, ({ bloco_id }) => bloco_id)].map(([id, of]) => [id, of.map(({ chave }) => chave)]),
  );
}

async function excluir(...numeros: number[]): Promise<void> {
  const chaves = numeros.map((numero) => chaveDe({ numero }));
  const rows = await cofre.db.read
    .selectFrom('documento')
    .select('id')
    .where('chave', 'in', chaves)
    .execute();
  const { contadorId } = cofre;
  await cofre.db.write
    .transaction()
    .execute((trx) => deleteDocumentos(trx, { contadorId, ids: rows.map(({ id }) => id), agora: AGORA }));
}

/** Every document that is still kept reads as it was sent, on each way out. @returns how many these are */
async function readEvery(): Promise<number> {
  const rows = await cofre.db.read
    .selectFrom('versao')
    .select(['id', 'sha256'])
    .where('tamanho', '>', 0)
    .execute();
  const textos = await textosDe(
    cofre.db.read,
    rows.map(({ id }) => id),
  );
  for (const { id, sha256 } of rows) {
    const sent = enviados.get(readHash(sha256));
    assert.ok(sent);
    assert.deepEqual((await conteudoOriginal(cofre.db.read, { versaoId: id }))?.bytes, sent);
    assert.equal(textos.get(id), sent.toString());
  }
  return rows.length;
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
        acharProtocolos: async () => [],
        findInEnvio: ({ documentos }) => findEm(enviados, documentos),
      },
      await collect(verifyCofre(cofre.db.read)),
    ),
  );

describe('documents that come together', () => {
  test('stand in blocks of sixteen at most, those of an issuer beside each other in the order of their numbers', async () => {
    const outras = notas([50, 51, 52, 53], { emitente: OUTRO_EMITENTE, destinatario: EMITENTE });
    const minhas = notas(ate(20));
    await cofre.gravar(...minhas.flatMap((peca, i) => [outras[i] ?? [], peca].flat()));
    const porBloco = [...(await chavesPorBloco())].sort(([a], [b]) => Number(a) - Number(b));
    assert.deepEqual(
      porBloco.map(([, { length }]) => length),
      [12, 12],
    );
    const emOrdem = porBloco
      .flatMap(([, chaves]) => chaves)
      .map((chave) => `${chave.slice(6, 20)} ${Number(chave.slice(25, 34))}`);
    assert.deepEqual(emOrdem, [
      ...ate(20).map((numero) => `${EMITENTE} ${numero}`),
      ...[50, 51, 52, 53].map((numero) => `${OUTRO_EMITENTE} ${numero}`),
    ]);
    assert.equal(await readEvery(), 24);
    assert.deepEqual(await codigos(), []);
  });

  test('stand in blocks of their company’s own when it has some of them, the others together', async () => {
    const doEmitente = (n: number, quantas: number) =>
      notas(ate(quantas), { emitente: cnpj(800000000001 + n), destinatario: cnpj(900000000001 + n) });
    const quantas = [7, 3, 6, 2];
    const pecas = quantas.map((quantos, n) => doEmitente(n, quantos));
    await cofre.gravar(...ate(7).flatMap((_, i) => pecas.flatMap((daEmpresa) => daEmpresa[i] ?? [])));
    const emitentes = [...(await chavesPorBloco()).values()].map((chaves) => ({
      documentos: chaves.length,
      empresas: new Set(chaves.map((chave) => chave.slice(6, 20))).size,
    }));
    assert.deepEqual(
      emitentes.toSorted((a, b) => b.documentos - a.documentos),
      [
        { documentos: 7, empresas: 1 },
        { documentos: 6, empresas: 1 },
        { documentos: 5, empresas: 2 },
      ],
    );
  });

  test('stand with those of the client whose feed has them, not with those of a supplier of many', async () => {
    const clientes = [cnpj(900000000001), cnpj(900000000002)];
    for (const cliente of clientes) await cofre.registrar(cliente);
    const fornecidas = clientes.map((destinatario, n) =>
      notas(
        ate(6).map((numero) => 10 * n + numero),
        { emitente: OUTRO_EMITENTE, destinatario },
      ),
    );
    await cofre.gravar(...ate(6).flatMap((_, i) => fornecidas.flatMap((doCliente) => doCliente[i] ?? [])));
    const numeros = [...(await chavesPorBloco()).values()].map((chaves) =>
      chaves.map((chave) => Number(chave.slice(25, 34))),
    );
    assert.deepEqual(numeros, [ate(6), ate(6).map((numero) => 10 + numero)]);
  });

  test('are kept each by itself when they are few', async () => {
    await cofre.gravar(...notas([1, 2, 3]));
    await cofre.gravar(...notas([4]));
    assert.deepEqual([...(await chavesPorBloco()).keys()], [null]);
    assert.deepEqual(await blocos(), []);
    assert.equal(await readEvery(), 4);
  });

  test('stay outside of blocks when they are large, and blocks never hold more than one piece of work', async () => {
    const large = (numero: number, length: number) =>
      comBytes({ numero }, Buffer.from(randomBytes(length / 2).toString('hex')));
    await cofre.gravar(
      ...notas(ate(6)),
      large(90, 40_000),
      large(91, 2_000_000),
      ...[80, 81, 82, 83, 84].map((numero) => large(numero, 30_000)),
    );
    const porBloco = await chavesPorBloco();
    const sozinhas = porBloco.get(null) ?? [];
    assert.ok(sozinhas.includes(chaveDe({ numero: 90 })) && sozinhas.includes(chaveDe({ numero: 91 })));
    for (const { bytes } of await blocos()) {
      const held = openBloco(bytes).reduce((sum, { length }) => sum + length, 0);
      assert.ok(held <= 120_000, String(held));
    }
    assert.equal(await readEvery(), 13);
    assert.deepEqual(await codigos(), []);
  });

  test('are stored without their certificates there too', async () => {
    const comCertificado = (numero: number) =>
      comBytes(
        { numero },
        Buffer.from(`<a n="${numero}"><X509Certificate>${CERTIFICADO}</X509Certificate></a>`),
      );
    await cofre.gravar(...[1, 2, 3].map(comCertificado), ...notas([4, 5]));
    const [bloco] = await blocos();
    assert.ok(bloco);
    assert.ok(!Buffer.concat(openBloco(bloco.bytes)).includes(CERTIFICADO));
    assert.equal(await readEvery(), 5);
    await excluir(2);
    assert.equal(await readEvery(), 4);
    assert.deepEqual(await codigos(), []);
  });

  test('that are there already are not stored again with those that are new', async () => {
    await cofre.gravar(...notas(ate(8)));
    await cofre.gravar(...notas(ate(12)));
    assert.deepEqual(
      (await blocos()).map(({ bytes }) => openBloco(bytes).length),
      [8, 4],
    );
    assert.equal(await readEvery(), 12);
  });

  test('of two offices never share a block', async () => {
    const outro = await cofre.novoContador();
    await cofre.gravar(...notas(ate(5)));
    const { contadorId } = cofre;
    cofre.contadorId = outro;
    await cofre.gravar(...notas(ate(5)));
    cofre.contadorId = contadorId;
    const rows = await cofre.db.read
      .selectFrom('conteudo')
      .innerJoin('bloco', 'bloco.id', 'conteudo.bloco_id')
      .innerJoin('versao', 'versao.id', 'conteudo.versao_id')
      .innerJoin('documento', 'documento.id', 'versao.documento_id')
      .select(['bloco.contador_id as de', 'documento.contador_id as dono'])
      .execute();
    assert.deepEqual(
      rows.map(({ de, dono }) => de === dono),
      new Array(10).fill(true),
    );
  });
});

describe('a block', () => {
  test('gives every part back, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 3_000 }), { maxLength: 20 }), (partes) => {
        const open = openBloco(closeBloco(partes));
        assert.deepEqual(
          open.map((parte) => new Uint8Array(parte)),
          partes,
        );
      }),
      { numRuns: 200 },
    );
  });

  test('opens into the memory that it is given, where that is larger', () => {
    const partes = [randomBytes(300), Buffer.from('<nota/>'.repeat(40))];
    const bytes = closeBloco(partes);
    const held = 4 * (1 + partes.length) + 300 + 280;
    for (const size of [0, 1, held - 1, held, held + 1, held + 1_000]) {
      const room = Buffer.alloc(size);
      const open = openBloco(bytes, room);
      assert.deepEqual(open, partes, `${size} bytes of room`);
      assert.ok(open.every(({ buffer }) => (buffer === room.buffer) === size > held));
    }
  });

  test('that is damaged is refused, or gives what it held', () => {
    const partes = [randomBytes(300), randomBytes(200), Buffer.from('<nota/>'.repeat(40))];
    const bytes = closeBloco(partes);
    for (const room of [undefined, Buffer.alloc(128 * 1024)]) {
      for (let at = 0; at < bytes.length; at++) {
        const damaged = new Uint8Array(bytes);
        damaged[at] = (damaged[at] ?? 0) ^ 1;
        let open: readonly Buffer[] | null = null;
        try {
          open = openBloco(damaged, room);
        } catch {}
        if (open) assert.deepEqual(open, partes, `byte ${at}`);
      }
    }
  });

  test('whose lengths do not fit what it holds is refused', () => {
    // What is too large for a block leaves as a frame of the same kind, with no head of ours in it.
    const lying = Buffer.concat([Buffer.from([1, 0, 0, 0, 9, 0, 0, 0]), Buffer.alloc(40_000)]);
    assert.throws(() => openBloco(prepareConteudo(lying, 'utf-8').bytes), /lengths in a block/);
  });
});

describe('documents that leave a block', () => {
  test('leave nothing of themselves there, and the others stay as they are', async () => {
    await cofre.gravar(...notas(ate(16)));
    await excluir(3, 7);
    const [bloco, ...others] = await blocos();
    assert.ok(bloco && others.length === 0);
    const held = Buffer.concat(openBloco(bloco.bytes)).toString();
    for (const numero of ate(16)) {
      assert.equal(held.includes(`numero="${numero}"`), numero !== 3 && numero !== 7, String(numero));
    }
    assert.equal(await readEvery(), 14);
    assert.deepEqual(await codigos(), []);
  });

  test('take it with them when they are the last ones', async () => {
    await cofre.gravar(...notas(ate(6)));
    await excluir(1, 2, 3, 4, 5);
    assert.equal((await blocos()).length, 1);
    await excluir(6);
    assert.deepEqual(await blocos(), []);
    assert.deepEqual(await codigos(), []);
  });

  test('may come again', async () => {
    await cofre.gravar(...notas(ate(6)));
    await excluir(2, 4);
    await cofre.gravar(...notas(ate(6)));
    assert.equal(await readEvery(), 6);
    assert.deepEqual(await codigos(), []);
  });

  test('while a page is read cost it none of the others', async () => {
    await cofre.gravar(...notas(ate(8)));
    const rows = await cofre.db.read.selectFrom('versao').select('id').orderBy('id').execute();
    const [primeira, ...outras] = await textosDe(
      entreDoisComandos(() => excluir(1)),
      rows.map(({ id }) => id),
    );
    assert.equal(primeira?.[0], rows[1]?.id, 'the deleted one is not there any more');
    assert.equal(outras.length, 6);
    assert.equal(await readEvery(), 7);
  });
});

/** The vault, where something happens behind the first statement that is answered. */
function entreDoisComandos(act: () => Promise<void>): Leitor {
  let first = true;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (first) {
        first = false;
        await act();
      }
      return result;
    },
  };
  return cofre.db.read.withPlugin(plugin);
}

describe('a damaged block', () => {
  test('is found in every document that stands in it, served nowhere, and repaired from what was sent', async () => {
    await cofre.gravar(...notas(ate(6)));
    await comEnvios(cofre);
    const [bloco] = await blocos();
    assert.ok(bloco);
    const bytes = new Uint8Array(bloco.bytes);
    bytes[60] = (bytes[60] ?? 0) ^ 1;
    await cofre.db.write.updateTable('bloco').set({ bytes }).execute();
    const achados = await collect(verifyCofre(cofre.db.read));
    assert.deepEqual(
      achados.map(({ codigo }) => codigo),
      new Array(6).fill('conteudo_danificado'),
    );
    for (const { ref } of achados) {
      await assert.rejects(conteudoOriginal(cofre.db.read, { versaoId: ref?.versaoId ?? 0 }));
    }
    await reparar();
    assert.equal(await readEvery(), 6);
    assert.deepEqual(await blocos(), [], 'with the last of its documents it goes');
    assert.deepEqual(await codigos(), []);
  });

  test('that still reads is written anew', async () => {
    await cofre.gravar(...notas(ate(5)));
    await cofre.danificar('update bloco set soma = soma + 1');
    assert.deepEqual(await codigos(), ['soma_errada']);
    await reparar();
    assert.equal(await readEvery(), 5);
    assert.deepEqual(await codigos(), []);
  });

  test('that is gone is found in every document of it, and repaired', async () => {
    await cofre.gravar(...notas(ate(5)));
    await comEnvios(cofre);
    await cofre.danificar('delete from bloco');
    assert.deepEqual(await codigos(), ['conteudo_danificado']);
    await reparar();
    assert.equal(await readEvery(), 5);
    assert.deepEqual(await codigos(), []);
  });

  test('of no document is found and deleted', async () => {
    await cofre.gravar(...notas(ate(5)));
    await cofre.danificar('delete from conteudo');
    assert.deepEqual(await codigos(), ['conteudo_ausente', 'bloco_solto']);
    await comEnvios(cofre);
    await reparar();
    assert.equal(await readEvery(), 5);
    assert.deepEqual(await blocos(), []);
    assert.deepEqual(await codigos(), []);
  });

  test('in which one document is taken for another is no data, and is repaired', async () => {
    await cofre.gravar(...notas(ate(5), { destinatario: DESTINATARIO }));
    await comEnvios(cofre);
    await cofre.danificar('update conteudo set posicao = 1 - posicao where posicao < 2');
    assert.deepEqual(await codigos(), ['conteudo_danificado']);
    await reparar();
    assert.equal(await readEvery(), 5);
    assert.deepEqual(await codigos(), []);
  });
});
