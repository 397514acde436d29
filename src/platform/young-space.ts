/**
 * Young space of a busy thread: 8 MB of new garbage, as much to move it to, and as much for large objects. V8's own choice
 * (48 MB) costs the process about 60 MB for nothing; below this collecting costs an import more than reading. The thread that
 * serves HTTP has its own from the start of the process (`bin/engine.js`).
 */
export const YOUNG_SPACE_MB = 24;
