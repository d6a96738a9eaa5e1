/** Records in partitions of topics, as Kafka has them: what whoever reads or writes them needs of it. */

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** An offset of a partition: of a record, or to commit. */
export interface PartitionOffset extends TopicPartition {
  readonly offset: number;
}

/** What is committed, and a word to whoever goes on from there. */
export interface Commit extends PartitionOffset {
  readonly metadata?: string;
}

/** Where a group goes on reading a partition. */
export interface RecordPosition extends Commit {
  /** Whether its log is another than the one that was read: what was taken in of that one is settled, or gone. */
  readonly isAnew?: boolean;
  /**
   * How far the log is known to hold what was read; absent where nothing is known. From there on it holds other records, and
   * what the word says of those counts no more.
   */
  readonly agreesUntil?: number;
}

export type RecordHeaders = Readonly<Record<string, string>>;

/** One record of a topic. */
export interface StreamRecord extends PartitionOffset {
  /** When it was written, Unix milliseconds. */
  readonly timestamp: number;
  /** Undefined: the record has none. */
  readonly key?: Uint8Array;
  /** Undefined: the record has none, as a tombstone. */
  readonly value: Uint8Array | undefined;
  readonly headers: RecordHeaders;
  /** Why the record is not read, though it is there. */
  readonly fault?: string;
}

/** What a consumer group tells one of its members. Every call returns at once: a slow one would hold up the group. */
export interface GroupHandler {
  /**
   * A generation of the group has begun, and these partitions are ours in it.
   *
   * @param gone of those before, the ones whose log is not there any more: no other member can read what it held.
   */
  joined(assigned: readonly TopicPartition[], gone?: readonly TopicPartition[]): void;
  /**
   * What the group has committed of these, with the word to whoever goes on; or else where their logs begin. Comes before
   * any record of them, for some partitions before others.
   */
  located(places: readonly RecordPosition[]): void;
  /** The records of a partition from `offset` up to `until` were deleted before they were read: they come no more. */
  lost?(at: PartitionOffset, until: number): void;
  /** The generation ends; what is committed now may still count. */
  rebalancing(): void;
  /** Records of one partition, offsets ascending. @returns whether they were taken in; otherwise they come again. */
  delivered(records: readonly StreamRecord[]): boolean;
  /** What lies before `until` and was not delivered is nothing to be read: markers and records of aborted transactions. */
  passed?(at: TopicPartition, until: number): void;
  /** The broker took this commit. */
  committed(offsets: readonly PartitionOffset[]): void;
  /** The consumer failed; `restarts`: it begins anew by itself. */
  failed(error: Error, restarts: boolean): void;
}

/** A member of a consumer group. Delivery and progress are two things: only `commit` tells the group of progress. */
export interface GroupConsumer {
  /** @throws when the group cannot be reached. */
  start(handler: GroupHandler): Promise<void>;
  pause(at: readonly TopicPartition[]): void;
  resume(at: readonly TopicPartition[]): void;
  /** May resolve although nothing was committed: `committed` is what counts. @throws when the commit was refused. */
  commit(offsets: readonly Commit[]): Promise<void>;
  /** When it last gave a sign of life (a fetch, a heartbeat, a join), milliseconds on the monotonic clock. */
  readonly activeAt: number;
  /** Leaves the group and disconnects. Never rejects. */
  stop(): Promise<void>;
}

/** One that can be told where to read on. */
export interface SeekingConsumer extends GroupConsumer {
  /** From these offsets on, in the generation that has begun. */
  seek(at: readonly PartitionOffset[]): void;
}

/** Where a group stands in a partition. */
export interface GroupPosition {
  /** The committed offset; undefined: the group has none. */
  readonly committed: number | undefined;
  /** The word that was committed with it. */
  readonly metadata: string;
  /** The id of the topic that was committed; absent where the commit names none. */
  readonly committedId?: string | undefined;
  /** The id of the topic that has the name now; absent where the brokers give topics none. */
  readonly topicId?: string | undefined;
  /** The first offset that is still there. */
  readonly earliest: number;
  /** The offset that comes next; absent where nobody asked. */
  readonly end?: number;
  /** Whether no broker leads the partition: then where its log begins and ends is not known, and `earliest` is no offset of it. */
  readonly isLeaderless?: boolean;
}

export interface GroupOffsets {
  /** By partition. @throws when the brokers do not tell. */
  positions(topic: string): Promise<ReadonlyMap<number, GroupPosition>>;
}

/** What a log knows of time. */
export interface LogTimes {
  /**
   * By partition the offset of the first record written at `at` (Unix milliseconds) or after it; where there is none, the
   * offset that comes next. @throws when the brokers do not tell.
   */
  firstSince(topic: string, at: number): Promise<ReadonlyMap<number, number>>;
}

/** A record to be written. The key decides the partition. */
export interface OutRecord<Value extends Uint8Array | string = Uint8Array | string> {
  readonly topic: string;
  readonly key: string;
  /** A text is written as UTF-8. */
  readonly value: Value;
  readonly headers: RecordHeaders;
}

export interface Publisher {
  /**
   * Resolves once every replica that must have the record has it. Its value is taken at once: that memory may be used again.
   *
   * @throws {RecordTooLargeError} when it is larger than records may be, before any of it is written; else only what it was
   * closed with.
   */
  publish(record: OutRecord): Promise<void>;
}
