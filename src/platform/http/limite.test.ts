import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { NoPlace } from '../threads/shares.ts';
import { admitter, type Counter, requestsInWork } from './limite.ts';

/** A request that is let in, and whose answer leaves when it is told to. */
class Pedido {
  readonly raw = Object.assign(new EventEmitter(), { destroyed: false, closed: false });
  readonly headers: Record<string, string> = {};
  readonly reply = {
    raw: this.raw,
    header: (name: string, value: string) => {
      this.headers[name] = value;
    },
  } as unknown as FastifyReply;

  end(): void {
    this.raw.emit('close');
  }
}

const unlimited: Counter = () => null;

describe('requests of one caller', () => {
  it('are in work a few at a time; others wait, whoever else is served at once', async () => {
    const admit = admitter({ contar: unlimited, inWork: requestsInWork({ each: 2 }) });
    const ask = (who: string) => {
      const pedido = new Pedido();
      return { pedido, admitted: admit({ who, area: 'exportacao', reply: pedido.reply }) };
    };
    const [first, second, third] = [ask('a'), ask('a'), ask('a')];
    let waits = true;
    void third.admitted.then(() => {
      waits = false;
    });
    await Promise.all([first.admitted, second.admitted, ask('b').admitted]);
    await turn();
    assert.ok(waits);
    first.pedido.end();
    await third.admitted;
  });

  it('are told to come again when their turn does not come, and leave the queue when they go', async () => {
    const admit = admitter({ contar: unlimited, inWork: requestsInWork({ each: 1, waitMs: 20 }) });
    const ask = (pedido: Pedido) => admit({ who: 'a', area: 'importacao', reply: pedido.reply });
    const [first, gone, late, next] = [new Pedido(), new Pedido(), new Pedido(), new Pedido()];
    await ask(first);
    const going = ask(gone);
    gone.end();
    await assert.rejects(going, NoPlace);
    const keep = setInterval(() => {}, 1_000);
    await assert.rejects(ask(late), NoPlace);
    clearInterval(keep);
    const asked = ask(next);
    first.end();
    await asked;
  });
});

describe('a limit', () => {
  it('is waited for when it ends soon, else the request is refused after a while', async () => {
    const told: string[] = [];
    let waitMs: number | null = null;
    const contar: Counter = (key) => {
      told.push(key);
      const saldo = { policy: '"token";q=1;w=60', left: '"token";r=0;t=1', waitMs };
      waitMs = null;
      return saldo;
    };
    const admit = admitter({ contar, inWork: requestsInWork(), limitWaitMs: 30 });
    waitMs = 20;
    await admit({ who: 'a', area: 'exportacao', reply: new Pedido().reply });
    assert.deepEqual(told, ['exportacao/a', 'exportacao/a'], 'counted again in the next minute');
    waitMs = 50_000;
    const before = performance.now();
    const refused = new Pedido();
    await assert.rejects(admit({ who: 'a', area: 'importacao', reply: refused.reply }), {
      codigo: 'limite_excedido',
      headers: { 'retry-after': '50' },
    });
    assert.ok(performance.now() - before >= 29);
    assert.deepEqual(told.slice(2), ['importacao/a']);
    assert.equal(refused.headers['ratelimit-policy'], '"token";q=1;w=60');
  });
});
