/** Reads a body of JSON strictly: what two readers could understand differently is refused. */
import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { codificacaoInvalida, corpoGrandeDemais, corpoInvalido } from './errors.ts';

const inflate = promisify(gunzip);
/** Bodies of this service are three levels deep; what is nested without end exhausts the stack of whoever walks it. */
const DEPTH_MAX = 50;

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [BRACE_OPEN, BRACE_CLOSE, BRACKET_OPEN, BRACKET_CLOSE] = [0x7b, 0x7d, 0x5b, 0x5d];
const WHITE_SPACE: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];

/** Takes bodies of JSON and nothing else, as they are or as gzip. */
export function acceptOnlyJson(app: FastifyInstance): void {
  // Refuses `__proto__` and `constructor`, which the schemas would not see.
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    plainOf(request, body as Buffer).then((bytes) => {
      if (!isUtf8(bytes)) {
        done(corpoInvalido('O corpo não está em UTF-8. Converta-o e envie de novo.'));
        return;
      }
      const text = bytes.toString('utf8');
      parse(request, text, (error, value) => {
        const fault = error ?? faultOf(text);
        done(fault, fault ? undefined : value);
      });
    }, done);
  });
}

/** The bytes of a body without the coding that its header names; however little they came as, the same limit holds. */
async function plainOf({ headers, routeOptions }: FastifyRequest, body: Buffer): Promise<Buffer> {
  const coding = (headers['content-encoding'] ?? '').trim().toLowerCase() || 'identity';
  if (coding === 'identity') return body;
  if (coding !== 'gzip' && coding !== 'x-gzip') throw codificacaoInvalida();
  const { bodyLimit } = routeOptions;
  try {
    return await inflate(body, { maxOutputLength: bodyLimit });
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw tooLarge
      ? corpoGrandeDemais(bodyLimit)
      : corpoInvalido('O corpo não é gzip válido. Envie o JSON como é, sem Content-Encoding.');
  }
}

/** What JSON allows and we do not. @param json that has been parsed */
function faultOf(json: string): Error | null {
  /** The names of each object that is open; null for a list. */
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === BRACE_OPEN || code === BRACKET_OPEN) {
      open.push(code === BRACE_OPEN ? new Set() : null);
      if (open.length > DEPTH_MAX)
        return corpoInvalido('O corpo tem níveis demais. Envie só os campos da documentação.');
    } else if (code === BRACE_CLOSE || code === BRACKET_CLOSE) {
      open.pop();
    } else if (code === QUOTE) {
      const start = at;
      at = endOfText(json, start);
      if (!isFollowedByColon(json, at)) continue;
      const name = JSON.parse(json.slice(start, at + 1)) as string;
      const names = open.at(-1);
      if (names?.has(name))
        return corpoInvalido(`O campo "${name.slice(0, 60)}" está repetido no corpo. Envie-o uma vez só.`);
      names?.add(name);
    }
  }
  return null;
}

/** Where the quote is that ends a text. */
function endOfText(json: string, start: number): number {
  let at = start + 1;
  for (; json.charCodeAt(at) !== QUOTE; at++) if (json.charCodeAt(at) === BACKSLASH) at++;
  return at;
}

function isFollowedByColon(json: string, end: number): boolean {
  let at = end + 1;
  while (WHITE_SPACE.includes(json.charCodeAt(at))) at++;
  return json.charCodeAt(at) === COLON;
}
