import type { Observer } from "../observer.ts";
import { askWithRetries, type RetryDeps, type SingleQuestion } from "../rate-limit/gate/ask-with-retries.ts";
import type { Polled, PollWaits } from "./poll-waits.ts";

/** An unfinished analysis, and when the service wants the next poll. */
export interface NotYet {
  readonly pollAfterMs: number;
}

/** A finished analysis. */
export interface Ready<T> {
  readonly ready: T;
}

export interface PollDeps extends RetryDeps {
  readonly observer: Pick<Observer, "polls">;
  readonly polls: Pick<PollWaits, "begin" | "end">;
}

/** A longer delay between polls is not waited for in memory, milliseconds. Source: docs/decisions/0006-pacing.md. */
export const MAX_WAIT_MS = 10_000;
/**
 * First delay for a service that wants the next poll at once, milliseconds. It doubles each time. Chosen: such a
 * service answers so until the analysis is done.
 */
const MIN_WAIT_MS = 500;
/** Limit of consecutive polls that wait in memory. A longer analysis becomes a ticket. */
const MAX_POLLS = 6;

/**
 * Asks, and polls again for as long as the delays are short.
 *
 * @throws only for a bug, an abort, or the end of the run.
 */
export async function poll<T>(
  question: SingleQuestion,
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
