import { type Random, seededRandom } from "../../src/kernel/retry.ts";
import { GivenRate } from "../../src/worker/rate-limit/learner/given-rate.ts";
import { minTimeMs } from "../../src/worker/rate-limit/sharing/quota.ts";
import type { Counter } from "./counters.ts";
import type { Kind } from "./kinds.ts";
import { VirtualRun } from "./virtual-run.ts";

export interface GivenRunOptions {
  readonly kind: Kind;
  readonly seed: number;
  readonly seconds: number;
  /** The share of the configured quota that the key accepts. */
  readonly times: (seconds: number) => number;
  /** Share of requests that get a 429 at any pace. */
  readonly byChance?: number;
  /** Whether a 429 says how long to wait, in whole seconds. */
  readonly tells?: boolean;
}

/** A run with a configured quota in virtual time, and the shares that were reported to the operator. */
export interface GivenRun {
  readonly run: VirtualRun;
  readonly parts: readonly number[];
}

/** Runs a configured quota against a service that counts another one. */
export function givenRun({ kind, seed, seconds, times, byChance = 0, tells = false }: GivenRunOptions): GivenRun {
  let nowMs = 0;
  const chance = seededRandom(seed + 1_000_000);
  const inner = kind.counter(() => kind.requests * times(nowMs / 1_000), seededRandom(seed)());
  const counter: Counter = {
    takes: (now) => {
      nowMs = now;
      return chance() >= byChance && inner.takes(now);
    },
    // A random 429 announces the shortest possible wait.
    freeAt: (now) => (byChance > 0 ? now + 1 : inner.freeAt(now)),
  };
  const parts: number[] = [];
  const onPart = (part: number) => parts.push(part);
  const pacer = (random: Random) =>
    new GivenRate({ windowMs: kind.windowMs, minTimeMs: minTimeMs(kind), onPart, random });
  return { run: new VirtualRun(counter, { seconds, seed, tells, pacer }), parts };
}

/**
 * Runs a key that accepts `times` of the quota for a minute, or for ten where windows are long. It settles 10 s, or 3
 * windows, later.
 */
export function cutRun({
  kind,
  seed,
  times,
  tells,
}: Pick<GivenRunOptions, "kind" | "seed" | "tells"> & { times: number }) {
  const isLong = kind.windowMs > 1_000;
  const settleSeconds = isLong ? 180 : 10;
  const at = (isLong ? 300 : 20) + Math.floor(20 * seededRandom(seed)());
  const until = at + (isLong ? 600 : 60);
  const seconds = until + (isLong ? 360 : 40);
  const cut = (now: number) => (now >= at && now < until ? times : 1);
  return { ...givenRun({ kind, seed, seconds, tells: tells === true, times: cut }), at, until, seconds, settleSeconds };
}
