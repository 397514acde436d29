import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DIA_MS, HORA_MS } from '../../src/simulador/tipos.ts';
import { Agenda } from './agenda.ts';
import { esperaDe } from './espera.ts';
import { Expediente } from './expediente.ts';

it('a document waits only while it can come', () => {
  const excused = [
    { de: 100, ate: 200 },
    { de: 150, ate: 180 },
    { de: 190, ate: 300 },
    { de: 500, ate: 600 },
  ];
  assert.equal(esperaDe(0, 50, excused), 50);
  assert.equal(esperaDe(0, 350, excused), 150);
  assert.equal(esperaDe(120, 250, excused), 0);
  assert.equal(esperaDe(310, 420, excused), 110);
  assert.equal(esperaDe(400, 650, excused), 150);
});

it('the machine is on in working hours, and in some weeks always', () => {
  const monday = Date.UTC(2026, 0, 5, 3);
  const office = new Expediente(monday, false);
  const second = monday + 7 * DIA_MS;
  assert.ok(office.isOn(monday), 'the first week is a whole one');
  assert.ok(!office.isOn(second + 7 * HORA_MS) && office.isOn(second + 8 * HORA_MS));
  assert.ok(office.isOn(second + 18 * HORA_MS - 1) && !office.isOn(second + 18 * HORA_MS));
  assert.ok(!office.isOn(second + 5 * DIA_MS + 10 * HORA_MS), 'a Saturday');
  assert.equal(office.nextOn(second + 4 * DIA_MS + 20 * HORA_MS), second + 7 * DIA_MS + 8 * HORA_MS);
  assert.deepEqual(office.offWithin(second, second + DIA_MS), [
    { de: second, ate: second + 8 * HORA_MS },
    { de: second + 18 * HORA_MS, ate: second + DIA_MS },
  ]);
  assert.ok(new Expediente(monday, true).isOn(second));
});

it('what is going to happen happens by time, and together as it was written down', async () => {
  const agenda = new Agenda();
  const seen: string[] = [];
  for (const [em, what] of [
    [30, 'd'],
    [10, 'a'],
    [20, 'b'],
    [20, 'c'],
    [40, 'e'],
  ] as const)
    agenda.add(em, () => void seen.push(what));
  await agenda.runUntil(30);
  assert.deepEqual([seen.join(''), agenda.next], ['abcd', 40]);
});
