import v8 from 'node:v8';

/** What a process was started with, and what changes it. */
export interface V8Process {
  args: readonly string[];
  set(flag: string): void;
}

export const THIS_PROCESS: V8Process = {
  args: process.execArgv,
  set: (flag) => v8.setFlagsFromString(flag),
};

/**
 * A setting of V8 as the process was started with it; undefined where it was not, so that it is left alone. While it has
 * another value V8 takes no compiled code that was kept under this one, nor the other way round: it is put back.
 */
export function startedWith({ args }: V8Process, setting: string): string | undefined {
  return args.find((arg) => arg.startsWith(`${setting}=`));
}
