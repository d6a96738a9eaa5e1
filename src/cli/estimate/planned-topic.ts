import { kafkaClient } from "../../adapters/kafka/client/kafka-client.ts";
import { behindTransactions, logEnds } from "../../adapters/kafka/offsets/log-ends.ts";
import { openRanges } from "../../adapters/kafka/offsets/replay-ranges.ts";
import { FORMAT_HEADERS } from "../../adapters/schema-registry/wire-format.ts";
import { systemClock } from "../../kernel/clock.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import { type Log, quietLog } from "../../kernel/log.ts";
import type { Result } from "../../kernel/result.ts";
import type { ScreeningEvent } from "../../messages/event.ts";
import type { UnreadAddresses } from "../../messages/unread/unread-addresses.ts";
import { type EventMapping, readEventRecord } from "../../worker/consumer/records/read-event.ts";
import type { OffsetRange } from "../../worker/consumer/topic-range.ts";
import type { KafkaSettings } from "../config/kafka-settings.ts";
import type { RegistrySettings } from "../config/registry-settings.ts";
import { fitTopics } from "../wiring/fit-topics.ts";
import { openRegistry } from "../wiring/open-registry.ts";
import { onceEmpty, topicReader } from "../wiring/topic-reader.ts";

export interface PlannedTopicOptions {
  readonly settings: KafkaSettings;
  readonly registry: RegistrySettings | undefined;
  /** One of the topics that workers read. */
  readonly topic: string;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Grows as the topic is read. */
  readonly unread: UnreadAddresses;
  /** The mapping of the records. */
  readonly mapping?: EventMapping | undefined;
  /**
   * Receives the number of records behind an open transaction. They are not planned, since no consumer can read them
   * yet.
   */
  readonly onBehindTransactions: (records: number) => void;
}

const CLOSE_DEADLINE_MS = 5_000;

/**
 * The events of an input topic that KAFKA_GROUP_ID has not committed, up to its present end. They are read by a
 * separate group, which commits nothing. Events that workers have completed behind an open event count as well, so the
 * plan is slightly too high.
 *
 * @throws {ConfigInvalidError | GroupBusyError | ConsumerDeadError}
 */
export async function* plannedTopic(options: PlannedTopicOptions): AsyncGenerator<Result<ScreeningEvent>> {
  const { settings, topic, log, signal, unread, mapping } = options;
  const { topics } = settings;
  const inputs = [...topics.realtime, ...topics.backfill];
  if (!inputs.includes(topic)) {
    throw new ConfigInvalidError(`--topic ${topic}: workers read ${inputs.join(", ")}: name one of them`);
  }
  await fitTopics(settings, log, (each) => each === topic);
  const ranges = await rangesOf(options);
  const ends = await logEnds(kafkaClient(settings.connection, quietLog), [topic], { clock: systemClock, signal });
  options.onBehindTransactions(behindTransactions(ends.get(topic)));
  if (ranges.every(({ from, end }) => from === end)) return;
  const opened = new Lifecycle();
  const reading = openRegistry(options.registry, { log, opened, onRequest: () => undefined, signal });
  const headers = { names: [], format: reading === undefined ? [] : FORMAT_HEADERS };
  const range = topicReader({ settings, groupId: groupOf(settings), topic, ranges, log, signal, headers });
  opened.onClose("consumer", () => range.stop());
  try {
    await range.start();
    for await (const encoded of range.read()) {
      await reading?.decoder.prepare([encoded]);
      const record = reading?.decoder.decode(encoded) ?? encoded;
      const place = `${record.topic}/${record.partition}/${record.offset}`;
      yield readEventRecord(record, "backfill", { mapping, onStrays: (strays) => unread.add(strays, "field", place) })
        .event;
    }
  } finally {
    await opened.close(CLOSE_DEADLINE_MS);
  }
}

function groupOf({ groupId }: KafkaSettings): string {
  return `${groupId}-plan`;
}

function rangesOf({ settings, topic, signal }: PlannedTopicOptions): Promise<readonly OffsetRange[]> {
  return onceEmpty(settings, groupOf(settings), signal, (admin) =>
    openRanges(admin, { topic, groupId: settings.groupId, all: false }),
  );
}
