import { TicketBook } from "../../src/worker/checks/ticket-book.ts";
import type { InputRecord } from "../../src/worker/ports.ts";

/**
 * The times at which canaries failed, and the times at which events were taken up. An event that is taken up after a
 * failed canary must not use an earlier batched answer. Such an answer may come from the cache, a ticket or a verdict.
 * It does not matter which process asked the question or observed the failure.
 */
export class Silences {
  readonly #times: number[] = [];
  readonly #takenUp = new Map<number, number>();

  heard(at: number): void {
    this.#times.push(at);
  }

  /** A line is read, or its ticket brings it back. */
  takenUp(line: number, at: number): void {
    this.#takenUp.set(line, at);
  }

  /** Whether a canary failed after `askedAt` and before a line was taken up. */
  isBetween(askedAt: number, line: number): boolean {
    const takenUp = this.#takenUp.get(line) ?? 0;
    return this.#times.some((at) => askedAt <= at && at < takenUp);
  }
}

/** A ticket book that reports the events it brings back. */
export class WatchedTickets extends TicketBook {
  readonly #onTaken: (line: number) => void;

  constructor(...[log, clock, onTaken]: [...ConstructorParameters<typeof TicketBook>, (line: number) => void]) {
    super(log, clock);
    this.#onTaken = onTaken;
  }

  override take(now: number): InputRecord | undefined {
    const record = super.take(now);
    if (record !== undefined && "line" in record.source) this.#onTaken(record.source.line);
    return record;
  }
}
