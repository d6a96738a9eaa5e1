/** A signal that follows other signals until it is stopped. */
export interface FollowingSignal {
  readonly signal: AbortSignal;
  /** Releases the followed signals, which may live much longer. */
  stop(): void;
}

/** Aborts once all of `signals` have aborted: a shared request is given up with its last waiter. */
export function allAborted(signals: readonly AbortSignal[]): FollowingSignal {
  const open = new Set(signals.filter((signal) => !signal.aborted));
  const [first] = open;
  if (first !== undefined && open.size === 1) return { signal: first, stop: () => undefined };
  const controller = new AbortController();
  if (first === undefined) controller.abort(signals[0]?.reason);
  const stop = new AbortController();
  for (const signal of open) {
    const follow = (): void => {
      open.delete(signal);
      if (open.size === 0) controller.abort(signal.reason);
    };
    signal.addEventListener("abort", follow, { once: true, signal: stop.signal });
  }
  return { signal: controller.signal, stop: () => stop.abort() };
}
