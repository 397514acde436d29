import { type Engine, THIS_PROCESS } from './slow-compiler.ts';

/** How much old garbage V8 lets come together, in per cent of what is alive; a setting of the whole process. */
const SETTING = '--heap-growing-percent';
/** Collecting at half as much costs an import a twentieth of its time; at more, memory is all that changes. */
const MORE = 200;

/**
 * From the next full collection of each thread on, twice as much old garbage comes together as the process was started with
 * (`bin/malote.js`), or as much as that again. For while memory is not scarce: where eight uploads of 30 MB wait for each
 * other it is 40 MB more.
 */
export function letOldGarbageGrow(more: boolean, engine: Engine = THIS_PROCESS): void {
  const usual = engine.args.find((arg) => arg.startsWith(`${SETTING}=`));
  if (usual !== undefined) engine.set(more ? `${SETTING}=${MORE}` : usual);
}
