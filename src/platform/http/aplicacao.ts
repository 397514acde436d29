/** Serves a browser application that was built into a folder: one page for all of its paths, and its hashed assets. */
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { tellNothingIsThere } from './arquivos-fixos.ts';
import { rotaNaoEncontrada } from './errors.ts';

/** Stands in the built page where each answer gets a nonce of its own. */
const NONCE_PLACEHOLDER = '__NONCE__';
const PAGE = 'index.html';
const YEAR_SECONDS = 31_536_000;

interface Aplicacao {
  /** Path of the application, without trailing slash, such as `/console`. */
  prefix: string;
  /** What the build made: `index.html` and `assets/`, the latter with `.br` and `.gz` twins. */
  folder: string;
  /** Paths outside the prefix that lead to a page below it, such as `/` or links of older versions. */
  redirects: Readonly<Record<string, string>>;
  /** First path segments below the prefix that are no pages of the application: unknown paths there are JSON 404. */
  notPages: readonly string[];
  /** Answers for the page while the folder holds no build; it is asked again at the next request. */
  whenMissing: () => { status: number; html: string };
}

/**
 * Scripts and connections only from this origin, nothing inline; style elements that the interface's components
 * make while they run carry the answer's nonce (style attributes set by script need none).
 */
function policy(nonce: string): string {
  return (
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; ` +
    "font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
  );
}

/** Registers the page for every path below the prefix, the assets, and the redirects to it. */
export async function serveAplicacao(app: FastifyInstance, aplicacao: Aplicacao): Promise<void> {
  const { prefix, folder, notPages } = aplicacao;
  const readPage = rememberPage(join(folder, PAGE));
  const isPage = (path: string) => !notPages.includes(path.split('/', 1)[0] ?? '');
  const sendPage = (reply: FastifyReply) => {
    const page = readPage();
    const nonce = randomBytes(16).toString('base64');
    const { status, html } = page === null ? aplicacao.whenMissing() : { status: 200, html: page };
    return reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy(nonce))
      .header('cache-control', 'no-store')
      .send(html.replaceAll(NONCE_PLACEHOLDER, nonce));
  };
  const hidden = { schema: { hide: true } };
  for (const [from, to] of Object.entries({ ...aplicacao.redirects, [prefix]: '/' })) {
    app.get(from, hidden, async (_request, reply) => reply.redirect(`${prefix}${to}`, 302));
  }
  // `rest`: a fallback says nothing about which methods a path below it has.
  app.get(`${prefix}/*`, { ...hidden, config: { rest: true } }, async (request, reply) => {
    if (!isPage((request.params as { '*': string })['*'])) throw rotaNaoEncontrada();
    return sendPage(reply);
  });
  await app.register(async (scope) => {
    // Their twins were made at build time, better than on the way.
    scope.addHook('onRequest', async (request) => {
      request.headers['x-no-compression'] = '1';
    });
    tellNothingIsThere(scope);
    await scope.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: `${prefix}/assets/`,
      schemaHide: true,
      decorateReply: false,
      index: false,
      preCompressed: true,
      immutable: true,
      maxAge: YEAR_SECONDS * 1000,
    });
  });
}

/** Reads the page once, and again when a build has replaced it; null while there is none. */
function rememberPage(file: string): () => string | null {
  let known: { changed: number; text: string } | null = null;
  return () => {
    const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (changed === undefined) return null;
    if (known?.changed !== changed) known = { changed, text: readFileSync(file, 'utf8') };
    return known.text;
  };
}
