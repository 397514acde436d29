import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntradaComHash } from '../../documentos/tipos.ts';
import { opaqueOf } from './documento.ts';

test('the tag of a record changes with all that it shows, also where only the client in it does', () => {
  const entrada = { sha256: 'a'.repeat(64), nsu: 3, revisao: 1, papel: 'tomador', tipo: 'Emitida' };
  const outras = [
    {},
    { sha256: 'b'.repeat(64) },
    { nsu: 4 },
    { revisao: 2 },
    { papel: 'destinatario' },
    { tipo: 'Recebida' },
    { evento: { versaoId: 1, revisao: 1 } },
    { evento: { versaoId: 1, revisao: 2 } },
    { evento: { versaoId: 2, revisao: 1 } },
  ].map((mudou) => opaqueOf({ ...entrada, ...mudou } as EntradaComHash, false));
  assert.equal(new Set([...outras, opaqueOf(entrada as EntradaComHash, true)]).size, 10);
  for (const tag of outras) assert.match(tag, /^[\w.-]+$/);
});
