/**
 * Resolves with the value of `promise` within `ms` milliseconds. @throws an Error saying that `what` did not happen in
 * time.
 */
export async function withTimeout<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${what} within ${ms} ms`)), ms);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
