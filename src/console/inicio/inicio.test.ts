import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { observado, planoDe } from '../../../test/support/consultas.ts';
import { MOTOR } from '../../../test/support/motor.ts';
import { type BancoDeTeste, openBancoDeTeste } from '../../contas/banco-de-teste.ts';
import { registerCliente } from '../../contas/clientes.ts';
import { createContador } from '../../contas/contadores.ts';
import { AGORA, cnpj, DESTINATARIO, nota, openCofre, TERCEIRO } from '../../documentos/cofre-testing.ts';
import { countRetidos, findPartesDosRetidos, findRetidos } from '../importacoes/queries-importacoes.ts';
import { countMaisNovosQueOEsquema } from '../saude/queries-saude.ts';
import { Habitos } from './habito.ts';
import { inicioDe } from './inicio.ts';

const CLIENTE = '11222333000181';

let banco: BancoDeTeste;
let agora: number;
let clienteId: number;
const inicio = () =>
  inicioDe(banco.db.read, {
    contadorId: 1,
    alcance: null,
    agora,
    dias: 30,
    habitos: new Habitos(),
  });

beforeEach(async () => {
  banco = await openBancoDeTeste();
  agora = Date.parse('2026-11-26T15:00:00-03:00');
  const deps = { db: banco.db, clock: { now: () => agora } };
  await createContador(deps, { codigoCrm: '1', nome: 'Um', email: 'a@b.co' });
  const cliente = { contadorId: 1, cpfCnpj: CLIENTE, nome: 'Aurora', email: 'a@b.co' };
  ({ id: clienteId } = await registerCliente(deps, { ...cliente, aoRegistrar: async () => {} }));
});
afterEach(() => banco.close());

const certificado = (validoAte: string, doCliente = clienteId) =>
  banco.db.write
    .insertInto('certificado')
    .values({
      id: `${doCliente}/${validoAte}`,
      contador_id: 1,
      cliente_id: doCliente,
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

describe('certificates that end', () => {
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
        (await inicio()).certificados.itens.map((one) => one.dias),
        dias,
        fim,
      );
    }
  });
});

describe('an office with very many clients', () => {
  const QUANTOS = 230;
  const cliente = (n: number) => ({
    id: 1_000 + n,
    contador_id: 1,
    cpf_cnpj: cnpj(n),
    nome: `Cliente ${n}`,
    email: 'a@b.co',
    criado_em: 0,
    atualizado_em: 0,
    ultimo_nsu: DIAS,
  });
  const DIAS = 5;
  const CADA = Array.from({ length: QUANTOS }, (_, at) => at + 1);

  it('is told how many certificates end, not only how many of them are sent', async () => {
    await banco.db.write.insertInto('cliente').values(CADA.map(cliente)).execute();
    for (const n of CADA) await certificado('2026-12-01T12:00:00-03:00', 1_000 + n);
    const { certificados } = await inicio();
    assert.deepEqual([certificados.total, certificados.itens.length], [QUANTOS, 50]);
  });

  it('costs few statements for the habits of all of them, and none while nothing comes', async () => {
    await banco.db.write.insertInto('cliente').values(CADA.map(cliente)).execute();
    const { db, consultas } = observado(banco.db.read);
    const habitos = new Habitos();
    const pergunta = async () => {
      consultas.length = 0;
      await habitos.de(
        db,
        CADA.map((n) => ({ id: 1_000 + n, ultimoNsu: DIAS })),
      );
      return consultas.length;
    };
    assert.ok((await pergunta()) <= QUANTOS / 40, `${consultas.length} statements`);
    assert.equal(await pergunta(), 0);
  });
});

describe('what waits in an office with very many documents', {
  skip: MOTOR !== 'sqlite' && 'plans of SQLite',
}, () => {
  it('is found from the few that wait on, not from all files or documents', async () => {
    const { db, consultas } = observado(banco.db.read);
    await countRetidos(db, { contadorId: 1, limite: 10 });
    await findRetidos(db, { contadorId: 1, depois: null, limite: 10 });
    await findPartesDosRetidos(db, { contadorId: 1, limite: 10 });
    await countMaisNovosQueOEsquema(db, { contadorId: 1, desde: 0 });
    assert.ok(consultas.length >= 4);
    for (const consulta of consultas) {
      const plano = await planoDe(banco.db.read, consulta);
      const primeira = plano
        .split('\n')
        .find((linha) => /^(SEARCH|SCAN) (item|versao|documento|arquivo)/.test(linha));
      assert.match(
        primeira ?? '',
        /\bitem\b/.test(consulta.sql) ? /INDEX item_documento/ : /INDEX versao_esquema_mais_antigo/,
        plano,
      );
      assert.doesNotMatch(plano, /INDEX documento_(chave|listagem)|INDEX arquivo_contador/);
    }
  });
});

describe('clients that are quieter than they use to be', () => {
  const DAY_MS = 24 * 3_600_000;

  it('are told once the silence is longer than their habit, and not those that have no documents', async () => {
    const cofre = await openCofre();
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
          alcance: null,
          agora: ultima + dias * DAY_MS,
          dias: 30,
          habitos: new Habitos(),
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
