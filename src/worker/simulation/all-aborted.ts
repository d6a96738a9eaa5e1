/** A signal that follows others, until it is told to stop. */
export interface FollowingSignal {
  readonly signal: AbortSignal;
  /** Lets go of the signals it follows: they may live much longer. */
  stop(): void;
}

/** Aborts once all of `signals` have aborted: what several wait for is given up with the last of them. */
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
