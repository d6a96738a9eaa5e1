/**
 * Runs all of `runs` until `stop`; when one fails, the others are stopped, too.
 *
 * @throws the first failure, once all have ended.
 */
export async function together(
  stop: AbortSignal,
  runs: readonly ((stop: AbortSignal) => Promise<void>)[],
): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([stop, failed.signal]);
  const ended = await Promise.allSettled(
    runs.map((run) =>
      run(either).catch((thrown: unknown) => {
        failed.abort();
        throw thrown;
      }),
    ),
  );
  for (const each of ended) if (each.status === "rejected") throw each.reason;
}
