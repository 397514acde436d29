import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Cliente } from '../cliente/cliente.ts';
import { importar } from './importar.ts';
import { Saida } from './saida.ts';

const NOMES = ['a.xml', 'b.xml', 'c.xml', 'd.xml'];

describe('the import of a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'malote-importar-'));
    for (const nome of NOMES) writeFileSync(join(folder, nome), `<${nome}/>`);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** @param items path in the pack and result, of the one upload */
  async function run(status: string, items: [caminho: string, resultado: string][]) {
    const cliente = {
      enviarArquivo: async () => ({ id: 'x', status, log: 'o log' }),
      async *itensDoArquivo() {
        for (const [caminho, resultado] of items)
          yield { caminho, resultado, chave: null, codigo: null, mensagem: null, elemento: null };
      },
    };
    const resumo = await importar(
      { cliente: cliente as unknown as Cliente, saida: new Saida({ json: true }) },
      { caminhos: [folder], servidor: 'http://x', estado: join(folder, 'estado.json') },
    );
    return { resumo, faulty: resumo.problemas.map(({ arquivo }) => arquivo) };
  }

  it('sends again what had a problem, and nothing else', async () => {
    const first = await run('Com Erro', [
      ['a.xml', 'novo'],
      ['b.xml', 'sem_cliente'],
      ['c.xml', 'novo'],
      ['d.xml', 'novo'],
    ]);
    assert.deepEqual([first.faulty, first.resumo.comProblema], [['b.xml'], 1]);
    const again = await run('Uploaded', [['b.xml', 'novo']]);
    assert.deepEqual([again.resumo.enviados, again.resumo.jaEnviados], [1, 3]);
  });

  it('sends again what an import that was given up tells nothing of, and what it was at', async () => {
    const first = await run('Com Erro', [
      ['a.xml', 'sem_cliente'],
      ['b.xml', 'novo'],
      ['c.xml', 'novo'],
    ]);
    assert.deepEqual(first.faulty.toSorted(), ['a.xml', 'c.xml', 'd.xml']);
    const again = await run('Uploaded', []);
    assert.deepEqual([again.resumo.enviados, again.resumo.jaEnviados], [3, 1]);
  });

  it('sends all again that a whole fault was told of', async () => {
    const first = await run('Com Erro', []);
    assert.deepEqual([first.faulty, first.resumo.comProblema], [NOMES, 4]);
    assert.equal((await run('Uploaded', [])).resumo.enviados, 4);
  });

  it('takes nothing for done where a problem cannot be told whose it is', async () => {
    const first = await run('Com Erro', [
      ['a.xml', 'novo'],
      ['…', 'rejeitado'],
      ['c.xml', 'novo'],
      ['d.xml', 'novo'],
    ]);
    assert.ok(first.faulty.includes('…'));
    assert.equal((await run('Uploaded', [])).resumo.jaEnviados, 0);
  });
});
