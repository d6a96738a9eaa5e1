import type { Clock } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import { backoffMs, type Random } from "../../../kernel/retry.ts";
import { answered, NOT_SENT, type Outcome, sent } from "../../answers/outcome.ts";
import { ServiceDownError, UnauthorizedError } from "../../answers/service-errors.ts";
import type { Waiter } from "../queue/waiter.ts";
import { failureOf, RETRY } from "./after-failure.ts";
import type { Gate } from "./gate.ts";
import { Refusals } from "./refusals/refusals.ts";

export interface RetryDeps {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** A question that has a request of its own: its event, and the waiter for the answer. */
export interface SingleQuestion {
  readonly event: string;
  readonly turn: Waiter;
}

/**
 * Asks a question in a request of its own, with the retries of `RETRY`. @throws only a bug, an abort, or
 * ServiceDownError.
 */
export async function askWithRetries<T>(
  { event, turn }: SingleQuestion,
  ask: () => Promise<T>,
  deps: RetryDeps,
): Promise<Outcome<T>> {
  return withRetries(
    async (onSent) => {
      let found: T | undefined;
      await deps.gate.run(() => {
        onSent();
        const answer = ask().then((value) => {
          found = value;
        });
        return { events: [event], answer };
      }, turn);
      return found as T;
    },
    turn,
    deps,
  );
}

/**
 * Retries an attempt that passes the gate by itself, on behalf of `turn`. `attempt` calls `onSent` just before it sends
 * each request.
 *
 * @throws only a bug, an abort, or ServiceDownError.
 */
export async function withRetries<T>(
  attempt: (onSent: () => void) => Promise<T>,
  turn: Waiter,
  { gate, clock, random, signal }: RetryDeps,
): Promise<Outcome<T>> {
  let trace = NOT_SENT;
  let attempts = 0;
  const refusals = new Refusals();
  const onSent = () => {
    trace = sent(trace, clock.now());
  };
  for (;;) {
    signal.throwIfAborted();
    try {
      const value = await attempt(onSent);
      return { ok: true, value, trace: answered(trace, clock.now()) };
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown instanceof ServiceDownError || signal.aborted) throw thrown;
      const isOwnFault = thrown instanceof UnauthorizedError && refusals.add(gate);
      const failure = failureOf(thrown, gate);
      const next = isOwnFault ? "final" : failure.judge(attempts + 1);
      if (next === "final") return { ok: false, error: thrown, trace: answered(trace, clock.now()) };
      if (next === "free") continue;
      attempts++;
      await clock.sleep(backoffMs(RETRY, attempts, random), signal);
      await failure.afforded(turn);
    }
  }
}
