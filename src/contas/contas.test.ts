import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type BancoAberto, openBanco } from '../../test/support/bancos.ts';
import type { Tabelas } from '../banco/tabelas.ts';
import type { Database } from '../platform/db/connect.ts';
import { AppError } from '../platform/errors.ts';
import { type ClienteInput, findCliente, listClientes, registerCliente, updateCliente } from './clientes.ts';
import { createContador, findContador } from './contadores.ts';

const clock = { now: () => Date.UTC(2026, 2, 1) };
let banco: BancoAberto;
let db: Database<Tabelas>;
let contadorId: number;

before(async () => {
  banco = await openBanco();
  db = banco.db;
});
after(() => banco.close());

let crm = 0;
/** Every test has an office of its own. */
beforeEach(async () => {
  crm += 1;
  contadorId = (
    await createContador({ db, clock }, { codigoCrm: String(crm), nome: 'Escritório', email: 'a@b.co' })
  ).id;
});

const codigo = (expected: string) => (error: unknown) =>
  error instanceof AppError && error.codigo === expected;
const fields = (expected: string[]) => (error: unknown) => {
  assert.ok(error instanceof AppError);
  assert.equal(error.codigo, 'dados_invalidos');
  assert.deepEqual(
    error.erros.map(({ campo }) => campo),
    expected,
  );
  return true;
};

const register = (input: Partial<ClienteInput> = {}) =>
  registerCliente(
    { db, clock },
    {
      contadorId,
      cpfCnpj: '11222333000181',
      nome: 'Padaria Estrela',
      email: 'contato@padaria.com.br',
      aoRegistrar: async () => {},
      ...input,
    },
  );

describe('offices', () => {
  it('have a code of six digits, padded on the left', async () => {
    const made = await createContador(
      { db, clock },
      { codigoCrm: '77123', nome: 'Um', email: 'um@exemplo.com' },
    );
    assert.equal(made.codigoCrm, '077123');
    assert.deepEqual(await findContador(db.read, { codigoCrm: '77123' }), {
      id: made.id,
      codigoCrm: '077123',
      nome: 'Um',
      email: 'um@exemplo.com',
    });
  });

  it('are unique by that code, padded or not', async () => {
    const again = createContador(
      { db, clock },
      { codigoCrm: `00${crm}`, nome: 'Outro', email: 'o@exemplo.com' },
    );
    await assert.rejects(again, codigo('contador_ja_cadastrado'));
    await assert.rejects(findContador(db.read, { codigoCrm: '999999' }), codigo('contador_nao_encontrado'));
  });

  it('name every faulty field at once', async () => {
    const bad = createContador({ db, clock }, { codigoCrm: '1234567', nome: 'x', email: 'x' });
    await assert.rejects(bad, fields(['codigoCrm', 'nome', 'email']));
  });
});

describe('clients', () => {
  it('are stored upper case without mask, and found however they are written', async () => {
    const { cpfCnpj } = await register({ cpfCnpj: '12.abc.345/01de-35' });
    assert.equal(cpfCnpj, '12ABC34501DE35');
    for (const spelling of ['12ABC34501DE35', '12abc34501de35', '12.ABC.345/01DE-35']) {
      assert.equal((await findCliente(db.read, { contadorId, cpfCnpj: spelling }))?.cpfCnpj, cpfCnpj);
    }
  });

  it('of another office are not found', async () => {
    await register();
    const other = await createContador(
      { db, clock },
      { codigoCrm: `9${crm}`, nome: 'Outro', email: 'o@b.co' },
    );
    assert.equal(await findCliente(db.read, { contadorId: other.id, cpfCnpj: '11222333000181' }), null);
    await register({ contadorId: other.id });
  });

  it('are registered once under an office', async () => {
    await register();
    await assert.rejects(register({ cpfCnpj: '11.222.333/0001-81' }), codigo('cliente_ja_cadastrado'));
  });

  it('are not registered when what waited for them cannot be handed over', async () => {
    const aoRegistrar = async () => {
      throw new Error('falhou');
    };
    await assert.rejects(register({ aoRegistrar }), /falhou/);
    assert.equal(await findCliente(db.read, { contadorId, cpfCnpj: '11222333000181' }), null);
  });

  it('a short number that is CPF and CNPJ means the registered one', async () => {
    await register({ cpfCnpj: '00000000000191' });
    assert.equal((await findCliente(db.read, { contadorId, cpfCnpj: '191' }))?.cpfCnpj, '00000000000191');
    assert.equal(
      (await findCliente(db.read, { contadorId, cpfCnpj: '00000000191' }))?.cpfCnpj,
      '00000000000191',
    );
    await register({ cpfCnpj: '00000000191' });
    assert.equal((await findCliente(db.read, { contadorId, cpfCnpj: '191' }))?.cpfCnpj, '00000000191');
  });

  it('name every faulty field at once, by its wire name', async () => {
    await assert.rejects(
      register({ cpfCnpj: '11222333000182', nome: 'a', email: 'a@b' }),
      fields(['cpfCnpj', 'nomeEmpresa', 'email']),
    );
    for (const nome of ['', ' a ', 'a'.repeat(201), 'a\u0000b', '\u202ecba']) {
      await assert.rejects(register({ nome }), fields(['nomeEmpresa']), JSON.stringify(nome));
    }
    for (const email of [
      '',
      'a',
      'a@b',
      '@b.co',
      'a@b..co',
      'a b@c.co',
      'a@b.co\n',
      `${'a'.repeat(255)}@b.co`,
    ]) {
      if (email.trim() === 'a@b.co') continue;
      await assert.rejects(register({ email }), fields(['email']), JSON.stringify(email));
    }
  });

  it('count characters, not code units, in their name', async () => {
    await register({ nome: 'é'.repeat(200).normalize('NFD') });
    const { nome } = (await findCliente(db.read, { contadorId, cpfCnpj: '11222333000181' })) ?? {};
    assert.equal(nome?.length, 200);
  });

  it('change in what is given and keep the rest', async () => {
    await register();
    const changed = await updateCliente(
      { db, clock },
      { contadorId, cpfCnpj: '11222333000181', email: 'novo@padaria.com.br', trabalhaComProcuracao: true },
    );
    assert.deepEqual(
      [changed.nome, changed.email, changed.trabalhaComProcuracao],
      ['Padaria Estrela', 'novo@padaria.com.br', true],
    );
    const change = (input: object) =>
      updateCliente({ db, clock }, { contadorId, cpfCnpj: '11222333000181', ...input });
    await assert.rejects(change({}), codigo('dados_invalidos'));
    await assert.rejects(change({ nome: 'x' }), fields(['nomeEmpresa']));
    await assert.rejects(change({ cpfCnpj: '11144477735', nome: 'Outra' }), codigo('cliente_nao_encontrado'));
  });

  it('are listed by CPF/CNPJ, a page at a time', async () => {
    for (const cpfCnpj of ['11222333000181', '11144477735', '12ABC34501DE35']) await register({ cpfCnpj });
    const first = await listClientes(db.read, { contadorId, limite: 2 });
    assert.deepEqual(
      first.map(({ cpfCnpj }) => cpfCnpj),
      ['11144477735', '11222333000181'],
    );
    const rest = await listClientes(db.read, { contadorId, depoisDe: '11222333000181', limite: 2 });
    assert.deepEqual(
      rest.map(({ cpfCnpj }) => cpfCnpj),
      ['12ABC34501DE35'],
    );
  });
});
