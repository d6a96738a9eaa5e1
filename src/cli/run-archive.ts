import { KafkaGroupConsumer } from "../adapters/kafka/group-consumer.ts";
import { offsetsOf } from "../adapters/kafka/group-offsets.ts";
import { kafkaClient } from "../adapters/kafka/kafka-client.ts";
import { ArchiveLoop } from "../archive/archive-loop.ts";
import type { ObjectStore } from "../archive/object-store.ts";
import type { Log } from "../kernel/log.ts";
import { systemClock } from "../kernel/system-clock.ts";
import { ConsumerDeadError } from "../worker/group/errors.ts";
import type { ArchiveConfig } from "./config.ts";
import type { KafkaSettings } from "./kafka-settings.ts";

export interface ArchiveOptions {
  readonly settings: KafkaSettings;
  readonly config: Pick<ArchiveConfig, "ARCHIVE_VERDICTS" | "ARCHIVE_BYTES" | "ARCHIVE_AGE">;
  readonly store: ObjectStore;
  readonly log: Log;
  readonly stop: AbortSignal;
}

const REBALANCE_MS = 60_000;
/** Objects' worth of lines that may wait while the store is away. */
const OBJECTS_IN_MEMORY = 4;

/** Archives the verdict topic until `stop`. @throws {ConsumerDeadError} */
export async function runArchive({ settings, config, store, log, stop }: ArchiveOptions): Promise<void> {
  const { connection, topics, groupId, sessionTimeoutMs } = settings;
  const group = `${groupId}-archive`;
  const shared = { clock: systemClock, random: Math.random, log };
  const limits = { verdicts: config.ARCHIVE_VERDICTS, bytes: config.ARCHIVE_BYTES, ageMs: config.ARCHIVE_AGE };
  const loop = new ArchiveLoop({
    ...shared,
    consumer: new KafkaGroupConsumer({
      ...shared,
      kafka: kafkaClient(connection, log),
      groupId: group,
      topics: [topics.verdicts],
      sessionTimeoutMs,
      rebalanceTimeoutMs: Math.max(REBALANCE_MS, sessionTimeoutMs),
    }),
    offsets: offsetsOf(kafkaClient(connection, log), group),
    store,
    topic: topics.verdicts,
    limits,
    maxBytes: OBJECTS_IN_MEMORY * limits.bytes,
    onStored: ({ key, metadata: { count } }) => log.info("archived", { key, verdicts: count }),
    stop,
  });
  try {
    await loop.run();
  } catch (thrown) {
    if (stop.aborted) return;
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new ConsumerDeadError(`the archive's consumer has ended: ${reason}`, {}, { cause: thrown });
  }
}
