import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { type OpenApi, rotasDoConsole } from '../../scripts/console-tipos.ts';
import { startMalote } from '../support/malote.ts';

const GERADO = join(import.meta.dirname, '../../console/src/generated/rotas.ts');

it('the types of the console are those of the server; `npm run console:tipos` makes them', async () => {
  await using malote = await startMalote({ env: { MALOTE_MODO: 'api' } });
  const openapi = (await (await fetch(`${malote.url}/console/openapi.json`)).json()) as OpenApi;
  assert.equal(readFileSync(GERADO, 'utf8'), rotasDoConsole(openapi));
});
