/** What one office, or somebody without any token, can do to the others: nothing is refused to these, and nothing is killed. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { generateEmpresa } from '../../src/gerador/empresas.ts';
import { generateNfe } from '../../src/gerador/nfe.ts';
import {
  createEscritorio,
  type Escritorio,
  fetchJson,
  importFile,
  type Malote,
  startMalote,
  upload,
} from '../support/malote.ts';

const emitente = generateEmpresa('emitente', { perfil: 'industria', uf: 'SP' });
/** One document may have 10 MB. */
const GRANDE_BYTES = 9_000_000;
/** More than an office has places for bodies, and more than all have. */
const ENVIOS_LENTOS = 320;
const DOWNLOADS = 16;
/** A reader who takes nothing is dropped after some seconds, and the next one has his room. */
const AGUARDA_MS = 40_000;

let malote: Malote;
let barulhento: Escritorio;
let vizinho: Escritorio;
const sockets: Socket[] = [];

before(async () => {
  malote = await startMalote({ umProcesso: true, medido: true });
  barulhento = await createEscritorio(malote.dataFolder, { crm: '1', clientes: [emitente.id] });
  vizinho = await createEscritorio(malote.dataFolder, { crm: '2', clientes: [emitente.id] });
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  await malote[Symbol.asyncDispose]();
});

/** Sends the head of a request, and reads nothing of the answer. */
async function open(head: string): Promise<Socket> {
  const socket = connect(Number(new URL(malote.url).port), '127.0.0.1');
  socket.on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  socket.pause();
  socket.write(`${head}\r\nHost: a\r\n\r\n`);
  return socket;
}

function nota(numero: number): Buffer {
  const { xml } = generateNfe({
    semente: 'vizinhos',
    emitente,
    destinatario: null,
    modelo: '65',
    serie: 1,
    numero,
    emissao: new Date(Date.UTC(2026, 2, 20, 15)),
    itens: 1,
  });
  return Buffer.from(xml);
}

async function addressOf({ codigoCrm, token }: Escritorio): Promise<URL> {
  const { body } = await fetchJson(
    `${malote.url}/api/v1/${codigoCrm}/${emitente.id}/documentos/0/novos?Tamanho=1`,
    { token },
  );
  return new URL(body.documentos[0].url_download);
}

const peakMb = () =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${malote.process.pid}/status`, 'utf8'))?.[1]) / 1024;

describe('downloads that nobody reads, without any token', () => {
  it('take little memory, give way to each other, and those of another office come at once', {
    skip: process.platform === 'linux' ? false : 'memory is read from /proc',
  }, async () => {
    const grande = nota(1)
      .toString()
      .replace('</infNFe>', `<!--${'x'.repeat(GRANDE_BYTES)}--></infNFe>`);
    for (const { token } of [barulhento, vizinho])
      await importFile(malote, { token, bytes: Buffer.from(grande), extension: '.xml' });
    const [dele, meu] = [await addressOf(barulhento), await addressOf(vizinho)];
    const before = peakMb();
    const lentos = await Promise.all(
      Array.from({ length: DOWNLOADS }, () => open(`GET ${dele.pathname}${dele.search} HTTP/1.1`)),
    );
    for (let round = 0; round < 3; round++) {
      const { status, bytes } = await download(meu);
      assert.deepEqual([status, bytes > GRANDE_BYTES], [200, true]);
    }
    // None of the others is read: they are dropped in turn, and this one, which waits with them, is served.
    const last = await open(`GET ${dele.pathname}${dele.search} HTTP/1.1`);
    assert.ok(await begins(last), 'whoever reads gets his bytes');
    assert.ok(lentos.length === DOWNLOADS && peakMb() - before < 180, `${peakMb() - before} MB more`);
    for (const socket of sockets.splice(0)) socket.destroy();
  });
});

async function download(url: URL): Promise<{ status: number; bytes: number }> {
  const answer = await fetch(url);
  return { status: answer.status, bytes: (await answer.arrayBuffer()).byteLength };
}

/** Whether the answer of a socket begins with 200 within the time. */
async function begins(socket: Socket): Promise<boolean> {
  const until = performance.now() + AGUARDA_MS;
  const pieces: Buffer[] = [];
  socket.on('data', (piece) => pieces.push(piece)).resume();
  while (pieces.length === 0 && performance.now() < until) await delay(50);
  return Buffer.concat(pieces).toString('latin1', 0, 12) === 'HTTP/1.1 200';
}

describe('uploads that come slowly', () => {
  it('leave places for those of another office', async () => {
    const { token } = barulhento;
    const json = { size: 1_000, extension: '.xml' };
    await Promise.all(
      Array.from({ length: ENVIOS_LENTOS }, async () => {
        const ticket = await fetchJson(`${malote.url}/storage`, { token, json });
        assert.equal(ticket.status, 200, 'there is no limit by default');
        const { pathname, search } = new URL(ticket.body.url);
        const slow = await open(`PUT ${pathname}${search} HTTP/1.1\r\nContent-Length: 1000`);
        slow.write('<');
      }),
    );
    const bytes = nota(2);
    const ids = await Promise.all(
      Array.from({ length: 45 }, () => upload(malote, { token: vizinho.token, bytes, extension: '.xml' })),
    );
    assert.equal(new Set(ids).size, 45);
  });
});
