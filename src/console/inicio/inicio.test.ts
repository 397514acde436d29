import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { abrirBancoDeTeste, type BancoDeTeste } from '../../contas/banco-de-teste.ts';
import { registerCliente } from '../../contas/clientes.ts';
import { createContador } from '../../contas/contadores.ts';
import { AGORA, abrirCofre, DESTINATARIO, nota, TERCEIRO } from '../../documentos/cofre-testing.ts';
import { Falhas } from './falhas.ts';
import { inicioDe } from './inicio.ts';

const CLIENTE = '11222333000181';

let banco: BancoDeTeste;
let agora: number;
let clienteId: number;
const inicio = () =>
  inicioDe(banco.db.read, { contadorId: 1, clienteId: null, agora, dias: 30, falhas: new Falhas() });

beforeEach(async () => {
  banco = await abrirBancoDeTeste();
  agora = Date.parse('2026-11-26T15:00:00-03:00');
  const deps = { db: banco.db, clock: { now: () => agora } };
  await createContador(deps, { codigoCrm: '1', nome: 'Um', email: 'a@b.co' });
  const cliente = { contadorId: 1, cpfCnpj: CLIENTE, nome: 'Aurora', email: 'a@b.co' };
  ({ id: clienteId } = await registerCliente(deps, { ...cliente, aoRegistrar: async () => {} }));
});
afterEach(() => banco.close());

describe('certificates that end', () => {
  const certificado = (validoAte: string) =>
    banco.db.write
      .insertInto('certificado')
      .values({
        id: validoAte,
        contador_id: 1,
        cliente_id: clienteId,
        versao: 1,
        chave_selada: null,
        kid: null,
        selado: null,
        titular: null,
        titular_nome: null,
        serie: '01',
        impressao: 'ab',
        uf: 'SP',
        valido_de: 0,
        valido_ate: Date.parse(validoAte),
        criado_em: 0,
        substituido_em: null,
        avisado_dias: null,
      })
      .execute();

  it('are told with the days of the calendar, up to the sixtieth', async () => {
    for (const [fim, dias] of [
      ['2026-11-26T23:00:00-03:00', [0]],
      ['2026-11-27T09:00:00-03:00', [1]],
      ['2027-01-25T23:59:59-03:00', [60]],
      ['2027-01-26T00:00:00-03:00', []],
    ] as const) {
      await banco.db.write.deleteFrom('certificado').execute();
      await certificado(fim);
      assert.deepEqual(
        (await inicio()).certificados.map((one) => one.dias),
        dias,
        fim,
      );
    }
  });
});

describe('clients that are quieter than they use to be', () => {
  const DAY_MS = 24 * 3_600_000;

  it('are told once the silence is longer than their habit, and not those that have no documents', async () => {
    const cofre = await abrirCofre();
    try {
      await cofre.registrar(DESTINATARIO);
      await cofre.registrar(TERCEIRO);
      for (let numero = 1; numero <= 6; numero++) {
        await cofre.gravar(nota({ numero }));
        cofre.agora += DAY_MS;
      }
      const ultima = AGORA + 5 * DAY_MS;
      for (const [dias, quietos] of [
        [0, []],
        [3, []],
        [4, [DESTINATARIO]],
      ] as const) {
        const { clientesQuietos } = await inicioDe(cofre.db.read, {
          contadorId: cofre.contadorId,
          clienteId: null,
          agora: ultima + dias * DAY_MS,
          dias: 30,
          falhas: new Falhas(),
        });
        assert.deepEqual(
          [clientesQuietos.total, clientesQuietos.itens.map(({ cpfCnpj }) => cpfCnpj)],
          [quietos.length, quietos],
          `after ${dias} days`,
        );
      }
    } finally {
      await cofre.db.close();
    }
  });
});
