import type { PartitionOffset, TopicPartition } from "../../../kernel/stream.ts";
import type { EpochStart } from "./log-truncation.ts";

/** A record as a fetch brought it, and the epoch of the leader that appended its batch. */
export interface RecordRead {
  readonly offset: string;
  readonly batchContext?: { readonly leaderEpoch?: number };
}

/** What is known of one partition. */
interface Known {
  readonly epochs: EpochStart[];
  /** One more than the last record that was read. */
  next: number;
  /** The epoch that the next fetch may begin with, since the log was compared with what was read. */
  compared: number | undefined;
}

/** Chosen: a log that was cut is compared epoch by epoch, and elections are rare. */
const MOST_EPOCHS = 16;

/** Which leader epochs this process has read, by partition, over all generations of a group. */
export class EpochsRead {
  readonly #known = new Map<string, Known>();

  /** Ascending. */
  of(at: TopicPartition): readonly EpochStart[] {
    return this.#known.get(nameOf(at))?.epochs ?? [];
  }

  /** A partition is read from `offset` on, behind records of these epochs. */
  located(at: TopicPartition, offset: number, epochs: readonly EpochStart[]): void {
    const before = epochs.filter(({ from }) => from < offset);
    this.#known.set(nameOf(at), { epochs: before, next: offset, compared: undefined });
  }

  /** The handler wants to read from here: behind what was read, or elsewhere, of which nothing is known. */
  sought(at: PartitionOffset): void {
    if (this.#known.get(nameOf(at))?.next !== at.offset) this.located(at, at.offset, []);
  }

  /** The log was found to hold what was read, though a fetch begins with another epoch. */
  compared(at: TopicPartition, epoch: number): void {
    const known = this.#known.get(nameOf(at));
    if (known !== undefined) known.compared = epoch;
  }

  /**
   * The epoch that a fetch begins with, where it is another one than what was read before: the log must be compared. Its
   * leader may have begun without some of the records that were read.
   */
  newEpoch(at: TopicPartition, [first]: readonly RecordRead[]): number | undefined {
    const known = this.#known.get(nameOf(at));
    const epoch = epochOf(first);
    const last = known?.epochs.at(-1);
    return last === undefined || epoch < 0 || epoch === last.epoch || epoch === known?.compared ? undefined : epoch;
  }

  /** These records were taken in. */
  read(at: TopicPartition, records: readonly RecordRead[]): void {
    const known = this.#known.get(nameOf(at));
    if (known === undefined) return;
    for (const record of records) {
      const epoch = epochOf(record);
      if (epoch > (known.epochs.at(-1)?.epoch ?? -1)) known.epochs.push({ epoch, from: known.next });
      known.next = Number(record.offset) + 1;
    }
    known.epochs.splice(0, known.epochs.length - MOST_EPOCHS);
  }
}

/** Below zero: none is known, as in the format before Kafka 0.11. */
function epochOf(record: RecordRead | undefined): number {
  return record?.batchContext?.leaderEpoch ?? -1;
}

/** Topic names hold no slash. */
function nameOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}
