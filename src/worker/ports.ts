import type { ResponseOf, RouteName, SentTo } from "../api/routes.ts";
import type { Result } from "../kernel/result.ts";
import type { Secret } from "../kernel/secret.ts";
import type { RecordHeaders } from "../kernel/stream.ts";
import type { ScreeningEvent } from "../messages/event.ts";
import type { Lane } from "../messages/lane.ts";
import type { Ticket } from "../messages/ticket.ts";
import type { CheckEntry, Source, Verdict } from "../messages/verdict.ts";

/** The security service, whoever runs it. */
export interface SecurityService {
  /**
   * Puts one request to one route. One call is one request: nothing is retried below this.
   *
   * @throws {RateLimitedError | UnauthorizedError | RejectedError | ChainUnsupportedError | UnavailableError}
   */
  ask<N extends RouteName>(route: N, request: SentTo<N>, signal: AbortSignal): Promise<ResponseOf<N>>;
}

/** What was found out about an event before; and, once it was put off, how often and since when. */
export interface Earlier {
  readonly checks: readonly CheckEntry[];
  readonly attempt?: Ticket["attempt"];
  readonly failures?: Ticket["failures"];
  readonly first_seen_at?: Ticket["first_seen_at"];
  readonly deadline_at?: Ticket["deadline_at"];
}

/** How the partition stands in which a record lies. */
export interface PartitionNow {
  /** Whether it is this process's to answer; otherwise another one has it by now, and says the same. */
  readonly isOurs: () => boolean;
  /** Whether it holds so much that a crash would repeat too much: what can come back later does not wait in it. */
  readonly isCrowded: () => boolean;
}

/** One input record, read as far as it can be; what is not known of its partition is no matter where it is. */
export interface InputRecord extends Partial<PartitionNow> {
  readonly source: Source;
  /** Id of an event that brings none of its own: topic/partition/offset, or file/line. */
  readonly defaultId: string;
  /** The record as it arrived: the identity of what is no event. Of a line of a file that is one they are let go. */
  readonly bytes: Uint8Array;
  /** How many those were, where they are made when they are asked for, or were let go. */
  readonly sizeBytes?: number;
  /** Which lane the record came in; otherwise the event says. */
  readonly lane?: Lane;
  /** When it was written where it was read, Unix milliseconds: since then somebody waits. */
  readonly timestamp?: number;
  /** What came with the record and goes on with all that follows from it. */
  readonly headers?: RecordHeaders;
  /** The event, or what is wrong with the record. */
  readonly event: Result<ScreeningEvent>;
  /** Of the verdict to come: 0, or one more than that of the verdict that it takes the place of. */
  readonly revision: number;
  /** The id of the verdict on it, once that was needed: it takes a hash to tell. */
  verdictId?: string | undefined;
  /** What a ticket, or an earlier verdict, brings: its checks are not asked again, but for what it would pass by. */
  readonly ticket?: Earlier;
}

/** When a request may be made. Implementations pace; they never retry, drop or reorder by priority. */
export interface Slots {
  /** Runs `job` when its slot comes, first come first; rejects with what `job` throws. A job that waits when `close` is called rejects with the reason given. */
  run<T>(job: () => Promise<T>): Promise<T>;
  /** From now on slots come this far apart, milliseconds, fractions included; 0 = as they are free. */
  pace(minTimeMs: number): void;
}

/** Where events wait that are to be asked again. */
export interface TicketSink {
  /**
   * Whether a ticket is to be durable before the verdict for the time being that goes with it. On topics the record comes
   * again until both are, and an UNKNOWN whose ticket was never written would stand for good; in files a ticket says
   * that its verdict is there.
   */
  readonly comesFirst: boolean;
  /**
   * Resolves once the ticket is durable; from then on the event is its business.
   *
   * @param question what it waits for: those that wait for the same should meet in one process.
   * @throws {OutputUnwritableError}
   */
  put(ticket: Ticket, record: InputRecord, question: string): Promise<void>;
}

/** Where verdicts go. */
export interface VerdictSink {
  /**
   * Resolves once the verdict, and what must go with it, is durable enough to be counted as settled.
   *
   * @param isLast whether no ticket brings the next revision.
   * @throws {OutputUnwritableError}
   */
  write(verdict: Verdict, record: InputRecord, isLast: boolean): Promise<void>;
}

/** The key that requests carry. It may change while the program runs. */
export interface KeySource {
  current(): Secret;
  /** Looks again where the key came from. A key that cannot be read leaves the one before. @returns whether it changed. */
  reload(): Promise<boolean>;
}
