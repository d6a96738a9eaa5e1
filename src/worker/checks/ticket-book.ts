import type { Clock } from "../../kernel/clock.ts";
import type { Ticket } from "../../messages/ticket.ts";
import { answerBytes, recordBytes } from "../answers/retained-bytes.ts";
import type { InputRecord, TicketSink } from "../ports.ts";
import { detachRecord } from "../screening/detach-record.ts";

/** Stores tickets so that they survive the process. */
export interface TicketLog {
  /**
   * Resolves once the ticket is durable.
   *
   * @throws {OutputUnwritableError}
   */
  append(ticket: Ticket): Promise<void>;
}

/**
 * Limits of the records that are put off, and of the bytes that they and their answers hold. At either limit no new
 * records are read.
 */
const MAX_RECORDS = 10_000;
const MAX_BYTES = 64 * 2 ** 20;

interface Parked {
  /** Milliseconds of `ticks`, because a change of the wall clock must not delay the record. */
  readonly dueAt: number;
  readonly record: InputRecord;
  /** Memory of the record, bytes. Counted once, because counting traverses all answers. */
  readonly bytes: number;
}

/**
 * The records that wait for their time: a heap ordered by due time, over a log that outlives the process. A record that
 * was taken stays in memory until it is released.
 */
export class TicketBook implements TicketSink {
  readonly comesFirst = false;
  readonly #log: TicketLog;
  readonly #clock: Pick<Clock, "now" | "ticks">;
  readonly #heap: Parked[] = [];
  /** Records that were taken and not released, with the bytes of each. */
  readonly #taken = new Map<InputRecord, number>();
  /** Bytes of all waiting records and all taken records. */
  #bytes = 0;

  constructor(log: TicketLog, clock: Pick<Clock, "now" | "ticks">) {
    this.#log = log;
    this.#clock = clock;
  }

  get size(): number {
    return this.#heap.length;
  }

  /** Whether no new records should be read, because they might be put off as well. */
  get isFull(): boolean {
    return this.#heap.length + this.#taken.size >= MAX_RECORDS || this.#bytes >= MAX_BYTES;
  }

  /** When the next record is due, milliseconds of `ticks`. */
  get nextDueAt(): number | undefined {
    return this.#heap[0]?.dueAt;
  }

  async put(ticket: Ticket, record: InputRecord): Promise<void> {
    const dueAt = this.#clock.ticks() + ticket.due_at - this.#clock.now();
    await this.#log.append(ticket);
    this.#add(ticket, record, dueAt);
  }

  /**
   * Adds a ticket that is already durable, as a new process finds it. A clock that was set back would delay the record.
   * So the wait counts at most from when the record was first seen.
   */
  park(ticket: Ticket, record: InputRecord): void {
    const waitMs = ticket.due_at - Math.max(this.#clock.now(), ticket.first_seen_at);
    this.#add(ticket, record, this.#clock.ticks() + waitMs);
  }

  #add(ticket: Ticket, record: InputRecord, due: number): void {
    const heap = this.#heap;
    const parked = { ...detachRecord(record), revision: ticket.revision, ticket };
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

  /** The next record that is due at `now`, milliseconds of `ticks`. */
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

  /** A record that was taken has its verdict, or was put off again. */
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
