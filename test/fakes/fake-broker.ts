import type {
  GroupConsumer,
  GroupHandler,
  PartitionOffset,
  StreamRecord,
  TopicPartition,
} from "../../src/kernel/stream.ts";

/** One topic and one group in memory, with the state of a broker: a log for each partition, commits, generations. */
export class FakeBroker {
  readonly topic: string;
  readonly #logs: string[][];
  readonly #committed: number[];
  readonly #members: FakeMember[] = [];

  constructor(topic: string, partitions: number) {
    this.topic = topic;
    this.#logs = Array.from({ length: partitions }, () => []);
    this.#committed = this.#logs.map(() => -1);
  }

  get committed(): readonly number[] {
    return this.#committed;
  }

  member(): FakeMember {
    return new FakeMember(this);
  }

  produce(partition: number, values: readonly string[]): void {
    this.#logs[partition]?.push(...values);
    this.#poll();
  }

  read(partition: number, from: number): readonly StreamRecord[] {
    const values = this.#logs[partition]?.slice(from) ?? [];
    return values.map((value, at) => ({
      topic: this.topic,
      partition,
      offset: from + at,
      timestamp: Date.UTC(2026, 0, 1),
      value: Buffer.from(value),
      headers: {},
    }));
  }

  commitOf(partition: number): number {
    return Math.max(0, this.#committed[partition] ?? 0);
  }

  commit({ partition, offset }: PartitionOffset): void {
    this.#committed[partition] = offset;
  }

  join(member: FakeMember): void {
    this.#rebalance(() => this.#members.push(member));
  }

  leave(member: FakeMember): void {
    if (this.#members.includes(member)) this.#rebalance(() => this.#members.splice(this.#members.indexOf(member), 1));
  }

  /** Begins a new generation: partitions are assigned to members in turn, and each is read from its commit. */
  #rebalance(change: () => unknown): void {
    for (const member of this.#members) member.rebalancing();
    change();
    for (const [nth, member] of this.#members.entries()) {
      member.assign([...this.#logs.keys()].filter((partition) => partition % this.#members.length === nth));
    }
    this.#poll();
  }

  #poll(): void {
    for (const member of this.#members) member.poll();
  }
}

/**
 * One member of the broker's group. It is polled in turns of the event loop, like a client that fetches again and
 * again.
 */
export class FakeMember implements GroupConsumer {
  readonly #broker: FakeBroker;
  readonly #positions = new Map<number, number>();
  readonly #paused = new Set<number>();
  #handler: GroupHandler | undefined;
  #isPolling = false;
  activeAt = 0;

  constructor(broker: FakeBroker) {
    this.#broker = broker;
  }

  async start(handler: GroupHandler): Promise<void> {
    this.#handler = handler;
    this.#broker.join(this);
  }

  rebalancing(): void {
    this.#handler?.rebalancing();
  }

  assign(partitions: readonly number[]): void {
    this.#positions.clear();
    for (const partition of partitions) this.#positions.set(partition, this.#broker.commitOf(partition));
    this.#handler?.joined(partitions.map((partition) => ({ topic: this.#broker.topic, partition })));
  }

  pause(at: readonly TopicPartition[]): void {
    for (const { partition } of at) this.#paused.add(partition);
  }

  resume(at: readonly TopicPartition[]): void {
    for (const { partition } of at) this.#paused.delete(partition);
    this.poll();
  }

  async commit(offsets: readonly PartitionOffset[]): Promise<void> {
    if (this.#handler === undefined) throw new Error("it is no member any more");
    for (const offset of offsets) this.#broker.commit(offset);
    this.#handler.committed(offsets);
  }

  async stop(): Promise<void> {
    this.#positions.clear();
    this.#handler = undefined;
    this.#broker.leave(this);
  }

  /** Fetches once, soon. It fetches again as long as a record was not accepted. */
  poll(): void {
    if (this.#isPolling) return;
    this.#isPolling = true;
    setImmediate(() => {
      this.#isPolling = false;
      let isLeft = false;
      for (const [partition, from] of this.#positions) {
        const records = this.#paused.has(partition) ? [] : this.#broker.read(partition, from);
        if (records.length === 0) continue;
        if (this.#handler?.delivered(records) === true) this.#positions.set(partition, from + records.length);
        else isLeft = true;
      }
      if (isLeft) this.poll();
    });
  }
}
