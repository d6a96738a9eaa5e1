import type {
  Commit,
  GroupHandler,
  PartitionOffset,
  SeekingConsumer,
  StreamRecord,
  TopicPartition,
} from "../../src/kernel/stream.ts";

/** A member of a group under the control of a test. It records the calls that it gets. */
export class FakeConsumer implements SeekingConsumer {
  /** Partitions that are paused, as topic/partition. */
  readonly paused = new Set<string>();
  readonly commits: (readonly Commit[])[] = [];
  /** The last offset that each partition was sought to, by topic/partition. */
  readonly sought = new Map<string, number>();
  /** The broker's answer to a commit: "taken", another answer, or "never" for no answer. */
  answer: "taken" | "nothing" | "never" | Error = "taken";
  activeAt = 0;
  isStopped = false;
  #handler: GroupHandler | undefined;

  get handler(): GroupHandler {
    if (this.#handler === undefined) throw new Error("it was not started");
    return this.#handler;
  }

  async start(handler: GroupHandler): Promise<void> {
    this.#handler = handler;
  }

  pause(at: readonly TopicPartition[]): void {
    for (const each of at) this.paused.add(nameOf(each));
  }

  resume(at: readonly TopicPartition[]): void {
    for (const each of at) this.paused.delete(nameOf(each));
  }

  seek(at: readonly PartitionOffset[]): void {
    for (const each of at) this.sought.set(nameOf(each), each.offset);
  }

  async commit(offsets: readonly Commit[]): Promise<void> {
    this.commits.push(offsets);
    if (this.answer instanceof Error) throw this.answer;
    if (this.answer === "never") await new Promise<never>(() => undefined);
    if (this.answer === "taken") this.handler.committed(offsets);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
  }
}

export function nameOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}

/** Records of one partition, with their offsets as values. */
export function recordsAt(offsets: readonly number[], at: Partial<TopicPartition> = {}): StreamRecord[] {
  return offsets.map((offset) => ({
    topic: "events",
    partition: 0,
    offset,
    timestamp: Date.UTC(2026, 0, 1),
    value: Buffer.from(String(offset)),
    headers: {},
    ...at,
  }));
}
