import type { Clock } from "../../../kernel/clock.ts";
import { protocolErrorOf } from "./topic-facts.ts";

/** A client that opens a separate connection. */
export interface Connectable {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

/** Errors that fresh metadata repairs: a partition or a group has another broker by now, or none yet. */
const moved: ReadonlySet<string> = new Set([
  "NOT_LEADER_FOR_PARTITION",
  "LEADER_NOT_AVAILABLE",
  "REPLICA_NOT_AVAILABLE",
  "FENCED_LEADER_EPOCH",
  "UNKNOWN_LEADER_EPOCH",
  "NOT_COORDINATOR_FOR_GROUP",
]);
/** Chosen: an election takes a few seconds, and a longer one must be reported. */
const TRIES = 6;
const AGAIN_MS = 1_000;

/**
 * The result of `ask`. Each try has a separate connection, so its metadata is fresh. kafkajs caches leaders for five
 * minutes, and gives up at the first broker that no longer leads a partition.
 *
 * @throws the error of the last of six tries, or at once an error that fresh metadata cannot repair.
 */
export async function askLeaders<T, C extends Connectable>(
  open: () => C,
  ask: (connected: C) => Promise<T>,
  { clock, signal }: { readonly clock: Pick<Clock, "sleep">; readonly signal?: AbortSignal },
): Promise<T> {
  for (let tried = 1; ; tried++) {
    const opened = open();
    try {
      await opened.connect();
      return await ask(opened);
    } catch (thrown) {
      if (tried === TRIES || !isMoved(thrown)) throw thrown;
    } finally {
      await opened.disconnect().catch(() => undefined);
    }
    await clock.sleep(AGAIN_MS, signal);
  }
}

function isMoved(thrown: unknown): boolean {
  const type = protocolErrorOf(thrown);
  return (type !== undefined && moved.has(type)) || (thrown instanceof Error && isBrokerGone(thrown));
}

/**
 * kafkajs looks up the broker that leads a partition. A partition without a leader names a broker that does not exist.
 */
function isBrokerGone(error: Error): boolean {
  return error.name === "KafkaJSBrokerNotFound" || (error.cause instanceof Error && isBrokerGone(error.cause));
}
