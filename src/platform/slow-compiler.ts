import { startedWith, THIS_PROCESS } from './v8-settings.ts';

/** How often a function has to run before V8's slow compiler comes to it; a setting of the whole process. */
const SETTING = '--invocation-count-for-turbofan';
/** V8's own value (Node 24). */
const EAGER = 3_000;

let running = 0;

/**
 * While `act` goes on, V8's slow compiler comes sooner, in all threads, where the process was started so that it comes late
 * (`bin/malote.js`): for a rehearsal, so that what real work runs often is compiled when nobody waits. Several may overlap.
 */
export async function withEagerCompiler<T>(act: () => Promise<T>, engine = THIS_PROCESS): Promise<T> {
  const late = startedWith(engine, SETTING);
  if (late === undefined) return act();
  running += 1;
  if (running === 1) engine.set(`${SETTING}=${EAGER}`);
  try {
    return await act();
  } finally {
    running -= 1;
    if (running === 0) engine.set(late);
  }
}
