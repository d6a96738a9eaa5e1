import { type Allowed, type Counter, FixedWindow, SlidingWindow, TokenBucket } from "./counters.ts";

/** A key's quota and its counter. */
export interface Kind {
  readonly name: string;
  readonly requests: number;
  readonly windowMs: number;
  /**
   * The rate that evenly spaced requests can reach, per second: 0.98 of (Q - 1) / Q for windows, 0.98 of Q for buckets.
   */
  readonly reachable: number;
  /** @param phase of windows, as a share of a window. */
  readonly counter: (allowed: Allowed, phase: number) => Counter;
}

const quotas = [
  [10, 1_000],
  [50, 1_000],
  [200, 1_000],
  [600, 60_000],
] as const;

/** All kinds of counters with all quotas for which the project makes a promise. */
export const kinds: readonly Kind[] = quotas.flatMap(([requests, windowMs]) => {
  const name = windowMs === 1_000 ? `${requests}/s` : `${requests}/min`;
  const perSecond = (1_000 * requests) / windowMs;
  const windows = { requests, windowMs, reachable: (0.98 * perSecond * (requests - 1)) / requests };
  const buckets = { requests, windowMs, reachable: 0.98 * perSecond };
  return [
    {
      ...windows,
      name: `a fixed window of ${name}`,
      counter: (allowed: Allowed, phase: number) => new FixedWindow(allowed, windowMs, phase * windowMs),
    },
    {
      ...windows,
      name: `a sliding window of ${name}`,
      counter: (allowed: Allowed) => new SlidingWindow(allowed, windowMs),
    },
    {
      ...buckets,
      name: `a bucket of 5 at ${name}`,
      counter: (allowed: Allowed) => new TokenBucket(allowed, windowMs, 5),
    },
    {
      ...buckets,
      name: `a bucket of ${requests} at ${name}`,
      counter: (allowed: Allowed) => new TokenBucket(allowed, windowMs, requests),
    },
  ];
});
