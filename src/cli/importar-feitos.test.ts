import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { Feitos } from './importar-feitos.ts';

const folder = mkdtempSync(join(tmpdir(), 'malote-feitos-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'estado.json');

it('what was sent to a service is known when the command is called again, and to no other service', async () => {
  await (await Feitos.open(path, 'https://a')).add(['01', '02']);
  await (await Feitos.open(path, 'https://b')).add(['03']);
  const again = await Feitos.open(path, 'https://a');
  assert.deepEqual(
    ['01', '02', '03'].map((sha256) => again.has(sha256)),
    [true, true, false],
  );
});

it('a damaged note of what was sent is told, for going on without it would send everything again', async () => {
  for (const damaged of [
    '',
    '[]',
    '3',
    '{"versao":1,"servidores":5}',
    '{"versao":1,"servidores":[]}',
    '{"versao":1}',
    '{"servidores":{"https://a":"01"}}',
  ]) {
    writeFileSync(path, damaged);
    await assert.rejects(Feitos.open(path, 'https://a'), { codigo: 'estado_invalido' }, damaged);
  }
});
