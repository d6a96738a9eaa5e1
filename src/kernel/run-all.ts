/**
 * Runs what `begin` starts until all of it has ended; when one fails, `stop`, which all of them were given, is aborted for
 * the others, too.
 *
 * @throws the failure that stands first among them, once all have ended.
 */
export async function runAll(stop: AbortSignal, begin: (stop: AbortSignal) => readonly Promise<void>[]): Promise<void> {
  const failed = new AbortController();
  const runs = begin(AbortSignal.any([stop, failed.signal]));
  for (const run of runs) run.catch(() => failed.abort());
  const ended = await Promise.allSettled(runs);
  for (const each of ended) if (each.status === "rejected") throw each.reason;
}
