/** Milliseconds between two messages. Chosen: a parent waits for the time of twenty messages. */
const EVERY_MS = 1_000;

/** The message of a starting service to its parent process until it listens. */
export const STARTING = { starting: true } as const;

/**
 * Reports to a parent process that the start makes progress. Timers run between the modules that the process loads,
 * which may take minutes on a busy machine. The module imports nothing, since it runs before all slow imports.
 */
export function giveLifeSigns(): void {
  if (!process.connected) return;
  const tell = () => {
    if (process.connected) process.send?.(STARTING);
    else clearInterval(timer);
  };
  const timer = setInterval(tell, EVERY_MS).unref();
  tell();
}
