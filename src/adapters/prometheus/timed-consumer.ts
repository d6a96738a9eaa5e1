import type { Clock } from "../../kernel/clock.ts";
import type { Commit, GroupConsumer, GroupHandler, PartitionOffset, TopicPartition } from "../../kernel/stream.ts";

/** The outcome of a commit: the broker accepted it, refused it, or never confirmed it. */
export type CommitOutcome = "taken" | "refused" | "lost";

interface OpenCommit {
  readonly offsets: readonly PartitionOffset[];
  isTaken: boolean;
}

/** Wraps a group member and reports the outcome and duration (milliseconds) of each commit. */
export class TimedConsumer implements GroupConsumer {
  readonly #consumer: GroupConsumer;
  readonly #clock: Pick<Clock, "ticks">;
  readonly #onCommit: (outcome: CommitOutcome, ms: number) => void;
  readonly #open = new Set<OpenCommit>();

  constructor(
    consumer: GroupConsumer,
    clock: Pick<Clock, "ticks">,
    onCommit: (outcome: CommitOutcome, ms: number) => void,
  ) {
    this.#consumer = consumer;
    this.#clock = clock;
    this.#onCommit = onCommit;
  }

  get activeAt(): number {
    return this.#consumer.activeAt;
  }

  start(handler: GroupHandler): Promise<void> {
    return this.#consumer.start({
      joined: (assigned, gone) => handler.joined(assigned, gone),
      located: (places) => handler.located(places),
      rebalancing: () => handler.rebalancing(),
      lost: (at, until) => handler.lost?.(at, until),
      delivered: (records) => handler.delivered(records),
      passed: (at, until) => handler.passed?.(at, until),
      failed: (error, restarts) => handler.failed(error, restarts),
      committed: (offsets) => {
        for (const open of this.#open) open.isTaken ||= offsets.some((each) => isAmong(each, open.offsets));
        handler.committed(offsets);
      },
    });
  }

  pause(at: readonly TopicPartition[]): void {
    this.#consumer.pause(at);
  }

  resume(at: readonly TopicPartition[]): void {
    this.#consumer.resume(at);
  }

  async commit(offsets: readonly Commit[]): Promise<void> {
    const begun = this.#clock.ticks();
    const open: OpenCommit = { offsets, isTaken: false };
    this.#open.add(open);
    let isRefused = true;
    try {
      await this.#consumer.commit(offsets);
      isRefused = false;
    } finally {
      this.#open.delete(open);
      const outcome = open.isTaken ? "taken" : isRefused ? "refused" : "lost";
      this.#onCommit(outcome, this.#clock.ticks() - begun);
    }
  }

  stop(): Promise<void> {
    return this.#consumer.stop();
  }
}

function isAmong({ topic, partition, offset }: PartitionOffset, offsets: readonly PartitionOffset[]): boolean {
  return offsets.some((each) => each.topic === topic && each.partition === partition && each.offset === offset);
}
