/**
 * Forged copies, answers, events and certificates in any order displace, lose and restatus nothing genuine without a mark.
 * `npm run forjas` tries a hundred thousand.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forjar } from './forjas/campanha.ts';

const VARIANTES = Number(process.env.FORJAS ?? 300);
const SEMENTE = process.env.SEMENTE ?? '20261128';

it(`${VARIANTES} forged files displace nothing genuine, lose nothing and change no status without a mark`, async () => {
  const { genuinos, ...found } = await forjar({ variantes: VARIANTES, porGenuino: 12, semente: SEMENTE });
  assert.ok(genuinos > 0);
  assert.deepEqual(
    { ...found, variantes: 0 },
    { variantes: 0, substituidas: [], perdidas: [], semMarca: [] },
  );
});
