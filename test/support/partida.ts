/** How the tests start the service: as `bin/malote.js` does, without what only a process that stays has use for. */
import { ALLOCATOR, engineSettings } from '../../bin/engine.js';

/** It lets a start end with a collection of all threads' garbage: a fifth of what a start costs, for months of idling. */
const FOR_WHO_STAYS = '--expose-gc';

/** Arguments of `node`, before the program. */
export const DO_NODE = engineSettings().filter((setting) => setting !== FOR_WHO_STAYS);

/** Environment under which the program finds its process set, and does not begin it anew. */
export const DO_PROCESSO = process.platform === 'linux' ? ALLOCATOR : {};
