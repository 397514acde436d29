import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { observado } from '../../../test/support/consultas.ts';
import {
  type Cofre,
  chaveDe,
  cnpj,
  DESTINATARIO,
  EMITENTE,
  evento,
  nota,
  openCofre,
} from '../../documentos/cofre-testing.ts';
import { contagensDosDias } from './contagens.ts';

let cofre: Cofre;
beforeEach(async () => {
  cofre = await openCofre();
});
afterEach(() => cofre.db.close());

const sempre = { alcance: null, primeiroDia: null, ultimoDia: null };

describe('the counts of a whole office', () => {
  it('are those of the listing rows, whatever comes or changes meanwhile', async () => {
    await cofre.registrar(EMITENTE);
    const { db } = observado(cofre.db.read);
    const vistas = async () => {
      const contagens = await contagensDosDias(db, { contadorId: cofre.contadorId, ...sempre });
      return contagens
        .filter(({ quantidade }) => quantidade > 0)
        .map(({ tipo, status, carta_correcao, quantidade }) => ({ tipo, status, carta_correcao, quantidade }))
        .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    };
    const linha = (tipo: string, quantidade: number, mais: object = {}) => ({
      tipo,
      status: 'Autorizada',
      carta_correcao: 0,
      quantidade,
      ...mais,
    });
    assert.deepEqual(await vistas(), []);
    await cofre.gravar(nota({ numero: 1 }), nota({ numero: 2 }));
    assert.deepEqual(await vistas(), [linha('Emitida', 2)]);
    await cofre.registrar(DESTINATARIO);
    assert.deepEqual(await vistas(), [linha('Emitida', 2), linha('Recebida', 2)]);
    await cofre.gravar(evento(chaveDe({ numero: 1 }), { codigo: '110110' }));
    const corrigida = { carta_correcao: 1 };
    assert.deepEqual(await vistas(), [
      linha('Emitida', 1),
      linha('Emitida', 1, corrigida),
      linha('Recebida', 1),
      linha('Recebida', 1, corrigida),
    ]);
    await cofre.gravar(evento(chaveDe({ numero: 2 }), { codigo: '110111' }));
    assert.deepEqual(await vistas(), [
      linha('Emitida', 1, corrigida),
      linha('Emitida', 1, { status: 'Cancelada' }),
      linha('Recebida', 1, corrigida),
      linha('Recebida', 1, { status: 'Cancelada' }),
    ]);
  });

  it('cost few statements, however many clients there are, and one while nothing comes', async () => {
    const QUANTOS = 250;
    const clientes = Array.from({ length: QUANTOS }, (_, at) => ({
      contador_id: cofre.contadorId,
      cpf_cnpj: cnpj(at + 1),
      nome: `Cliente ${at}`,
      email: 'a@b.co',
      criado_em: 0,
      atualizado_em: 0,
    }));
    await cofre.db.write.insertInto('cliente').values(clientes).execute();
    await cofre.registrar(EMITENTE);
    const { db, consultas } = observado(cofre.db.read);
    const statements = async () => {
      consultas.length = 0;
      await contagensDosDias(db, { contadorId: cofre.contadorId, ...sempre });
      return consultas.length;
    };
    assert.ok((await statements()) <= 1 + Math.ceil((QUANTOS + 1) / 100));
    assert.equal(await statements(), 1);
    await cofre.gravar(nota({ numero: 1 }));
    assert.equal(await statements(), 2);
  });

  it('are read once by two who ask at once', async () => {
    await cofre.registrar(EMITENTE);
    await cofre.gravar(nota({ numero: 1 }));
    const { db, consultas } = observado(cofre.db.read);
    const ask = () => contagensDosDias(db, { contadorId: cofre.contadorId, ...sempre });
    const [first, second] = await Promise.all([ask(), ask()]);
    assert.deepEqual(first, second);
    assert.equal(consultas.filter(({ sql }) => sql.includes('contagem')).length, 1);
  });
});
