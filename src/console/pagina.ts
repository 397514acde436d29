/** The browser application of `console/`: where its build lies, and what is answered until there is one. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The same two steps up from `src/console/` and, in the published package, from `dist/console/`. */
const RAIZ = fileURLToPath(new URL('../..', import.meta.url));
const CONSTRUTOR = join(RAIZ, 'scripts', 'console.ts');
const RELOAD_SECONDS = 3;

export const CONSOLE = {
  prefix: '/console',
  folder: join(RAIZ, 'console', 'dist'),
  /** Links to set a password that older versions handed out; the code behind `#` travels along in the browser. */
  redirects: { '/': '/', '/convite': '/convite' },
  notPages: ['api', 'assets'],
} as const;

type Construcao = 'nunca' | 'em andamento' | 'falhou';

/**
 * Answers for the console's page while it has not been built (`npm ci` builds it): the first request starts the
 * build when its tools are there, and the page reloads itself until the console has come.
 */
export class ConsoleAusente {
  #construcao: Construcao = 'nunca';

  answer(): { status: number; html: string } {
    if (this.#construcao === 'nunca') this.#construcao = this.#build();
    if (this.#construcao === 'em andamento') {
      return page('<p>O console está sendo preparado; esta página se abre sozinha em instantes.</p>', {
        reloads: true,
      });
    }
    return page(
      '<p>O console não foi construído nesta instalação. Na pasta do Malote, rode:</p>' +
        '<p><code>npm ci &amp;&amp; npm run console</code></p>' +
        '<p>A API não depende disso: veja a <a href="/docs">documentação da API</a>.</p>',
      { reloads: false },
    );
  }

  #build(): Construcao {
    const hasTools = [CONSTRUTOR, join(RAIZ, 'node_modules', 'vite', 'package.json')].every(existsSync);
    if (!hasTools) return 'falhou';
    const child = spawn(process.execPath, [CONSTRUTOR, '--quieto'], {
      cwd: dirname(dirname(CONSTRUTOR)),
      stdio: 'ignore',
    });
    child.once('error', () => {
      this.#construcao = 'falhou';
    });
    child.once('exit', (code) => {
      this.#construcao = code === 0 ? 'nunca' : 'falhou';
    });
    return 'em andamento';
  }
}

function page(body: string, { reloads }: { reloads: boolean }): { status: number; html: string } {
  const refresh = reloads ? `<meta http-equiv="refresh" content="${RELOAD_SECONDS}">` : '';
  const html = `<!doctype html>
<html lang="pt-BR">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${refresh}<title>Malote</title>
<link rel="icon" href="data:,"><style nonce="__NONCE__">:root{color-scheme:light dark}body{font:1.0625rem/1.6 system-ui,sans-serif;max-width:42rem;margin:0 auto;padding:3rem 1.25rem}</style></head>
<body><main><h1>Malote</h1>${body}</main></body>
</html>
`;
  return { status: 503, html };
}
