/** Once so often, milliseconds. Chosen: a parent waits for twenty of them. */
const EVERY_MS = 1_000;

/** What a service that begins tells a parent process until it listens. */
export const STARTING = { starting: true } as const;

/**
 * Tells a parent process that this one gets on with its start: between the modules that it loads timers have their turn. A
 * busy machine may take minutes for that. Imports nothing: it comes before all that takes time.
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
