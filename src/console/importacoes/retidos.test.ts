import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Cofre, cnpj, comEnvios, EMITENTE, nota, openCofre } from '../../documentos/cofre-testing.ts';
import { insertItens } from '../../importacao/queries.ts';
import { listRetidos } from './retidos.ts';

let cofre: Cofre;
beforeEach(async () => {
  cofre = await openCofre();
});
afterEach(() => cofre.db.close());

/** Notes of one issuer to so many buyers, none of whom is a client: the first buyer has two. */
async function reter(compradores: number): Promise<void> {
  const notas = Array.from({ length: compradores + 1 }, (_, at) =>
    nota({ numero: at + 1, destinatario: cnpj(Math.max(1, at)) }),
  );
  const pecas = await cofre.gravar(...notas);
  await comEnvios(cofre);
  await cofre.db.write
    .transaction()
    .execute((trx) => insertItens(trx, { arquivoNumero: 1, primeiraOrdem: 1, pecas }));
}

describe('companies with held documents', () => {
  const COMPRADORES = 23;

  it('come page after page, those with most documents first, until all of them were told', async () => {
    await reter(COMPRADORES);
    const vistas: string[] = [];
    let depois: { documentos: number; cpfCnpj: string } | null = null;
    for (let paginas = 1; ; paginas++) {
      const { contadorId } = cofre;
      const pagina = await listRetidos(cofre.db.read, { contadorId, depois, tamanho: 10 });
      assert.equal(pagina.total, paginas === 1 ? COMPRADORES + 1 : null);
      vistas.push(...pagina.itens.map(({ cpfCnpj }) => cpfCnpj));
      if (pagina.proximo === null) break;
      const [documentos, cpfCnpj = ''] = pagina.proximo.split('.');
      depois = { documentos: Number(documentos), cpfCnpj };
    }
    assert.deepEqual(vistas.slice(0, 2), [EMITENTE, cnpj(1)]);
    assert.deepEqual([vistas.length, new Set(vistas).size], [COMPRADORES + 1, COMPRADORES + 1]);
  });
});
