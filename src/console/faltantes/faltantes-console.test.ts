import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { observado, planoDe } from '../../../test/support/consultas.ts';
import { MOTOR } from '../../../test/support/motor.ts';
import { findCliente } from '../../contas/clientes.ts';
import { EMITENTE, nota, openCofre } from '../../documentos/cofre-testing.ts';
import { faltantesDoCliente } from './faltantes-console.ts';

describe('missing numbers of a client', { skip: MOTOR !== 'sqlite' && 'plans of SQLite' }, () => {
  it('are looked for among its own numbers, not among the documents of the whole office', async () => {
    const cofre = await openCofre();
    try {
      await cofre.registrar(EMITENTE);
      await cofre.gravar(nota({ numero: 1 }), nota({ numero: 4 }));
      const { contadorId } = cofre;
      const cliente = await findCliente(cofre.db.read, { contadorId, cpfCnpj: EMITENTE });
      assert.ok(cliente);
      const { db, consultas } = observado(cofre.db.read);
      const { total } = await faltantesDoCliente(db, {
        cliente,
        modelos: ['55'],
        periodo: { desde: 0, ate: null },
      });
      assert.equal(total, 2);
      for (const consulta of consultas) {
        if (!/"?documento"?/.test(consulta.sql)) continue;
        const plano = await planoDe(cofre.db.read, consulta);
        assert.doesNotMatch(plano, /documento_listagem|SCAN documento/, `${consulta.sql}\n${plano}`);
      }
    } finally {
      await cofre.db.close();
    }
  });
});
