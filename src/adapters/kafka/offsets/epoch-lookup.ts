import type { TopicPartition } from "../../../kernel/stream.ts";
import type { EpochEnds } from "./epoch-ends.ts";
import { agreement, type EpochStart } from "./log-truncation.ts";

/** The committed and the read leader epochs of a partition, ascending; empty: none is known. */
export interface PartitionEpochs {
  readonly partition: number;
  readonly committed: readonly EpochStart[];
  readonly read: readonly EpochStart[];
}

/** The offsets up to which a log holds the committed and the read records; undefined: unknown. */
export interface AgreesUntil {
  readonly committed: number | undefined;
  readonly read: number | undefined;
}

/** The read epochs, by partition. */
type Read = ReadonlyMap<number, readonly EpochStart[]>;
/** The offset up to which each log holds the read records, where it is known. */
type Until = ReadonlyMap<number, number>;

/** Requests about one topic that are sent together. */
interface Question {
  readonly asked: Map<number, readonly EpochStart[]>;
  readonly until: Promise<Until>;
}

/** Asks the leaders of partitions how far their logs hold the records that were read under earlier leaders. */
export class EpochLookup {
  readonly #ask: (topic: string, asked: ReadonlyMap<number, number>) => Promise<EpochEnds>;
  readonly #next = new Map<string, Question>();
  readonly #asking = new Map<string, Promise<unknown>>();

  /** @param ask returns the ends of these epochs, by partition. */
  constructor(ask: (topic: string, asked: ReadonlyMap<number, number>) => Promise<EpochEnds>) {
    this.#ask = ask;
  }

  /** The agreements by partition. @throws while a leader cannot be reached. */
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
   * The offset up to which the log of a partition holds the read records; undefined where it is unknown. When a broker
   * fails, all its partitions are looked up at once: requests during a running request are sent with the next one.
   *
   * @throws while its leader cannot be reached.
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

  /** Repeats requests until the answers are exact. Nearly always the first answers are. */
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
