/** Makes clients of an OpenAPI document with the generators that integrators use, and has them compiled in strict mode. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const { resolve } = createRequire(import.meta.url);

type Generator = (options: object) => Promise<unknown>;

/** Packages that are installed here only, by `npm run openapi:instalar`: without them the types are checked all the same. */
async function load<T>(name: string): Promise<T> {
  return (await import(name)) as T;
}

/** Two of the generators print with the compiler's own JavaScript, which TypeScript 7 has no more; here is one that has. */
function withOldCompiler(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === 'typescript' ? '@ts-morph/common/dist/typescript.js' : specifier, context),
  });
}

/**
 * @param pasta an empty folder
 * @param documento where the document is served, so that each generator fetches and reads it in its own way
 * @returns the folder of what was generated, in JavaScript
 */
export async function generateClientes(pasta: string, documento: string): Promise<string> {
  const gerado = join(pasta, 'gerado');
  mkdirSync(gerado);
  withOldCompiler();
  const { default: openapiTS, astToString } = await load<{
    default: (source: URL) => Promise<unknown>;
    astToString: (ast: unknown) => string;
  }>('openapi-typescript');
  writeFileSync(join(gerado, 'openapi-typescript.ts'), astToString(await openapiTS(new URL(documento))));
  const { createClient } = await load<{ createClient: Generator }>('@hey-api/openapi-ts');
  await createClient({
    input: documento,
    output: join(gerado, 'hey-api'),
    logs: { level: 'silent' },
    plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
  });
  const { generate } = await load<{ generate: Generator }>('orval');
  await generate({
    input: { target: documento },
    output: {
      target: join(gerado, 'orval.ts'),
      client: 'fetch',
      baseUrl: { getBaseUrlFromSpecification: true },
    },
  });
  return compilar(pasta);
}

/** Strict, with the flows that use what was generated; into a form that knows imports without their ending. */
async function compilar(pasta: string): Promise<string> {
  cpSync(join(import.meta.dirname, 'fluxos'), join(pasta, 'fluxos'), { recursive: true });
  symlinkSync(join(import.meta.dirname, 'node_modules'), join(pasta, 'node_modules'), 'junction');
  const compilerOptions = {
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'commonjs',
    moduleResolution: 'bundler',
    types: ['node'],
    strict: true,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: true,
    skipLibCheck: true,
    rootDir: '.',
    outDir: 'js',
    paths: { 'gerado/*': ['./gerado/*'] },
  };
  const config = { compilerOptions, include: ['gerado', 'fluxos'] };
  writeFileSync(join(pasta, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(pasta, 'package.json'), '{"type":"commonjs"}');
  const tsc = join(resolve('typescript/package.json'), '..', 'bin', 'tsc');
  const child = spawn(process.execPath, [tsc, '-p', pasta], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = text(child.stdout);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`generated clients do not compile:\n${await said}`);
  return join(pasta, 'js');
}
