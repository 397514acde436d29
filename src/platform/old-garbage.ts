import { startedWith, THIS_PROCESS } from './v8-settings.ts';

/** How much old garbage V8 lets come together, in per cent of what is alive; a setting of the whole process. */
const SETTING = '--heap-growing-percent';
/** Collecting at half as much costs an import a twentieth of its time; at more, memory is all that changes. */
const MORE = 200;

/**
 * From the next full collection of each thread on, more old garbage comes together than the process was started with
 * (`bin/malote.js`), or again no more than that. For while memory is not scarce: where eight uploads of 30 MB wait for each
 * other it would be 40 MB more.
 */
export function letOldGarbageGrow(more: boolean, engine = THIS_PROCESS): void {
  const usual = startedWith(engine, SETTING);
  if (usual !== undefined) engine.set(more ? `${SETTING}=${MORE}` : usual);
}
