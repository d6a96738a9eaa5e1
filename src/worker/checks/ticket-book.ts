import type { Clock } from "../../kernel/clock.ts";
import type { Ticket } from "../../messages/ticket.ts";
import { answerBytes, recordBytes } from "../answers/retained-bytes.ts";
import type { InputRecord, TicketSink } from "../ports.ts";
import { wholeRecord } from "../screening/detach-record.ts";

/** Makes tickets survive the process. */
export interface TicketLog {
  /** Resolves once the ticket is durable. @throws {OutputUnwritableError} */
  append(ticket: Ticket): Promise<void>;
}

/** Records that are put off, and bytes that they and what was answered about them hold: with either there is no room for more. */
const MAX_RECORDS = 10_000;
const MAX_BYTES = 64 * 2 ** 20;

interface Parked {
  /** Milliseconds of `ticks`: a wall clock that is set must not make it wait. */
  readonly dueAt: number;
  readonly record: InputRecord;
  /** What it holds, counted once: it takes a look at all that was answered. */
  readonly bytes: number;
}

/**
 * The records that wait for their time: a heap by when they are due, over a log that outlives this process. One that was
 * taken is in memory as well until it is released.
 */
export class TicketBook implements TicketSink {
  readonly comesFirst = false;
  readonly #log: TicketLog;
  readonly #clock: Pick<Clock, "now" | "ticks">;
  readonly #heap: Parked[] = [];
  /** Taken, and not released, with what each holds. */
  readonly #taken = new Map<InputRecord, number>();
  /** Of those that wait, and of those. */
  #bytes = 0;

  constructor(log: TicketLog, clock: Pick<Clock, "now" | "ticks">) {
    this.#log = log;
    this.#clock = clock;
  }

  get size(): number {
    return this.#heap.length;
  }

  /** Whether nothing new should be read that might be put off, too. */
  get isFull(): boolean {
    return this.#heap.length + this.#taken.size >= MAX_RECORDS || this.#bytes >= MAX_BYTES;
  }

  /** When the next one is due, milliseconds of `ticks`. */
  get nextDueAt(): number | undefined {
    return this.#heap[0]?.dueAt;
  }

  async put(ticket: Ticket, record: InputRecord): Promise<void> {
    const dueAt = this.#clock.ticks() + ticket.due_at - this.#clock.now();
    await this.#log.append(ticket);
    this.#add(ticket, record, dueAt);
  }

  /**
   * Takes a ticket that is durable already, as a new process finds it. By a clock that was set back since it would wait as
   * long as that: it waits no longer than from when its record was first seen.
   */
  park(ticket: Ticket, record: InputRecord): void {
    const waitMs = ticket.due_at - Math.max(this.#clock.now(), ticket.first_seen_at);
    this.#add(ticket, record, this.#clock.ticks() + waitMs);
  }

  #add(ticket: Ticket, record: InputRecord, due: number): void {
    const heap = this.#heap;
    const parked = { ...wholeRecord(record), revision: ticket.revision, ticket };
    const bytes = recordBytes(parked) + answerBytes(ticket.checks);
    heap.push({ dueAt: due, record: parked, bytes });
    this.#bytes += bytes;
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (dueAt(heap, parent) <= dueAt(heap, at)) break;
      swap(heap, at, parent);
      at = parent;
    }
  }

  /** A record that is due at `now`, milliseconds of `ticks`. */
  take(now: number): InputRecord | undefined {
    const heap = this.#heap;
    const [first] = heap;
    if (first === undefined || first.dueAt > now) return undefined;
    const last = heap.pop();
    if (last !== undefined && heap.length > 0) {
      heap[0] = last;
      for (let at = 0; ; ) {
        const [left, right] = [2 * at + 1, 2 * at + 2];
        const child = dueAt(heap, right) < dueAt(heap, left) ? right : left;
        if (dueAt(heap, child) >= dueAt(heap, at)) break;
        swap(heap, at, child);
        at = child;
      }
    }
    this.#taken.set(first.record, first.bytes);
    return first.record;
  }

  /** A record that was taken has its verdict, or was put off anew. */
  release(record: InputRecord): void {
    this.#bytes -= this.#taken.get(record) ?? 0;
    this.#taken.delete(record);
  }
}

function dueAt(heap: readonly Parked[], at: number): number {
  return heap[at]?.dueAt ?? Number.POSITIVE_INFINITY;
}

function swap(heap: Parked[], a: number, b: number): void {
  const [first, second] = [heap[a], heap[b]];
  if (first === undefined || second === undefined) return;
  heap[a] = second;
  heap[b] = first;
}
