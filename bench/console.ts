/**
 * `npm run bench:console -- --dados <pasta>`: how quick the console is in a real browser with very many documents. An
 * empty or missing folder is filled first (`--documentos`, default 100,000). Writes docs/console.md.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { logInToConsole } from '../test/support/console.ts';
import { ensureConsole } from '../test/support/construir-console.ts';
import { startMalote, withDeps } from '../test/support/malote.ts';
import { Navegador } from '../test/support/navegador.ts';
import { measureConsole } from './console/medir.ts';
import { emMarkdown, emTexto } from './console/pagina.ts';
import { descreverMaquina } from './maquina.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGINA = join(ROOT, 'docs', 'console.md');
/** Where on that page begins what `npm run caminhadas` has shown, which is written by hand. */
const CAMINHADAS = '\n## Três caminhadas';
const CRM = '123456';
const CLIENTES = 20;
const MESES = 6;

const { values } = parseArgs({
  options: {
    dados: { type: 'string' },
    documentos: { type: 'string', default: '100000' },
    vezes: { type: 'string', default: '7' },
    'sem-pagina': { type: 'boolean', default: false },
  },
});
const dataFolder = values.dados ?? mkdtempSync(join(tmpdir(), 'malote-bench-console-'));
try {
  ensureConsole();
  if (!existsSync(join(dataFolder, 'malote.sqlite'))) encher();
  await using malote = await startMalote({ dataFolder, env: { MALOTE_LIMITE_MINUTO: '0' }, medido: true });
  const { contadorId, documentos } = await withDeps(dataFolder, async ({ db }) => {
    const { id } = await db.read.selectFrom('contador').select('id').executeTakeFirstOrThrow();
    const { quantos } = await db.read
      .selectFrom('documento')
      .select((eb) => eb.fn.countAll<number>().as('quantos'))
      .executeTakeFirstOrThrow();
    return { contadorId: id, documentos: Number(quantos) };
  });
  const { cookie } = await logInToConsole(malote, {
    contadorId,
    email: `medicao-${Date.now()}@exemplo.com.br`,
  });
  await using navegador = await Navegador.abrir();
  await navegador.logInWith(malote.url, cookie);
  const medidas = await measureConsole(navegador, { url: malote.url, vezes: Number(values.vezes) });
  const relatorio = { documentos, maquina: descreverMaquina(), ocupada: loadavg()[0] ?? 0, medidas };
  console.log(emTexto(relatorio));
  if (!values['sem-pagina']) writeFileSync(PAGINA, emMarkdown(relatorio) + caminhadas());
} finally {
  if (values.dados === undefined) rmSync(dataFolder, { recursive: true, force: true });
}

function caminhadas(): string {
  const page = readFileSync(PAGINA, 'utf8');
  const at = page.indexOf(CAMINHADAS);
  return at < 0 ? '' : page.slice(at);
}

/** An office whose documents are made and stored as `malote semear` does it. */
function encher(): void {
  mkdirSync(dataFolder, { recursive: true });
  const malote = (...args: string[]) =>
    execFileSync(process.execPath, [join(ROOT, 'bin', 'malote.js'), ...args], {
      env: { ...process.env, MALOTE_DATA: dataFolder },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  malote('conta', 'criar', '--crm', CRM, '--nome', 'Aurora Contabilidade', '--email', 'ana@exemplo.com.br');
  malote(
    ...['semear', '--crm', CRM, '--documentos', values.documentos, '--clientes', String(CLIENTES)],
    ...['--meses', String(MESES)],
  );
}
