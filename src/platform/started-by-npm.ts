const LOOK_EVERY_MS = 250;

/**
 * Calls `onGone` when this process was started by an npm script and its parent is gone. npm hands a signal on to the shell
 * of the script. The shell ends and tells nobody, and its child goes on as an orphan.
 */
export function whenNpmIsGone(onGone: () => void): void {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, LOOK_EVERY_MS).unref();
}
