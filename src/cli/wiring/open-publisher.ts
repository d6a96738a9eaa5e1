import { kafkaClient } from "../../adapters/kafka/client/kafka-client.ts";
import { untilReached } from "../../adapters/kafka/consumer/until-reached.ts";
import { PartitionSender } from "../../adapters/kafka/producer/partition-sender.ts";
import { systemClock } from "../../kernel/clock.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import type { Log } from "../../kernel/log.ts";
import { OrderedPublisher } from "../../worker/consumer/output/ordered-publisher.ts";
import type { KafkaSettings } from "../config/kafka-settings.ts";

export interface OpenPublisherOptions {
  readonly settings: Pick<KafkaSettings, "connection">;
  /** The number of partitions of each topic that is written to. */
  readonly partitions: ReadonlyMap<string, number>;
  /** Most bytes of one send, except for a single larger record. */
  readonly maxBytes: number;
  /** Most bytes of a single record in its own send: the limit of its topic. Not less than `maxBytes`. */
  readonly maxRecordBytes: number;
  readonly log: Log;
  readonly opened: Lifecycle;
  /** Aborts every wait. */
  readonly signal: AbortSignal;
  /** Aborts the wait for the brokers at the start, too. */
  readonly stop: AbortSignal;
}

/** Opens a connected publisher for topics. @throws {KafkaUnreachableError} */
export async function openPublisher(options: OpenPublisherOptions): Promise<OrderedPublisher> {
  const { settings, partitions, maxBytes, maxRecordBytes, log, opened, signal, stop } = options;
  const sender = new PartitionSender({
    kafka: kafkaClient(settings.connection, log),
    clock: systemClock,
    log,
    partitions,
  });
  opened.onClose("producer", () => sender.stop());
  const waits = { clock: systemClock, random: Math.random, log };
  await untilReached(() => sender.start(), { ...waits, signal: stop });
  return new OrderedPublisher({ sender, ...waits, maxBytes, maxRecordBytes, signal });
}
