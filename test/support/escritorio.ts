/** An office without clients whose administrator stands before the console, in a browser: where browser tests begin. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Locator } from 'playwright-core';
import { criarAna, type MundoDoConsole, mundoVazio } from './console-mundo.ts';
import { ensureConsole } from './construir-console.ts';
import { Navegador } from './navegador.ts';

/** What is made by `before`, and may be asked for inside of tests only. */
export interface Escritorio {
  readonly malote: MundoDoConsole['malote'];
  /** Of the administrator's session, `name=value`. */
  readonly cookie: string;
  readonly navegador: Navegador;
  /** Of this suite alone; goes with it. */
  readonly pasta: string;
  /** Opens a screen of the console, and waits until it is there. */
  ir(caminho: string, titulo?: string): Promise<void>;
  dialogo(): Locator;
}

/** Call it inside of `describe`. @param env settings of the server besides those of every test */
export function adoptEscritorio(env: Record<string, string> = {}): Escritorio {
  let mundo: MundoDoConsole;
  let cookie: string;
  let navegador: Navegador;
  const pasta = mkdtempSync(join(tmpdir(), 'malote-console-'));
  before(async () => {
    ensureConsole();
    mundo = await mundoVazio(env);
    cookie = await criarAna(mundo);
    navegador = await Navegador.abrir();
    await navegador.logInWith(mundo.malote.url, cookie);
  });
  after(async () => {
    await navegador[Symbol.asyncDispose]();
    await mundo.malote[Symbol.asyncDispose]();
    rmSync(pasta, { recursive: true, force: true });
  });
  return {
    pasta,
    get malote() {
      return mundo.malote;
    },
    get cookie() {
      return cookie;
    },
    get navegador() {
      return navegador;
    },
    ir: (caminho, titulo) => navegador.ir(`${mundo.malote.url}/console${caminho}`, titulo),
    dialogo: () => navegador.page.getByRole('dialog'),
  };
}
