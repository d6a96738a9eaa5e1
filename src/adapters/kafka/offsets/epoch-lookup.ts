import type { TopicPartition } from "../../../kernel/stream.ts";
import type { EpochEnds } from "./epoch-ends.ts";
import { agreement, type EpochStart } from "./log-truncation.ts";

/** What a group committed of a partition and what this process read of it: leader epochs, ascending; empty: none is known. */
export interface PartitionEpochs {
  readonly partition: number;
  readonly committed: readonly EpochStart[];
  readonly read: readonly EpochStart[];
}

/** How far a log holds what was committed, and what was read; undefined: that is not known. */
export interface AgreesUntil {
  readonly committed: number | undefined;
  readonly read: number | undefined;
}

/** What was read, by partition. */
type Read = ReadonlyMap<number, readonly EpochStart[]>;
/** How far logs hold it, where that is known. */
type Until = ReadonlyMap<number, number>;

/** Questions of one topic that are put together. */
interface Question {
  readonly asked: Map<number, readonly EpochStart[]>;
  readonly until: Promise<Until>;
}

/** Asks the leaders of partitions how far their logs hold what was read in logs of earlier leaders. */
export class EpochLookup {
  readonly #ask: (topic: string, asked: ReadonlyMap<number, number>) => Promise<EpochEnds>;
  readonly #next = new Map<string, Question>();
  readonly #asking = new Map<string, Promise<unknown>>();

  /** @param ask where these epochs end, by partition. */
  constructor(ask: (topic: string, asked: ReadonlyMap<number, number>) => Promise<EpochEnds>) {
    this.#ask = ask;
  }

  /** By partition. @throws while a leader cannot be asked. */
  async agreeUntil(topic: string, known: readonly PartitionEpochs[]): Promise<ReadonlyMap<number, AgreesUntil>> {
    const first = new Map(
      known.map(({ partition, committed, read }) => [partition, committed.length > 0 ? committed : read]),
    );
    const isTwo = ({ committed, read }: PartitionEpochs) => committed.length > 0 && !areSame(committed, read);
    const second = new Map(known.filter(isTwo).map(({ partition, read }) => [partition, read]));
    const ofFirst = await this.#until(topic, first);
    const ofSecond = await this.#until(topic, second);
    return new Map(
      known.map((each): [number, AgreesUntil] => {
        const { partition, committed } = each;
        return [
          partition,
          {
            committed: committed.length > 0 ? ofFirst.get(partition) : undefined,
            read: (isTwo(each) ? ofSecond : ofFirst).get(partition),
          },
        ];
      }),
    );
  }

  /**
   * How far the log of a partition holds what was read; undefined where that is not known. When a broker ends, all that it
   * led is asked about at once: what comes while a question is under way goes into the next one.
   *
   * @throws while its leader cannot be asked.
   */
  async agreesUntil({ topic, partition }: TopicPartition, read: readonly EpochStart[]): Promise<number | undefined> {
    if (read.length === 0) return undefined;
    const question = this.#next.get(topic) ?? this.#question(topic);
    question.asked.set(partition, read);
    return (await question.until).get(partition);
  }

  #question(topic: string): Question {
    const asked = new Map<number, readonly EpochStart[]>();
    const before = this.#asking.get(topic) ?? Promise.resolve();
    const put = () => this.#put(topic, asked);
    const question = { asked, until: before.then(put, put) };
    this.#next.set(topic, question);
    return question;
  }

  #put(topic: string, asked: Read): Promise<Until> {
    this.#next.delete(topic);
    const until = this.#until(topic, asked);
    this.#asking.set(topic, until);
    return until;
  }

  /** Asks until the answers are exact, which nearly always are at once. */
  async #until(topic: string, read: Read): Promise<Until> {
    const until = new Map<number, number>();
    for (let left = withEpochs(read); left.size > 0; ) {
      const ends = await this.#ask(
        topic,
        new Map(Array.from(left, ([partition, epochs]) => [partition, lastOf(epochs)])),
      );
      const rests = new Map<number, readonly EpochStart[]>();
      for (const [partition, epochs] of left) {
        const found = agreement(epochs, ends.get(partition));
        if (found.until !== undefined)
          until.set(partition, Math.min(found.until, until.get(partition) ?? Number.POSITIVE_INFINITY));
        rests.set(partition, found.rest);
      }
      left = withEpochs(rests);
    }
    return until;
  }
}

function withEpochs(read: Read): Read {
  return new Map([...read].filter(([, epochs]) => epochs.length > 0));
}

function lastOf(epochs: readonly EpochStart[]): number {
  return epochs.at(-1)?.epoch ?? -1;
}

function areSame(some: readonly EpochStart[], others: readonly EpochStart[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}
