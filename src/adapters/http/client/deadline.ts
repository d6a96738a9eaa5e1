/**
 * Runs `work` under a signal that aborts with `signal`, or after `ms`. `renew` restarts the timeout with a new number
 * of milliseconds. Timer and listener are released as soon as the work has ended. `AbortSignal.any` over a signal that
 * lives as long as the process would keep every request of the process in memory.
 */
export async function withDeadline<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal, renew: (ms: number) => void) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const stop = () => controller.abort(signal.reason);
  const within = (ms: number) => setTimeout(() => controller.abort(new Error(`no answer within ${ms} ms`)), ms);
  let timer = within(ms);
  const renew = (ms: number) => {
    clearTimeout(timer);
    timer = within(ms);
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await work(controller.signal, renew);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}
