/**
 * Runs all promises that `begin` starts until each has ended. All of them get the signal `stop`. When one fails, `stop`
 * is aborted for the others.
 *
 * @throws the failure of the first failed promise in list order, once all have ended.
 */
export async function runAll(stop: AbortSignal, begin: (stop: AbortSignal) => readonly Promise<void>[]): Promise<void> {
  const failed = new AbortController();
  const runs = begin(AbortSignal.any([stop, failed.signal]));
  for (const run of runs) run.catch(() => failed.abort());
  const ended = await Promise.allSettled(runs);
  for (const each of ended) if (each.status === "rejected") throw each.reason;
}
