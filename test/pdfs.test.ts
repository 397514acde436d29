/** Documents of all kinds are drawn and read back: a short form of `npm run pdfs`, which also draws the real ones. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { conferir } from './pdfs/conferir.ts';
import { geradas } from './pdfs/notas.ts';

describe('the PDFs of generated documents', () => {
  it('are all drawn, with the marks of what they are worth, and say parties, key and totals of the XML', async () => {
    const documentos = [...geradas('pdfs-curto', 24)];
    const especies = new Set(documentos.map(({ registro }) => registro.especie));
    const layouts = new Set(documentos.map(({ registro }) => registro.layout));
    for (const especie of ['NFe', 'NFCe', 'CTe', 'NFSe', 'CFe'] as const)
      assert.ok(especies.has(especie), especie);
    for (const layout of ['1.10', '2.00', '4.00']) assert.ok(layouts.has(layout), layout);
    const { total, desenhados, marcas_erradas, textos_errados, faltas } = await conferir(documentos);
    assert.deepEqual(faltas, []);
    assert.deepEqual([desenhados, marcas_erradas, textos_errados], [total, 0, 0]);
    assert.ok(total >= 30, `${total}`);
  });
});
