/** A real browser on a console: what it complains of, what moves, what a screen reader would miss. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Path of the browser on this machine; null where there is none. */
const NAVEGADOR =
  [process.env.MALOTE_NAVEGADOR ?? '', ...PLACES].find((path) => path && existsSync(path)) ?? null;
/** Why browser tests are not run, as the `skip` of `describe`. */
export const SEM_NAVEGADOR = NAVEGADOR === null ? 'no Chromium on this machine' : false;

const ARGS =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(
    ' ',
  );
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Runs in every page before anything else of it. */
const WATCH = `
  window.__csp = [];
  addEventListener('securitypolicyviolation', (event) =>
    window.__csp.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile + ':' + event.lineNumber));
  window.__shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.__shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });`;

/** Two frames take a thirtieth of a second. */
const FRAMES_MS = 1_000;
/** What a step leads to is there in a second or two; this is room for a busy machine. */
const STEP_WITHIN_MS = 120_000;

export interface Janela {
  largura: number;
  altura: number;
  esquema: 'light' | 'dark';
}

/** A browser with a profile of its own, that is thrown away. Use it with `await using`. */
export class Navegador implements AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors and warnings that pages wrote to the console, and exceptions nobody caught. */
  readonly queixas: string[] = [];
  readonly #profile: string;

  private constructor(context: BrowserContext, page: Page, profile: string) {
    this.context = context;
    this.page = page;
    this.#profile = profile;
    page.on('pageerror', (error) => this.queixas.push(`exception: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return;
      // Who is not logged in is told so by 401, and the browser notes every 401; nothing is wrong with that one.
      if (message.location().url.endsWith('/console/api/sessao') && message.text().includes('401')) return;
      this.queixas.push(`${message.text()} (${message.location().url})`);
    });
  }

  static async abrir(janela: Janela = { largura: 1280, altura: 900, esquema: 'light' }): Promise<Navegador> {
    const profile = mkdtempSync(join(tmpdir(), 'malote-navegador-'));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: NAVEGADOR ?? '',
      args: ARGS,
      locale: 'pt-BR',
      timezoneId: 'America/Sao_Paulo',
      viewport: { width: janela.largura, height: janela.altura },
      colorScheme: janela.esquema,
      // Colours half way through a transition are nobody's contrast.
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(STEP_WITHIN_MS);
    await context.addInitScript(WATCH);
    const page = context.pages()[0] ?? (await context.newPage());
    return new Navegador(context, page, profile);
  }

  /** Who is logged in from here on: the value of the session's cookie. */
  async logInWith(url: string, cookie: string): Promise<void> {
    const [name = '', value = ''] = cookie.split('=');
    await this.context.addCookies([
      { name, value, url: url.replace('http:', 'https:'), secure: true, httpOnly: true },
    ]);
  }

  /** Opens a screen and waits until it is there: its heading, and no placeholder left. */
  async ir(url: string, titulo?: string): Promise<void> {
    await this.page.goto(url);
    await this.pronta(titulo);
  }

  async pronta(titulo?: string): Promise<void> {
    const heading = titulo ? { level: 1, name: titulo } : { level: 1 };
    await this.page.getByRole('heading', heading).first().waitFor();
    const placeholder = this.page.locator('.mantine-Skeleton-root').first();
    while ((await placeholder.count()) > 0) await placeholder.waitFor({ state: 'detached' });
    await this.page.waitForLoadState('networkidle');
  }

  async janela({ largura, altura, esquema }: Janela): Promise<void> {
    await this.page.setViewportSize({ width: largura, height: altura });
    await this.page.emulateMedia({ colorScheme: esquema });
    // Two frames: the first one draws what has changed with the window, the second one follows it. A browser that has
    // nothing to draw may send none.
    await this.page.evaluate(
      `new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(done));
        setTimeout(done, ${FRAMES_MS});
      })`,
    );
  }

  /** Breaches of the page's policy since it was opened. */
  async violacoes(): Promise<string[]> {
    return this.page.evaluate('window.__csp');
  }

  /** How much has moved without having been asked to (CLS). */
  async deslocamento(): Promise<number> {
    return this.page.evaluate('window.__shift');
  }

  /** Whether the page scrolls sideways. */
  async transborda(): Promise<boolean> {
    return this.page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
  }

  /** Serious and critical faults that axe finds, as `rule: element`. */
  async faltasDeAcesso(): Promise<string[]> {
    await this.page.evaluate(AXE);
    const found = (await this.page.evaluate(
      `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) => nodes.slice(0, 4).map((node) =>
          id + ': ' + node.html.slice(0, 160) + ' | ' + (node.any[0]?.message ?? node.failureSummary ?? '').slice(0, 200))))`,
    )) as string[];
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.close();
    rmSync(this.#profile, { recursive: true, force: true });
  }
}
