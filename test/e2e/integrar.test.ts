/** docs/integrar.md, run as it stands on the page: every block, in its order, in one shell. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { DOCUMENTOS, emitente } from '../support/cenario-exportacao.ts';
import { startMalote } from '../support/malote.ts';
import { BIN } from '../support/programa.ts';

const PAGINA = join(import.meta.dirname, '..', '..', 'docs', 'integrar.md');
const PASSOS = 8;
/** For what would wait for ever: the whole page takes some seconds. */
const LIMITE_MS = 120_000;
/** Says where a step begins in what the shell prints. */
const MARCA = '=== bloco';

interface Bloco {
  lingua: string;
  texto: string;
}

function blocosDa(pagina: string): Bloco[] {
  return [...pagina.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, lingua = '', texto = '']) => ({
    lingua,
    texto,
  }));
}

it('the tutorial for integrators leads from nothing to a folder that mirrors a feed', async (t) => {
  const pagina = readFileSync(PAGINA, 'utf8');
  assert.equal([...pagina.matchAll(/^## \d+\. /gm)].length, PASSOS);
  await using malote = await startMalote();
  const pasta = mkdtempSync(join(tmpdir(), 'malote-integrar-'));
  t.after(() => rmSync(pasta, { recursive: true, force: true }));
  const { cancelada, cancelamento } = DOCUMENTOS;
  writeFileSync(join(pasta, 'nota.xml'), cancelada.bytes);
  writeFileSync(join(pasta, 'cancelamento.xml'), cancelamento.bytes);
  // The reader stands in the project's folder, where npx finds the program.
  writeFileSync(join(pasta, 'npx'), `#!/bin/sh\nshift\nexec "${process.execPath}" "${BIN}" "$@"\n`);
  chmodSync(join(pasta, 'npx'), 0o755);
  const blocos = blocosDa(pagina);
  const script = ['set -eu'];
  for (const { lingua, texto } of blocos) {
    if (lingua === 'sh') script.push(`echo; echo "${MARCA}"`, texto);
    const nome = /^\/\/ (\S+)$/m.exec(texto)?.[1];
    if (lingua === 'js' && nome) writeFileSync(join(pasta, nome), texto);
  }
  const { stdout } = await promisify(execFile)('bash', ['-c', script.join('\n')], {
    timeout: LIMITE_MS,
    cwd: pasta,
    env: {
      ...process.env,
      PATH: `${pasta}:${process.env.PATH}`,
      MALOTE: malote.url,
      MALOTE_DATA: malote.dataFolder,
      CNPJ: emitente.id,
    },
  });
  const [, , , , cadastro, clientes, , situacao, itens, fila, situacaoDaNota, laco, erro] = stdout.split(
    `${MARCA}\n`,
  );
  assert.match(String(cadastro), /"message":/);
  assert.match(String(clientes), new RegExp(`"cpf_cnpj":"${emitente.id}"`));
  assert.match(String(situacao), /O arquivo terminou: Uploaded/);
  assert.match(String(itens), /"resultado":"novo"/);
  assert.match(String(fila), /"nsu":1,/);
  assert.equal(String(situacaoDaNota).trim(), 'Cancelada');
  assert.match(String(laco), /Em dia até o NSU 2\./);
  assert.equal(String(erro).trim(), 'cpf_cnpj_invalido');
  const notas = join(pasta, 'notas');
  assert.deepEqual(readdirSync(notas).toSorted(), [
    `${cancelada.chave}.situacao.txt`,
    `${cancelada.chave}.xml`,
    'ultimo-nsu.txt',
  ]);
  assert.equal(readFileSync(join(notas, `${cancelada.chave}.situacao.txt`), 'utf8'), 'Cancelada');
  assert.equal(
    readFileSync(join(notas, `${cancelada.chave}.xml`), 'utf8'),
    Buffer.from(cancelada.bytes).toString(),
  );
});
