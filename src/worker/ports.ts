import type { ResponseOf, RouteName, SentTo } from "../api/routes.ts";
import type { Result } from "../kernel/result.ts";
import type { Secret } from "../kernel/secret.ts";
import type { RecordHeaders, StreamRecord } from "../kernel/stream.ts";
import type { ScreeningEvent } from "../messages/event.ts";
import type { Lane } from "../messages/lane.ts";
import type { Ticket } from "../messages/ticket.ts";
import type { CheckEntry, Source, Verdict } from "../messages/verdict.ts";

/** The security service, whichever program provides it. */
export interface SecurityService {
  /**
   * Sends one request to one route. One call is one request: no layer below retries.
   *
   * @throws {RateLimitedError | UnauthorizedError | RejectedError | ChainUnsupportedError | UnavailableError}
   */
  ask<N extends RouteName>(route: N, request: SentTo<N>, signal: AbortSignal): Promise<ResponseOf<N>>;
}

/** Earlier answers about an event. After a delay also the number of delays and the time of the first reading. */
export interface Earlier {
  readonly checks: readonly CheckEntry[];
  readonly attempt?: Ticket["attempt"];
  readonly failures?: Ticket["failures"];
  readonly first_seen_at?: Ticket["first_seen_at"];
  readonly deadline_at?: Ticket["deadline_at"];
}

/** The current state of a record's partition. */
export interface PartitionNow {
  /**
   * Whether this process still owns the partition. Otherwise another process owns it and publishes the same verdict.
   */
  readonly isOurs: () => boolean;
  /**
   * Whether the partition holds too many records, so that a crash would repeat too much work. In a crowded partition a
   * question that can be put off does not wait.
   */
  readonly isCrowded: () => boolean;
}

/** One input record, parsed as far as possible. Members about the partition are absent where they do not matter. */
export interface InputRecord extends Partial<PartitionNow> {
  readonly source: Source;
  /** Id of an event without an id of its own: topic/partition/offset, or file/line. */
  readonly defaultId: string;
  /**
   * The record as it arrived, which identifies a record that is no event. A file releases the bytes of parsed lines.
   */
  readonly bytes: Uint8Array;
  /** Size of the record, where `bytes` is computed on access or was released. */
  readonly sizeBytes?: number;
  /** The lane of the record's topic. If absent, the event decides. */
  readonly lane?: Lane;
  /** When the record was written to its topic, Unix milliseconds. The caller waits since then. */
  readonly timestamp?: number;
  /** Headers of the record, which are copied to everything that follows from it. */
  readonly headers?: RecordHeaders;
  /** The event, or the error of the record. */
  readonly event: Result<ScreeningEvent>;
  /** Revision of the next verdict: 0, or one more than the revision that it replaces. */
  readonly revision: number;
  /** The id of the verdict, cached once computed, because it needs a hash. */
  verdictId?: string | undefined;
  /** Answers from a ticket or an earlier verdict. They are reused, except for answers on which the event would pass. */
  readonly ticket?: Earlier;
}

/** Turns input records of another format into JSON, by schemas that it reads from elsewhere. */
export interface RecordDecoder {
  /**
   * Undefined when all schemas of the records are at hand. Otherwise a promise that resolves once they are, however long
   * that takes, or once the process ends. It rejects only for a bug.
   */
  prepare(records: readonly StreamRecord[]): Promise<void> | undefined;
  /** The record with its value as JSON, or with its fault. Its schema must be at hand. */
  decode(record: StreamRecord): StreamRecord;
}

/** Writes verdicts in another format than JSON. */
export interface VerdictEncoder {
  /** @param json the verdict as JSON. */
  encode(verdict: Verdict, json: Uint8Array): Uint8Array;
}

/** Grants permits for requests. Implementations pace; they never retry, drop or reorder by priority. */
export interface Slots {
  /**
   * Runs `job` when a permit is granted, in order of arrival. Rejects with the error of `job`. If `close` is called, a
   * waiting job rejects with the given reason.
   */
  run<T>(job: () => Promise<T>): Promise<T>;
  /** From now on permits are this far apart, milliseconds, fractions included. 0: no pacing. */
  pace(minTimeMs: number): void;
}

/** Where events wait that are asked again later. */
export interface TicketSink {
  /**
   * Whether a ticket must be durable before the provisional verdict that belongs to it. On topics the record is read
   * again until both are durable. Without its ticket, a provisional UNKNOWN would stand for good. In files a ticket
   * implies that its verdict exists.
   */
  readonly comesFirst: boolean;
  /**
   * Resolves once the ticket is durable. From then on the ticket is responsible for the event.
   *
   * @param question The question that the ticket waits for. Tickets with one question should meet in one process.
   * @throws {OutputUnwritableError}
   */
  put(ticket: Ticket, record: InputRecord, question: string): Promise<void>;
}

/** Where verdicts are written. */
export interface VerdictSink {
  /**
   * Resolves once the verdict and its companions are durable, so that the record's offset counts as completed.
   *
   * @param isLast Whether no ticket brings the next revision.
   * @throws {OutputUnwritableError}
   */
  write(verdict: Verdict, record: InputRecord, isLast: boolean): Promise<void>;
}

/** The API key of requests. It may change while the program runs. */
export interface KeySource {
  current(): Secret;
  /**
   * Reads the key again from its origin. If the key cannot be read, the previous key stays.
   *
   * @returns whether the key changed.
   */
  reload(): Promise<boolean>;
}
