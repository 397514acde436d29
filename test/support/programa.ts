/** The real program, run to its end as a child process with settings of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const BIN = join(import.meta.dirname, '..', '..', 'bin', 'malote.js');

/** An environment with nothing of the one who runs the tests but what a process needs. */
export function ambiente(env: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, MALOTE_LOG: 'silent', ...env };
}

/** Runs `malote … --json`. @returns exit code and the one object */
export async function runJson(
  env: Record<string, string>,
  ...args: string[]
  // biome-ignore lint/suspicious/noExplicitAny: the object of any command, whose shape the test itself asserts
): Promise<{ code: number | null; value: any }> {
  const child = spawn(process.execPath, [BIN, ...args, '--json'], {
    env: ambiente(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = [child.stdout.toArray(), child.stderr.toArray()];
  const [code] = (await once(child, 'close')) as [number | null];
  const text = (await stdout).join('');
  if (text === '') throw new Error(`malote ${args.join(' ')} said nothing: ${(await stderr).join('')}`);
  return { code, value: JSON.parse(text) };
}
