import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { literalDeBytes } from '../../../test/support/bancos.ts';
import { addMasterKey, forgetOldMasterKeys } from '../../platform/crypto/chaves-mestras.ts';
import { UnsealError } from '../../platform/crypto/cofre.ts';
import { type BancoDeTeste, openBancoDeTeste } from '../banco-de-teste.ts';
import { registerCliente } from '../clientes.ts';
import { createContador } from '../contadores.ts';
import { keepA1 } from './a1-de-teste.ts';
import { adoptCertificado, checkSelos, resealCertificados } from './guardar.ts';
import { type CertificadoAberto, readPfx } from './ler-pfx.ts';
import { empresaComCertificado, generatePfx } from './pfx-de-teste.ts';

const AGORA = Date.UTC(2026, 5, 1);
const clock = { now: () => AGORA };
const { certificado } = empresaComCertificado('guardar', { em: new Date(AGORA) });
const leitura = readPfx(generatePfx(certificado, 'x'), 'x');
assert.ok('certificado' in leitura);
const aberto: CertificadoAberto = leitura.certificado;

let banco: BancoDeTeste;
let outroContador: number;
beforeEach(async () => {
  banco = await openBancoDeTeste();
  const deps = { db: banco.db, clock };
  await createContador(deps, { codigoCrm: '1', nome: 'Um', email: 'a@b.co' });
  outroContador = (await createContador(deps, { codigoCrm: '2', nome: 'Dois', email: 'a@b.co' })).id;
});
afterEach(() => banco.close());

let made = 0;
/** Registers a client with the certificate. @returns its id */
async function cliente(contadorId = 1): Promise<number> {
  const cpfCnpj = ['11222333000181', '00000000000191', '12ABC34501DE35'][made++ % 3] ?? '';
  const { id } = await registerCliente(
    { db: banco.db, clock },
    { contadorId, cpfCnpj, nome: 'Cliente', email: 'a@b.co', aoRegistrar: async () => {} },
  );
  await guardar(id, contadorId);
  return id;
}

function guardar(clienteId: number, contadorId = 1): Promise<void> {
  return keepA1(banco.db, banco.vault, { contadorId, clienteId, certificado: aberto, agora: AGORA });
}

const usar = (clienteId: number, contadorId = 1) =>
  adoptCertificado({ db: banco.db, clock, vault: banco.vault }, { contadorId, clienteId, autor: 'sistema' });

async function acoes(): Promise<string[]> {
  const rows = await banco.db.read.selectFrom('auditoria').select('acao').orderBy('n').execute();
  return rows.map(({ acao }) => acao).filter((acao) => acao.startsWith('certificado'));
}

const sql = (text: string) => banco.danificar(text);
const bytes = (value: Buffer) => literalDeBytes(banco.db, value);

describe('a kept certificate', () => {
  it('comes back with its key and chain, and only to its own office', async () => {
    const id = await cliente();
    const emUso = await usar(id);
    assert.ok(emUso);
    assert.deepEqual(emUso.cadeia[0], certificado.der);
    const key = createPrivateKey({ key: emUso.chave, format: 'der', type: 'pkcs8' });
    assert.ok(createPublicKey(key).equals(createPublicKey(certificado.chavePrivada)));
    assert.equal(await usar(id, outroContador), null);
    assert.equal(await usar(id + 1), null);
    assert.deepEqual(await acoes(), ['certificado.guardado']);
  });

  it('that is replaced leaves nothing sealed behind, and the log tells both', async () => {
    const id = await cliente();
    await guardar(id);
    const rows = await banco.db.read
      .selectFrom('certificado')
      .select(['versao', 'selado', 'chave_selada', 'kid', 'substituido_em'])
      .orderBy('versao')
      .execute();
    assert.deepEqual(
      { ...rows[0] },
      {
        versao: 1,
        selado: null,
        chave_selada: null,
        kid: null,
        substituido_em: AGORA,
      },
    );
    assert.equal(rows[1]?.substituido_em, null);
    assert.ok(await usar(id));
    assert.deepEqual(await acoes(), ['certificado.guardado', 'certificado.substituido']);
  });

  for (const column of ['selado', 'chave_selada'] as const) {
    it(`whose ${column} was swapped with that of another client does not open, and the log tells it`, async () => {
      const [one, two] = [await cliente(), await cliente(outroContador)];
      await sql(`create temp table t as select cliente_id, ${column} as c from certificado;
        update certificado set ${column} = (select c from t where t.cliente_id <> certificado.cliente_id);`);
      await assert.rejects(usar(one), UnsealError);
      await assert.rejects(usar(two, outroContador), UnsealError);
      assert.deepEqual((await acoes()).slice(2), ['certificado.nao_abre', 'certificado.nao_abre']);
    });

    it(`does not open with any bit of ${column} changed`, async () => {
      const id = await cliente();
      const row = await banco.db.read.selectFrom('certificado').select(column).executeTakeFirstOrThrow();
      const bytes = Buffer.from(row[column] ?? []);
      for (const at of [0, 1, 9, 12, 25, 40, bytes.length - 1]) {
        const altered = Buffer.from(bytes);
        altered[at] = (altered[at] ?? 0) ^ 1;
        await banco.db.write
          .updateTable('certificado')
          .set({ [column]: altered })
          .execute();
        await assert.rejects(usar(id), UnsealError, `byte ${at}`);
      }
    });
  }

  it('does not open as another version, another row, or of another office', async () => {
    for (const change of ['versao = 2', "id = 'x'", `contador_id = ${outroContador}`]) {
      const id = await cliente();
      await sql(`update certificado set ${change} where cliente_id = ${id}`);
      await assert.rejects(usar(id, change.startsWith('contador') ? outroContador : 1), UnsealError, change);
      await sql(`delete from certificado`);
    }
  });

  it('that does not open is named by the check of all, and told in the log', async () => {
    await cliente();
    const id = await cliente();
    await sql(`update certificado set selado = ${bytes(Buffer.alloc(100))} where cliente_id = ${id}`);
    const { total, naoAbrem } = await checkSelos(
      { db: banco.db, clock, vault: banco.vault },
      { autor: 'cli' },
    );
    assert.deepEqual([total, naoAbrem.length], [2, 1]);
    assert.deepEqual((await acoes()).at(-1), 'certificado.nao_abre');
  });
});

describe('a rotation of the master key', () => {
  const step = (depoisDe: string, limite: number) =>
    banco.db.write.transaction().execute((trx) => resealCertificados(trx, banco.vault, { depoisDe, limite }));

  it('moves every certificate, some at a time, and the old key is then of no use', async () => {
    const ids = [await cliente(), await cliente(), await cliente()];
    addMasterKey(banco.vault.keys);
    const first = await step('', 2);
    assert.deepEqual([first.movidos, first.naoAbrem], [2, []]);
    assert.ok(first.depoisDe);
    const second = await step(first.depoisDe, 2);
    assert.deepEqual([second.movidos, second.depoisDe], [1, null]);
    forgetOldMasterKeys(banco.vault.keys);
    for (const id of ids) assert.ok(await usar(id));
    assert.equal((await step('', 2)).movidos, 0);
  });

  it('names what no key opens and goes on with the rest', async () => {
    const ids = [await cliente(), await cliente()];
    await sql(
      `update certificado set chave_selada = ${bytes(Buffer.alloc(69))} where cliente_id = ${ids[0]}`,
    );
    await sql(
      `update certificado set chave_selada = ${bytes(Buffer.from([2, ...Buffer.alloc(68)]))} where cliente_id = ${ids[0]}`,
    );
    addMasterKey(banco.vault.keys);
    const { movidos, naoAbrem } = await step('', 10);
    assert.deepEqual([movidos, naoAbrem.length], [1, 1]);
    assert.ok(await usar(ids[1] ?? 0));
  });
});
