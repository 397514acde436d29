/** `malote auditoria`: what was done is told, and a row that was changed is named. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { MOTOR, runSql } from '../support/motor.ts';
import { Instalacao } from './linha-de-comando.ts';

const instalacao = new Instalacao();
before(async () => {
  await instalacao.json('conta', 'criar', '--crm', '1', '--nome', 'Escritório', '--email', 'a@b.co');
  for (const cpfCnpj of ['11222333000181', '12ABC34501DE35', '11144477735']) {
    const args = ['--crm', '1', '--cpf-cnpj', cpfCnpj, '--nome', 'Cliente', '--email', 'a@b.co'];
    const { code } = await instalacao.json('cliente', 'criar', ...args);
    assert.equal(code, 0);
  }
});
after(() => instalacao.remove());

interface Registro {
  n: number;
  acao: string;
  autor: string;
  detalhe: { cpfCnpj?: string };
}

it('lists who did what, by office', async () => {
  const { code, value } = await instalacao.json('auditoria', 'listar', '--crm', '1');
  assert.equal(code, 0);
  const clientes = (value.registros as Registro[]).filter(({ acao }) => acao === 'cliente.criado');
  assert.deepEqual(
    clientes.map(({ autor, detalhe }) => [autor, detalhe.cpfCnpj]),
    [
      ['cli', '11222333000181'],
      ['cli', '12ABC34501DE35'],
      ['cli', '11144477735'],
    ],
  );
  const { value: last } = await instalacao.json('auditoria', 'listar', '--ultimos', '1');
  assert.equal((last.registros as Registro[]).length, 1);
  assert.equal((await instalacao.malote('auditoria', 'listar', '--ultimos', 'x')).code, 2);
});

it('is whole until a row is changed; then that row is named, and the command fails', async () => {
  const whole = await instalacao.malote('auditoria', 'verificar');
  assert.equal(whole.code, 0, whole.stderr);
  const fim = /(\d+:[0-9a-f]{64})/.exec(whole.stdout)?.[1] ?? '';
  assert.equal((await instalacao.malote('auditoria', 'verificar', '--ancora', fim)).code, 0);
  const drop = `drop trigger auditoria_nao_muda${MOTOR === 'postgres' ? ' on auditoria' : ''}`;
  await runSql(
    instalacao.dados,
    `${drop}; update auditoria set autor = 'outro' where n = (select max(n) from auditoria where acao = 'cliente.criado') - 1`,
  );
  const { code, value } = await instalacao.json('auditoria', 'verificar');
  assert.equal(code, 1);
  const { n, codigo } = value.quebra as { n: number; codigo: string };
  assert.equal(codigo, 'registro_alterado');
  assert.equal(n, Number(fim.split(':')[0]) - 1);
});
