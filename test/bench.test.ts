import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { RAZOES } from '../bench/razoes.ts';

const BENCH = join(import.meta.dirname, '..', 'bench', 'bench.ts');

describe('npm run bench -- --json', () => {
  it('prints one object with every figure by its fixed name, and says why one is missing', () => {
    const run = spawnSync(process.execPath, [BENCH, '--json', '--documentos', '30'], { encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    const { razoes, motivos, documentos } = JSON.parse(run.stdout);
    assert.equal(documentos, 30);
    assert.deepEqual(Object.keys(razoes), RAZOES);
    for (const name of RAZOES) {
      if (razoes[name] === null) assert.ok(motivos[name]?.length > 5, name);
      else assert.ok(razoes[name] > 0 && !(name in motivos), `${name}: ${razoes[name]}`);
    }
    assert.ok(razoes.pronto_s > 0);
    assert.ok(razoes.nota_sozinha_p50_ms > 0);
    assert.ok(razoes.disco_sobre_xml > 0);
  });
});
