import { abortable } from "../../../kernel/async.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { AppError, toError } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import { backoffMs, type Random, type RetryPolicy } from "../../../kernel/retry.ts";
import { connectionFailure } from "./connection-failure.ts";

/** No broker answers as it should, for longer than a restart of one takes. */
export class KafkaUnreachableError extends AppError {
  readonly code = "KAFKA_UNREACHABLE";
  readonly retryable = true;
}

export interface ReachingDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

const RETRY: RetryPolicy = { attempts: Number.POSITIVE_INFINITY, baseMs: 500, maxMs: 5_000 };
/** Chosen: a broker that restarts is back by then, and a supervisor that waits ever longer has not begun to. */
const PATIENCE_MS = 60_000;

/**
 * What `reach` gives, which is called again while Kafka cannot be reached: kafkajs gives up a start for one broker of
 * three that is down.
 *
 * @throws what trying again cannot mend; {KafkaUnreachableError} after a minute; `signal.reason` as soon as it aborts.
 */
export async function untilReached<T>(
  reach: () => Promise<T>,
  { clock, random, log, signal }: ReachingDeps,
): Promise<T> {
  const until = clock.ticks() + PATIENCE_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      signal.throwIfAborted();
      // A call of kafkajs's cannot be broken off; what it comes to is nobody's business any more.
      return await abortable(reach(), signal);
    } catch (thrown) {
      if (signal.aborted || !isPassing(thrown)) throw thrown;
      if (clock.ticks() >= until) {
        const { detail, remedy } = connectionFailure(thrown);
        throw new KafkaUnreachableError(`Kafka cannot be reached: ${detail}: ${remedy}`, {}, { cause: thrown });
      }
      log.warn("Kafka is not reached yet", { attempt, reason: toError(thrown).message });
    }
    await clock.sleep(backoffMs(RETRY, attempt, random), signal);
  }
}

/** kafkajs says of each error whether the same may work later; of used-up retries, the one beneath says so. */
function isPassing(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  return Reflect.get(thrown, "retriable") === true || isPassing(thrown.cause);
}
