import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';

export interface Maquina {
  processador: string;
  nucleos: number;
  memoriaGb: number;
  sistema: string;
  node: string;
  xmllint: string | null;
  /** Short hash, with `+` when files differ from it. */
  commit: string | null;
}

function firstLine(command: string, args: string[]): string | null {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? (`${stdout}${stderr}`.trim().split('\n')[0] ?? null) : null;
}

/** What the run ran on; a figure without it says nothing. */
export function descreverMaquina(): Maquina {
  const commit = firstLine('git', ['rev-parse', '--short', 'HEAD']);
  const changed = spawnSync('git', ['diff', '--quiet', 'HEAD', '--', 'src', 'migrations']).status === 1;
  return {
    processador: cpus()[0]?.model.trim() ?? 'desconhecido',
    nucleos: availableParallelism(),
    memoriaGb: Math.round(totalmem() / 1024 ** 3),
    sistema: `${type()} ${release()}`,
    node: process.version,
    xmllint:
      firstLine('xmllint', ['--version'])?.replace(/^.*version (\d)(\d\d)(\d\d).*$/, (_, ...parts) =>
        parts.slice(0, 3).map(Number).join('.'),
      ) ?? null,
    commit: commit && `${commit}${changed ? '+' : ''}`,
  };
}
