import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { NoPlace } from '../threads/shares.ts';
import { Outgoing } from './outgoing.ts';

const MB = 1024 * 1024;
/** More than the kernel takes of an answer that nobody reads. */
const ANSWER_BYTES = 20 * MB;
const STILL_MS = 150;
/** No machine is so busy that who takes something is not seen to within it. */
const LONG_STILL_MS = 1_500;
const NEVER_MS = 600_000;

const roomFor4 = (stillMs: number) =>
  new Outgoing({ roomBytes: 4 * ANSWER_BYTES, waitMs: NEVER_MS, stillMs });

/** Answers `/<owner>` with many bytes, once there is room for them. */
let server: Server;
let outgoing: Outgoing;
/** Answers that are made and not taken. */
let made: { alive: number; most: number };
let sockets: Socket[] = [];
beforeEach(async () => {
  const own = { alive: 0, most: 0 };
  [made, sockets] = [own, []];
  outgoing = roomFor4(STILL_MS);
  server = createServer(async (request, response) => {
    try {
      await outgoing.enter(response, String(request.url), ANSWER_BYTES);
    } catch (error) {
      assert.ok(error instanceof NoPlace);
      response.writeHead(503).end();
      return;
    }
    own.alive += 1;
    own.most = Math.max(own.most, own.alive);
    response.once('close', () => {
      own.alive -= 1;
    });
    outgoing.send(response, ANSWER_BYTES);
    response.end(Buffer.alloc(ANSWER_BYTES));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

function ask(owner: string): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`GET /${owner} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  socket.pause();
  sockets.push(socket);
  return socket;
}

/** Reads until the connection closes. */
async function take(socket: Socket): Promise<number> {
  let bytes = 0;
  socket.on('data', (piece) => {
    bytes += piece.length;
  });
  socket.resume();
  if (!socket.closed) await once(socket, 'close');
  return bytes;
}

describe('answers that nobody takes', () => {
  it('are no more than one owner has room for, while another one is served at once', async () => {
    outgoing = roomFor4(NEVER_MS);
    for (let n = 0; n < 12; n++) ask('slow');
    while (made.alive < 2) await delay(5);
    assert.ok((await take(ask('other'))) > ANSWER_BYTES);
    assert.ok(made.most <= 3, `${made.most} in memory`);
  });

  it('are dropped while others wait, so that these are served', async () => {
    const stuck = [ask('slow'), ask('slow')];
    while (made.alive < 2) await delay(5);
    assert.ok((await take(ask('slow'))) > ANSWER_BYTES);
    const lost = await Promise.all(stuck.map(take));
    assert.equal(lost.filter((bytes) => bytes < ANSWER_BYTES).length, 1, 'no more of them than is wanted');
  });

  it('wait for their reader as long as nobody wants their room', async () => {
    const late = ask('late');
    while (made.alive < 1) await delay(5);
    await delay(4 * STILL_MS);
    assert.ok((await take(late)) > ANSWER_BYTES);
  });

  it('are not dropped when they are taken slowly, piece by piece, at a pace that is enough', async () => {
    outgoing = roomFor4(LONG_STILL_MS);
    const slow = ask('slow');
    let bytes = 0;
    slow.on('data', (piece) => {
      bytes += piece.length;
      slow.pause();
      // Half a megabyte each time, long before it would be called still, which it would be twice in that time altogether.
      setTimeout(() => slow.resume(), bytes % (MB / 2) < piece.length ? LONG_STILL_MS / 20 : 0);
    });
    slow.resume();
    ask('slow');
    const third = take(ask('slow'));
    await once(slow, 'close');
    assert.ok(bytes > ANSWER_BYTES);
    assert.ok((await third) > ANSWER_BYTES);
  });
});

describe('room for an answer', () => {
  const answer = () =>
    Object.assign(new EventEmitter(), { destroyed: false, closed: false }) as unknown as ServerResponse;

  it('is corrected when more is known; nobody holds some while he waits for more', async () => {
    const room = new Outgoing({ roomBytes: 100 });
    const [one, two] = [answer(), answer()];
    await room.enter(one, 'a', 10);
    await room.enter(two, 'a', 10);
    const [first, second] = [room.reserve(one, 60), room.reserve(two, 60)];
    await first;
    assert.equal(room.tryEnter(answer(), 'b', 41), false);
    one.emit('close');
    await second;
    room.send(two, 20);
    assert.equal(room.tryEnter(answer(), 'b', 80), true);
  });

  it('comes back when whoever asked has gone', async () => {
    const room = new Outgoing({ roomBytes: 100 });
    const gone = Object.assign(answer(), { destroyed: true });
    for (let n = 0; n < 5; n++) await room.enter(gone, 'a', 100);
    assert.equal(room.tryEnter(answer(), 'b', 100), true);
  });
});
