import type { Observer } from "../observer.ts";
import { type AskingDeps, askWithRetries, type Lonely } from "../rate-limit/gate/ask-with-retries.ts";
import type { Polled, PollWaits } from "./poll-waits.ts";

/** An analysis that is not finished, and when the service wants to be asked again. */
export interface NotYet {
  readonly pollAfterMs: number;
}

/** One that is. */
export interface Ready<T> {
  readonly ready: T;
}

export interface PollDeps extends AskingDeps {
  readonly observer: Pick<Observer, "polls">;
  readonly polls: Pick<PollWaits, "begin" | "end">;
}

/** Polls further apart than this are not waited for in memory. Source: docs/decisions/0006-pacing.md. */
export const MAX_WAIT_MS = 10_000;
/** A service that says "at once" is asked again this soon, and after twice as long each time. Chosen: it says so until it is done. */
const MIN_WAIT_MS = 500;
/** Polls in a row that are waited for in memory: what takes longer becomes a ticket all the same. */
const MAX_POLLS = 6;

/**
 * Asks, and asks again when the service wants to be asked again, as long as that is soon.
 *
 * @throws only a bug, an abort, or the end of the run.
 */
export async function poll<T>(
  question: Lonely,
  ask: () => Promise<Ready<T> | NotYet>,
  deps: PollDeps,
): Promise<Polled<T>> {
  let requests = 0;
  let askedAt: number | undefined;
  for (let polls = 1; ; polls++) {
    const outcome = await askWithRetries(question, ask, deps);
    requests += outcome.trace.requests;
    askedAt ??= outcome.trace.askedAt;
    const trace = { ...outcome.trace, requests, ...(askedAt === undefined ? {} : { askedAt }) };
    if (!outcome.ok) return { ...outcome, trace };
    if ("ready" in outcome.value) return { ok: true, value: outcome.value.ready, trace };
    const afterMs = waitMs(outcome.value, polls);
    if (afterMs > MAX_WAIT_MS || polls >= MAX_POLLS) return { ok: "later", afterMs };
    await wait(question.event, afterMs, deps);
  }
}

function waitMs({ pollAfterMs }: NotYet, polls: number): number {
  if (pollAfterMs >= MIN_WAIT_MS) return pollAfterMs;
  return Math.min(MAX_WAIT_MS, MIN_WAIT_MS * 2 ** (polls - 1));
}

async function wait(key: string, ms: number, { clock, signal, observer, polls }: PollDeps): Promise<void> {
  observer.polls(1);
  polls.begin(key, ms);
  try {
    await clock.sleep(ms, signal);
  } finally {
    polls.end(key);
    observer.polls(-1);
  }
}
