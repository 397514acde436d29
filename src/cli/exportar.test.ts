import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { criarCliente } from '../cliente/cliente.ts';
import { exportar } from './exportar.ts';
import { Saida } from './saida.ts';

const pasta = mkdtempSync(join(tmpdir(), 'malote-exportar-'));
after(() => rmSync(pasta, { recursive: true, force: true }));
const dono = { servidor: 'http://servidor', codigoCrm: '000001', cpfCnpj: '11144477735' };

it('a damaged note of how far a folder is, is told, for going on without it would fetch everything again', async () => {
  const cliente = criarCliente({ url: dono.servidor, token: 't', codigoCrm: '1', cpfCnpj: dono.cpfCnpj });
  for (const nsu of [undefined, '7', 1.5, -1]) {
    writeFileSync(join(pasta, '.malote-nsu.json'), JSON.stringify({ versao: 1, ...dono, nsu }));
    const asked = exportar(
      { cliente, saida: new Saida({ json: true }) },
      { pasta, dono, desde: 0, comXml: false },
    );
    await assert.rejects(asked, { codigo: 'estado_invalido' }, String(nsu));
  }
});
