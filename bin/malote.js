#!/usr/bin/env node
// Entry point in plain JavaScript, so that it also runs on an old Node: it finds a Node 24 (the one that npm
// installed with the project, else the host's own) and hands over to the TypeScript program.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ALLOCATOR, ENGINE, engineSettings, keepCompiled, MINIMUM_MAJOR, NODE_MAJOR } from './engine.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Path of the Node binary that npm's platform package brought, or null where none fits this host. */
function bundledNode() {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const binary = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
}

/** The service goes on in this very process, begun anew with settings that are read only once. */
function withProcessSettings() {
  const wanted = process.platform === 'linux' && process.argv[2] === 'servir';
  if (!wanted || Object.keys(ALLOCATOR).some((name) => name in process.env)) return;
  const args = [process.execPath, ...engineSettings(), ...process.execArgv, ...process.argv.slice(1)];
  process.execve?.(process.execPath, args, { ...process.env, ...ALLOCATOR });
}

if (NODE_MAJOR < MINIMUM_MAJOR) {
  const node = process.env.MALOTE_NODE_REEXEC ? null : bundledNode();
  if (!node) {
    console.error(
      `O Malote precisa do Node ${MINIMUM_MAJOR} ou mais novo; este é o ${process.versions.node}. ` +
        'Rode "npm ci" para instalar o Node que acompanha o projeto, ou atualize o Node deste computador.',
    );
    process.exit(1);
  }
  const child = spawn(node, [...ENGINE, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...ALLOCATOR, ...process.env, MALOTE_NODE_REEXEC: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
} else {
  withProcessSettings();
  keepCompiled();
  // A published package is compiled into dist/, because Node does not strip types below node_modules.
  const source = join(root, 'src', 'main.ts');
  await import(pathToFileURL(existsSync(source) ? source : join(root, 'dist', 'main.js')).href);
}
