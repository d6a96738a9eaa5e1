import { abortable } from "../../../kernel/async.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { AppError, toError } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import { backoffMs, type Random, type RetryPolicy } from "../../../kernel/retry.ts";
import { connectionFailure } from "./connection-failure.ts";

/** No broker gives a valid answer for longer than the restart of a broker takes. */
export class KafkaUnreachableError extends AppError {
  readonly code = "KAFKA_UNREACHABLE";
  readonly retryable = true;
}

export interface ReachingDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

const RETRY: RetryPolicy = { attempts: Number.POSITIVE_INFINITY, baseMs: 500, maxMs: 5_000 };
/** Chosen: a broker that restarts is back by then, and a supervisor with growing delays still restarts at once. */
const PATIENCE_MS = 60_000;

/**
 * The result of `reach`, which is called again while Kafka cannot be reached. kafkajs gives up a start when one broker
 * of three is down.
 *
 * @throws an error that a retry cannot repair; {KafkaUnreachableError} after a minute; `signal.reason` as soon as it
 * aborts.
 */
export async function untilReached<T>(
  reach: () => Promise<T>,
  { clock, random, log, signal }: ReachingDeps,
): Promise<T> {
  const until = clock.ticks() + PATIENCE_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      signal.throwIfAborted();
      // A kafkajs call cannot be aborted. Its late result is ignored.
      return await abortable(reach(), signal);
    } catch (thrown) {
      if (signal.aborted || !isPassing(thrown)) throw thrown;
      if (clock.ticks() >= until) {
        const { detail, remedy } = connectionFailure(thrown);
        throw new KafkaUnreachableError(`Kafka cannot be reached: ${detail}: ${remedy}`, {}, { cause: thrown });
      }
      log.warn("Weir does not reach Kafka yet and keeps trying", { attempt, reason: toError(thrown).message });
    }
    await clock.sleep(backoffMs(RETRY, attempt, random), signal);
  }
}

/** kafkajs marks each error that a retry may repair. For exhausted retries, the mark is on the cause. */
function isPassing(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  return Reflect.get(thrown, "retriable") === true || isPassing(thrown.cause);
}
