/** A partition of a topic, as in Kafka. The types of this file serve readers and writers of records. */

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** An offset of a partition: the offset of a record, or the offset to commit. */
export interface PartitionOffset extends TopicPartition {
  readonly offset: number;
}

/** A committed offset, with metadata for the member that continues from it. */
export interface Commit extends PartitionOffset {
  readonly metadata?: string;
}

/** The position from which a group continues to read a partition. */
export interface RecordPosition extends Commit {
  /** Whether the log was replaced. Records read from the old log are completed or gone. */
  readonly isAnew?: boolean;
  /**
   * How far the log is known to hold what was read; absent where nothing is known. From there on it holds other records, and
   * what the word says of those counts no more.
   */
  readonly agreesUntil?: number;
}

/** Text, or bytes that are no UTF-8. */
export type HeaderValue = string | Uint8Array;
export type RecordHeaders = Readonly<Record<string, HeaderValue>>;

/** One record of a topic. */
export interface StreamRecord extends PartitionOffset {
  /** Time of writing, Unix milliseconds. */
  readonly timestamp: number;
  /** Undefined when the record has no key. */
  readonly key?: Uint8Array;
  /** Undefined when the record has no value, for example a tombstone. */
  readonly value: Uint8Array | undefined;
  readonly headers: RecordHeaders;
  /** Headers that say how the value is written. Absent where none is read, or the record has none. */
  readonly formatHeaders?: RecordHeaders;
  /** The reason why the record cannot be read, although it exists. */
  readonly fault?: string;
}

/**
 * Notifications of a consumer group to one member. Every call must return at once, because a slow handler blocks the
 * group.
 */
export interface GroupHandler {
  /**
   * A generation of the group has begun, and it assigns these partitions to this member.
   *
   * @param gone former partitions with a log that no longer exists. No other member can read their records.
   */
  joined(assigned: readonly TopicPartition[], gone?: readonly TopicPartition[]): void;
  /**
   * The committed positions of these partitions with their metadata, or the start of their logs. Comes before any
   * record of a partition. Partitions may be located at different times.
   */
  located(places: readonly RecordPosition[]): void;
  /** The records of a partition from `offset` up to `until` were deleted before they were read. They will not come. */
  lost?(at: PartitionOffset, until: number): void;
  /** The generation ends. Commits that are sent now may still count. */
  rebalancing(): void;
  /**
   * Records of one partition, offsets ascending. @returns whether the handler accepted them. Refused records come
   * again.
   */
  delivered(records: readonly StreamRecord[]): boolean;
  /**
   * Offsets before `until` that were not delivered hold nothing to read: transaction markers, and records of aborted
   * transactions.
   */
  passed?(at: TopicPartition, until: number): void;
  /** The broker accepted this commit. */
  committed(offsets: readonly PartitionOffset[]): void;
  /** The consumer failed. `restarts` tells whether it starts again by itself. */
  failed(error: Error, restarts: boolean): void;
}

/** A member of a consumer group. Delivery and progress are separate: only `commit` reports progress to the group. */
export interface GroupConsumer {
  /** @throws when the group cannot be reached. */
  start(handler: GroupHandler): Promise<void>;
  pause(at: readonly TopicPartition[]): void;
  resume(at: readonly TopicPartition[]): void;
  /** May resolve although nothing was committed; only `committed` is proof. @throws when the commit was refused. */
  commit(offsets: readonly Commit[]): Promise<void>;
  /** The last sign of life (a fetch, a heartbeat, a join), milliseconds on the monotonic clock. */
  readonly activeAt: number;
  /** Leaves the group and disconnects. Never rejects. */
  stop(): Promise<void>;
}

/** A consumer with positions that can be set. */
export interface SeekingConsumer extends GroupConsumer {
  /** Continues from these offsets in the current generation. */
  seek(at: readonly PartitionOffset[]): void;
}

/** The position of a group in a partition. */
export interface GroupPosition {
  /** The committed offset. Undefined when the group has none. */
  readonly committed: number | undefined;
  /** The metadata that was committed with the offset. */
  readonly metadata: string;
  /** The committed id of the topic. Absent when the commit names none. */
  readonly committedId?: string | undefined;
  /** The id of the topic that has the name now. Absent when the brokers give topics no ids. */
  readonly topicId?: string | undefined;
  /** The first offset that still exists. */
  readonly earliest: number;
  /** The next offset of the log. Absent when it was not requested. */
  readonly end?: number;
  /** Whether no broker leads the partition: then where its log begins and ends is not known, and `earliest` is no offset of it. */
  readonly isLeaderless?: boolean;
}

export interface GroupOffsets {
  /** Positions by partition. @throws when the brokers do not answer. */
  positions(topic: string): Promise<ReadonlyMap<number, GroupPosition>>;
}

/** Times of the records of a log. */
export interface LogTimes {
  /**
   * By partition, the offset of the first record written at `at` (Unix milliseconds) or later. When there is none, the
   * next offset of the log. @throws when the brokers do not answer.
   */
  firstSince(topic: string, at: number): Promise<ReadonlyMap<number, number>>;
}

/** A record to be written. The key decides the partition. */
export interface OutRecord<Value extends Uint8Array | string = Uint8Array | string> {
  readonly topic: string;
  readonly key: string | Uint8Array;
  /** A string is written as UTF-8. */
  readonly value: Value;
  readonly headers: RecordHeaders;
}

export interface Publisher {
  /**
   * Resolves once every required replica has the record. The value is read at once, so the caller may reuse its memory.
   *
   * @throws {RecordTooLargeError} when the record is too large, before any byte is written. Other failures are the
   * reason that the publisher was closed with.
   */
  publish(record: OutRecord): Promise<void>;
}
