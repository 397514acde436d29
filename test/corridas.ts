/** The runs that `npm test` is made of: which files together, on which engine. `rodar.ts` runs them. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { porImportacoes } from './support/alcance.ts';

export interface Corrida {
  titulo: string;
  /** Globs, from the project's folder. */
  files: readonly string[];
  motor: 'sqlite' | 'postgres';
  /** All files in one process: for those that start nothing and open nothing, whose code takes longer to load than to run. */
  numProcesso?: true;
}

/**
 * What these try is decided before a row is asked for, or in the program itself; the statements behind them are run on PostgreSQL by
 * the suites of their areas. `MALOTE_TESTE_TUDO=1 npm test` runs them there too.
 */
const SEM_LINHAS = [
  ...[
    'banco-mais-novo',
    'caminhos',
    'cli',
    'cliente',
    'console-entrar',
    'console-pagina',
    'credenciais',
    'emissor',
  ],
  ...[
    'enderecos',
    'erros',
    'integrar',
    'operacao',
    'rajada',
    'segredos',
    'token-de-acesso',
    'tolerancia',
    'upload',
  ],
];
const NO_POSTGRES = process.env.MALOTE_TESTE_TUDO ? [] : SEM_LINHAS;
/** Of the files of `test/e2e`, what the console asks for is a run beside that of all others. */
const DO_CONSOLE = 'console-';
const doConsole = (names: readonly string[]) =>
  names.filter((name) => name.startsWith(DO_CONSOLE)).map((name) => name.slice(DO_CONSOLE.length));

/** Of the areas, what comes to the engine at all: the others would only do again what they have done. */
function doMotor(globs: readonly string[]): string[] {
  const alcanca = porImportacoes();
  return globSync(globs, { cwd: join(import.meta.dirname, '..') }).filter(alcanca);
}

/**
 * The longest first, so that the last ones end together. Every test file is in one run on SQLite
 * (`test/tidy.test.ts`); what comes to rows is run again on PostgreSQL: over HTTP, the suites of the areas that have
 * statements, and the crash campaign.
 */
export const CORRIDAS: readonly Corrida[] = [
  { titulo: 'por HTTP', files: [`test/e2e/!(${DO_CONSOLE}*).test.ts`], motor: 'sqlite' },
  {
    titulo: 'quedas, medições e acervo',
    files: ['test/*.test.ts', 'test/!(e2e|console|contrato)/*.test.ts'],
    motor: 'sqlite',
  },
  {
    titulo: 'por HTTP, em PostgreSQL',
    files: [`test/e2e/!(${[`${DO_CONSOLE}*`, ...NO_POSTGRES].join('|')}).test.ts`],
    motor: 'postgres',
  },
  {
    titulo: 'quedas e ataques, em PostgreSQL',
    files: ['test/confiabilidade.test.ts', 'test/ataques.test.ts'],
    motor: 'postgres',
  },
  { titulo: 'contratos dos dois motores e de S3', files: ['test/contrato/**/*.test.ts'], motor: 'sqlite' },
  { titulo: 'console, no navegador', files: ['test/console/**/*.test.ts'], motor: 'sqlite' },
  { titulo: 'áreas', files: ['src/*.test.ts', 'src/!(fiscal|gerador)/**/*.test.ts'], motor: 'sqlite' },
  {
    titulo: 'áreas, em PostgreSQL',
    files: doMotor([
      'src/{auditoria,autorizacao,console,contas,documentos,importacao,retencao}/**/*.test.ts',
      'src/platform/jobs/*.test.ts',
    ]),
    motor: 'postgres',
  },
  { titulo: 'console por HTTP', files: [`test/e2e/${DO_CONSOLE}*.test.ts`], motor: 'sqlite' },
  {
    titulo: 'console por HTTP, em PostgreSQL',
    files: [`test/e2e/${DO_CONSOLE}!(${doConsole(NO_POSTGRES).join('|')}).test.ts`],
    motor: 'postgres',
  },
  {
    titulo: 'leitura de documentos',
    files: ['src/{fiscal,gerador}/**/*.test.ts', 'console/src/**/*.test.ts'],
    motor: 'sqlite',
    numProcesso: true,
  },
];
