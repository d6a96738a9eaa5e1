import { expect, test } from "vitest";
import type {
  GroupConsumer,
  GroupHandler,
  PartitionOffset,
  StreamRecord,
  TopicPartition,
} from "../../src/kernel/stream.ts";
import { eventually } from "../support/eventually.ts";

/** A topic and a group for one test, on any broker. */
export interface GroupBroker {
  readonly topic: string;
  /** A further member of the group. */
  member(): GroupConsumer;
  /** Writes values to a partition of the topic, durably. */
  produce(partition: number, values: readonly string[]): Promise<void>;
  /** The committed offsets of the group, by partition; -1 for none. */
  committed(): Promise<readonly number[]>;
  /** Closes everything, members included. */
  close(): Promise<void>;
}

/** A handler that accepts everything and records each notification. */
class Notes implements GroupHandler {
  readonly assignments: (readonly TopicPartition[])[] = [];
  readonly records: StreamRecord[] = [];
  readonly confirmed: PartitionOffset[] = [];
  takes = true;

  joined(assigned: readonly TopicPartition[]): void {
    this.assignments.push(assigned);
  }

  located(): void {}

  rebalancing(): void {}

  delivered(records: readonly StreamRecord[]): boolean {
    if (this.takes) this.records.push(...records);
    return this.takes;
  }

  committed(offsets: readonly PartitionOffset[]): void {
    this.confirmed.push(...offsets);
  }

  failed(): void {}

  get values(): readonly string[] {
    return this.records.map(({ value }) => Buffer.from(value ?? []).toString());
  }

  async has(count: number): Promise<void> {
    await eventually(
      () => this.values,
      ({ length }) => length >= count,
      `${count} records`,
    );
  }
}

/**
 * The contract of every `GroupConsumer`. Unit tests run it on the broker in memory, and the kafka project runs it on
 * Kafka.
 */
export function groupConsumerSuite(
  name: string,
  open: (partitions: number) => Promise<GroupBroker>,
  scenario: (name: string, check: () => Promise<void>) => void = test,
): void {
  const on = (what: string, partitions: number, check: (broker: GroupBroker) => Promise<void>) =>
    scenario(`${name}: ${what}`, async () => {
      const broker = await open(partitions);
      try {
        await check(broker);
      } finally {
        await broker.close();
      }
    });
  const started = async (broker: GroupBroker) => {
    const consumer = broker.member();
    const notes = new Notes();
    await consumer.start(notes);
    return { consumer, notes };
  };

  on("records come in order, from the first one where nothing is committed", 1, async (broker) => {
    await broker.produce(0, ["a", "b", "c"]);
    const { notes } = await started(broker);
    await notes.has(3);
    await broker.produce(0, ["d"]);
    await notes.has(4);

    expect(notes.values).toEqual(["a", "b", "c", "d"]);
    expect(notes.records.map(({ offset }) => offset)).toEqual([0, 1, 2, 3]);
    expect(notes.assignments).toEqual([[{ topic: broker.topic, partition: 0 }]]);
  });

  on("nothing is committed but what it is told to commit, and the next member begins there", 1, async (broker) => {
    await broker.produce(0, ["a", "b", "c"]);
    const first = await started(broker);
    await first.notes.has(3);
    expect(await broker.committed()).toEqual([-1]);
    const at = { topic: broker.topic, partition: 0, offset: 1 };
    await first.consumer.commit([at]);
    expect(first.notes.confirmed).toEqual([at]);
    await first.consumer.stop();
    expect(await broker.committed()).toEqual([1]);

    const second = await started(broker);
    await second.notes.has(2);
    expect(second.notes.values).toEqual(["b", "c"]);
  });

  on("what was not taken in comes again", 1, async (broker) => {
    const consumer = broker.member();
    const notes = new Notes();
    notes.takes = false;
    await consumer.start(notes);
    await broker.produce(0, ["a", "b"]);
    notes.takes = true;
    await notes.has(2);

    expect(notes.values).toEqual(["a", "b"]);
  });

  on("after a rebalance each partition comes again from its commit, at its new owner", 2, async (broker) => {
    await broker.produce(0, ["a0", "a1"]);
    await broker.produce(1, ["b0", "b1"]);
    const first = await started(broker);
    await first.notes.has(4);
    await first.consumer.commit([0, 1].map((partition) => ({ topic: broker.topic, partition, offset: 1 })));
    const second = await started(broker);
    await second.notes.has(1);
    await first.notes.has(5);

    const moved = second.notes.records[0]?.partition ?? 0;
    expect(second.notes.values).toEqual([moved === 0 ? "a1" : "b1"]);
    expect(first.notes.values.slice(4)).toEqual([moved === 0 ? "b1" : "a1"]);
    expect(first.notes.assignments.at(-1)).toEqual([{ topic: broker.topic, partition: 1 - moved }]);
  });

  on("a paused partition gives nothing until it is resumed, and then nothing is missing", 2, async (broker) => {
    const { consumer, notes } = await started(broker);
    await broker.produce(0, ["a0"]);
    await notes.has(1);
    consumer.pause([{ topic: broker.topic, partition: 0 }]);
    await broker.produce(0, ["a1", "a2"]);
    await broker.produce(1, ["b0"]);
    await notes.has(2);
    expect(notes.values).toEqual(["a0", "b0"]);
    consumer.resume([{ topic: broker.topic, partition: 0 }]);
    await notes.has(4);

    expect(notes.values).toEqual(["a0", "b0", "a1", "a2"]);
  });

  on("what stopped commits nothing any more", 1, async (broker) => {
    await broker.produce(0, ["a"]);
    const { consumer, notes } = await started(broker);
    await notes.has(1);
    await consumer.stop();
    await consumer.commit([{ topic: broker.topic, partition: 0, offset: 1 }]).catch(() => undefined);

    expect(notes.confirmed).toEqual([]);
    expect(await broker.committed()).toEqual([-1]);
  });

  on("a member that stops leaves its partitions to the others at once", 2, async (broker) => {
    const first = await started(broker);
    const second = await started(broker);
    const sizeOf = ({ notes }: typeof first) => notes.assignments.at(-1)?.length;
    await eventually(
      () => [sizeOf(first), sizeOf(second)],
      ([a, b]) => a === 1 && b === 1,
      "one partition each",
    );
    const startedAt = performance.now();
    await second.consumer.stop();
    await eventually(
      () => sizeOf(first),
      (size) => size === 2,
      "both partitions",
    );

    // Well before the timeout of a session that no member ends.
    expect(performance.now() - startedAt).toBeLessThan(5_500);
  });
}
