/**
 * Resolves with the value of `promise`. The promise continues for other users, and no listener stays on the signal.
 * @throws `signal.reason` as soon as the signal aborts.
 */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([aborted.promise, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
