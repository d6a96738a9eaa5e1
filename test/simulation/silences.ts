import { TicketBook } from "../../src/worker/checks/ticket-book.ts";
import type { InputRecord } from "../../src/worker/ports.ts";

/**
 * When canaries fell silent, and who was taken up when. Whoever is taken up after a silence passes by nothing that was asked
 * among strangers before it, neither by what is remembered nor by what a ticket or a verdict brings, whichever process asked
 * it and whichever heard the silence.
 */
export class Silences {
  readonly #times: number[] = [];
  readonly #takenUp = new Map<number, number>();

  heard(at: number): void {
    this.#times.push(at);
  }

  /** A line is read, or brought back by its ticket. */
  takenUp(line: number, at: number): void {
    this.#takenUp.set(line, at);
  }

  /** Whether a canary fell silent after that was asked, and before a line was taken up. */
  isBetween(askedAt: number, line: number): boolean {
    const takenUp = this.#takenUp.get(line) ?? 0;
    return this.#times.some((at) => askedAt <= at && at < takenUp);
  }
}

/** A book of tickets that says whom it brings back. */
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
