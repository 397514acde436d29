import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { observado, planoDe, planoNoPostgres } from '../../test/support/consultas.ts';
import { MOTOR } from '../../test/support/motor.ts';
import { openCofre } from '../documentos/cofre-testing.ts';
import { findArquivosAtingidos, findArquivosDaExclusao, isAindaPreciso } from './queries-documentos.ts';

describe('uploads of a deletion', { skip: MOTOR !== 'sqlite' && 'plans of SQLite' }, () => {
  it('are found by the keys of their items, however many documents the deletion has', async () => {
    const cofre = await openCofre();
    try {
      const { db, consultas } = observado(cofre.db.read);
      const input = { exclusaoId: 'e', arquivoIds: ['a', 'b'] };
      await findArquivosDaExclusao(db, input);
      await findArquivosAtingidos(db, input);
      assert.equal(consultas.length, 2);
      for (const consulta of consultas) {
        const plano = await planoDe(cofre.db.read, consulta);
        const passos = plano.split('\n').filter((passo) => /exclusao_documento|excluido/.test(passo));
        for (const passo of passos)
          assert.match(passo, /\(exclusao_id=\? AND (chave|documento_id)=\?\)/, `${consulta.sql}\n${plano}`);
      }
    } finally {
      await cofre.db.close();
    }
  });
});

describe('an upload of a deletion', { skip: MOTOR !== 'postgres' && 'plans of PostgreSQL' }, () => {
  it('is judged by the keys of its items, not by all documents of the office', async () => {
    const cofre = await openCofre();
    try {
      const { db, consultas } = observado(cofre.db.read);
      await isAindaPreciso(db, { contadorId: cofre.contadorId, arquivoId: 'a' });
      const [seus, semDocumento] = [consultas[0], consultas.at(-1)];
      assert.ok(seus && semDocumento);
      assert.match(await planoNoPostgres(cofre.db.write, seus), /Index Cond: .*id = item\.documento_id/);
      assert.match(await planoNoPostgres(cofre.db.write, semDocumento), /Index Cond: .*chave = /);
    } finally {
      await cofre.db.close();
    }
  });
});
