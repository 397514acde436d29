/**
 * `npm run cliente:pacote`: the typed client as a package of its own, out of the same source as `malote/cliente`, ready for
 * `npm publish`. What is published lies in one folder: compiled sources, types, its page and the licence.
 * `--para <folder>`: where; default `dist-cliente/`.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const root = dirname(import.meta.dirname);
const { values } = parseArgs({ options: { para: { type: 'string', default: 'dist-cliente' } } });
const target = resolve(values.para);

const compiler = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin',
  'tsc',
);
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const { status, error } = spawnSync(
  process.execPath,
  [compiler, '-p', 'tsconfig.cliente.json', '--outDir', target],
  { cwd: root, stdio: 'inherit' },
);
if (error) throw error;
if (status !== 0) process.exit(status ?? 1);
copyFileSync(join(root, 'pacotes', 'cliente', 'package.json'), join(target, 'package.json'));
copyFileSync(join(root, 'docs', 'cliente.md'), join(target, 'README.md'));
copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
console.log(`O pacote malote-cliente está em ${target}. Para publicar: npm publish ${target}`);
