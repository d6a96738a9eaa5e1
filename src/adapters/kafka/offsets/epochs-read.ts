import type { PartitionOffset, TopicPartition } from "../../../kernel/stream.ts";
import type { EpochStart } from "./log-truncation.ts";

/** A record of a fetch, with the epoch of the leader that appended its batch. */
export interface RecordRead {
  readonly offset: string;
  readonly batchContext?: { readonly leaderEpoch?: number };
}

/** The known epochs and positions of one partition. */
interface Known {
  readonly epochs: EpochStart[];
  /** Offset of the last read record plus one. */
  next: number;
  /** The epoch with which the next fetch may begin, since the log was compared with the read records. */
  compared: number | undefined;
}

/** Chosen: a truncated log is compared epoch by epoch, and elections are rare. */
const MOST_EPOCHS = 16;

/** The leader epochs that this process has read, by partition, over all generations of a group. */
export class EpochsRead {
  readonly #known = new Map<string, Known>();

  /** Ascending. */
  of(at: TopicPartition): readonly EpochStart[] {
    return this.#known.get(nameOf(at))?.epochs ?? [];
  }

  /** A partition is read from `offset` on, after records of these epochs. */
  located(at: TopicPartition, offset: number, epochs: readonly EpochStart[]): void {
    const before = epochs.filter(({ from }) => from < offset);
    this.#known.set(nameOf(at), { epochs: before, next: offset, compared: undefined });
  }

  /** The handler seeks: behind the read records, or elsewhere, where no epoch is known. */
  sought(at: PartitionOffset): void {
    if (this.#known.get(nameOf(at))?.next !== at.offset) this.located(at, at.offset, []);
  }

  /** Records that the log holds all read records, although a fetch begins with another epoch. */
  compared(at: TopicPartition, epoch: number): void {
    const known = this.#known.get(nameOf(at));
    if (known !== undefined) known.compared = epoch;
  }

  /**
   * The epoch at the beginning of a fetch, where it differs from the last read one. The log must then be compared,
   * since its leader may have begun without some of the read records.
   */
  newEpoch(at: TopicPartition, [first]: readonly RecordRead[]): number | undefined {
    return this.newEpochOf(at, epochOf(first));
  }

  /** As `newEpoch`, for a fetch that begins with a batch of this epoch. */
  newEpochOf(at: TopicPartition, epoch = -1): number | undefined {
    const known = this.#known.get(nameOf(at));
    const last = known?.epochs.at(-1);
    return last === undefined || epoch < 0 || epoch === last.epoch || epoch === known?.compared ? undefined : epoch;
  }

  /**
   * Batches without readable records were passed over, up to `next`: transaction markers and aborted records. Their
   * epochs count as read. Otherwise a marker of a new leader would look like a lost record.
   */
  passed(at: TopicPartition, epochs: readonly EpochStart[], next: number): void {
    const known = this.#known.get(nameOf(at));
    if (known === undefined || next <= known.next) return;
    for (const { epoch, from } of epochs) {
      if (epoch <= (known.epochs.at(-1)?.epoch ?? -1)) continue;
      known.epochs.push({ epoch, from: Math.max(from, known.next) });
    }
    known.next = next;
    known.epochs.splice(0, known.epochs.length - MOST_EPOCHS);
  }

  /** Records the accepted records. */
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

/** A value below zero means an unknown epoch, as in the format before Kafka 0.11. */
function epochOf(record: RecordRead | undefined): number {
  return record?.batchContext?.leaderEpoch ?? -1;
}

/** Topic names hold no slash, so the text is unambiguous. */
function nameOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}
