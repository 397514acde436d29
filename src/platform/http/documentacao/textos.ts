/** Texts that are long and nearly always the same: each is made and compressed once, and kept. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { bestCoding, type Coding } from '../accept-encoding.ts';

/** They differ by the address that callers use. Who calls by ever new ones has each made anew. */
const KEPT = 16;
/** A little larger than the best, in a twentieth of its time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

type Codings = Readonly<Record<Coding, Buffer>>;

export class TextosGuardados {
  readonly #kept = new LRUCache<string, Promise<Codings>>({ max: KEPT });

  /** Answers a text in the coding that the caller likes best. @param key tells it from all others */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    { key, type, make }: { key: string; type: string; make: () => string },
  ): Promise<FastifyReply> {
    let kept = this.#kept.get(key);
    if (!kept) {
      kept = compressed(make());
      this.#kept.set(key, kept);
    }
    const codings = await kept;
    const accepted = request.headers['accept-encoding'];
    const coding = bestCoding(typeof accepted === 'string' ? accepted : '');
    void reply.type(`${type}; charset=utf-8`).header('vary', 'accept-encoding');
    if (coding !== 'identity') void reply.header('content-encoding', coding);
    return reply.send(codings[coding]);
  }
}

async function compressed(text: string): Promise<Codings> {
  const identity = Buffer.from(text);
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, BROTLI),
    promisify(gzip)(identity),
  ]);
  return { br, gzip: zipped, identity };
}
