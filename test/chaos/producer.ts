import { setTimeout as delay } from "node:timers/promises";
import type { Kafka } from "kafkajs";
import { produceOnce } from "../servers/records.ts";
import type { WeirTopics } from "../servers/weir-topics.ts";
import type { ChaosEvent, EventMaker } from "./events.ts";

const TICK_MS = 250;
/** Events of a backlog that are made before they are written. */
const BACKLOG_PIECE = 10_000;

/** Writes events steadily to both lanes. Each send goes to one partition, and is repeated until it is acknowledged. */
export class EventProducer {
  /** The acknowledged events, by name. */
  readonly written = new Map<string, ChaosEvent>();
  /** Repeated sends: their events may occur twice. */
  repeated = 0;
  readonly #stopping = new AbortController();
  #done: Promise<void> = Promise.resolve();

  /** Writes events to one topic that are `ageMs` old, before any consumer reads them. */
  async writeBacklog(
    kafka: Kafka,
    topic: string,
    maker: EventMaker,
    { count, ageMs, partitions }: { readonly count: number; readonly ageMs: number; readonly partitions: number },
  ): Promise<void> {
    const timestamp = String(Date.now() - ageMs);
    for (let from = 0; from < count; from += BACKLOG_PIECE) {
      const events = Array.from({ length: Math.min(BACKLOG_PIECE, count - from) }, () => maker.next());
      const records = events.map(({ value }, i) => ({ value, partition: i % partitions, timestamp }));
      await produceOnce(kafka, topic, records);
      for (const event of events) this.written.set(event.name, event);
    }
  }

  start(kafka: Kafka, { live, bulk }: WeirTopics, maker: EventMaker, eventsPerSec: number, partitions: number): void {
    const each = Math.max(1, Math.round((eventsPerSec * TICK_MS) / 2000));
    this.#done = this.#run(kafka, [live, bulk], maker, each, partitions);
  }

  /** Resolves once the started sends are acknowledged. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#done;
  }

  async #run(
    kafka: Kafka,
    topics: readonly string[],
    maker: EventMaker,
    each: number,
    partitions: number,
  ): Promise<void> {
    const producer = kafka.producer({ allowAutoTopicCreation: false });
    const { signal } = this.#stopping;
    await producer.connect();
    try {
      let begun = performance.now();
      for (let partition = 0; !signal.aborted; partition = (partition + 1) % partitions) {
        for (const topic of topics) {
          const events = Array.from({ length: each }, () => maker.next());
          const messages = events.map(({ value }) => ({ value, partition }));
          for (;;) {
            try {
              await producer.send({ topic, acks: -1, messages });
              break;
            } catch {
              this.repeated++;
              await delay(500);
            }
          }
          for (const event of events) this.written.set(event.name, event);
        }
        // Makes up for a delay.
        begun = Math.max(begun + TICK_MS, performance.now() - 20 * TICK_MS);
        await delay(Math.max(0, begun - performance.now()), undefined, { signal }).catch(() => undefined);
      }
    } finally {
      await producer.disconnect();
    }
  }
}
