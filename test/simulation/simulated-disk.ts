import { SettledLines } from "../../src/adapters/files/output/settled-lines.ts";
import { OutputUnwritableError } from "../../src/kernel/errors.ts";
import type { Ticket } from "../../src/messages/ticket.ts";
import type { Verdict } from "../../src/messages/verdict.ts";
import type { TicketLog } from "../../src/worker/checks/ticket-book.ts";
import type { VerdictSink } from "../../src/worker/ports.ts";
import type { Dice } from "./scenario.ts";
import type { Life } from "./virtual-clock.ts";

/** Called for each line when it becomes durable, before the worker learns it. */
export interface DiskReader {
  verdict(verdict: Verdict): void;
  ticket(ticket: Ticket): void;
}

interface Appending {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** The longest duration of an append, milliseconds. */
const APPEND_MS = 20;

/**
 * One file of one process. As in the real files, appends run one after the other, and none follows a failed one. Each
 * append takes everything that waits, like the real file of verdicts. Real tickets are appended one by one.
 */
class Appender {
  readonly #life: Life;
  readonly #dice: Dice;
  readonly #fails: number;
  readonly #keep: (line: string) => void;
  #waiting: Appending[] = [];
  #writing: Appending[] = [];
  #failure: OutputUnwritableError | undefined;

  constructor(life: Life, dice: Dice, fails: number, keep: (line: string) => void) {
    this.#life = life;
    this.#dice = dice;
    this.#fails = fails;
    this.#keep = keep;
    // When the process dies, the pending lines are kept up to a random line, and the others are lost.
    life.onDeath(() => this.#keepSome());
  }

  append(line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.#life.step()) return;
      this.#waiting.push({ line, resolve, reject });
      if (this.#writing.length === 0) this.#write();
    });
  }

  #write(): void {
    this.#writing = this.#waiting;
    this.#waiting = [];
    if (this.#writing.length === 0) return;
    this.#life.after(this.#dice.between(0, APPEND_MS), () => {
      if (this.#failure === undefined && this.#dice.chance(this.#fails)) {
        this.#failure = new OutputUnwritableError("no space left on the simulated disk");
        this.#keepSome();
      }
      const written = this.#writing;
      this.#writing = [];
      for (const { line, resolve, reject } of written) {
        if (this.#failure === undefined) {
          this.#keep(line);
          resolve();
        } else reject(this.#failure);
      }
      this.#write();
    });
  }

  #keepSome(): void {
    const kept = this.#dice.int(0, this.#writing.length);
    for (const { line } of this.#writing.slice(0, kept)) this.#keep(line);
  }
}

/** verdicts.ndjson and tickets.ndjson. Only their contents outlive a process. */
export class SimulatedDisk {
  readonly #dice: Dice;
  readonly #fails: number;
  readonly #reader: DiskReader;
  readonly #verdicts: Verdict[] = [];
  #tickets: string[] = [];
  /** The contents of the verdicts at the last read. */
  #settled = { lines: new SettledLines(), verdicts: 0 };
  isHealed = false;

  constructor(dice: Dice, fails: number, reader: DiskReader) {
    this.#dice = dice;
    this.#fails = fails;
    this.#reader = reader;
  }

  open(life: Life): { readonly sink: VerdictSink; readonly ticketLog: TicketLog } {
    const fails = this.isHealed ? 0 : this.#fails;
    const verdicts = new Appender(life, this.#dice, fails, (line) => {
      const verdict: Verdict = JSON.parse(line);
      this.#verdicts.push(verdict);
      this.#reader.verdict(verdict);
    });
    const tickets = new Appender(life, this.#dice, fails, (line) => {
      this.#tickets.push(line);
      this.#reader.ticket(JSON.parse(line));
    });
    return {
      sink: { write: (verdict) => verdicts.append(JSON.stringify(verdict)) },
      ticketLog: { append: (ticket) => tickets.append(JSON.stringify(ticket)) },
    };
  }

  /** The settled lines, as `VerdictFile` reads them. */
  settled(): SettledLines {
    // An earlier reader keeps its result.
    if (this.#settled.verdicts < this.#verdicts.length) {
      const lines = new SettledLines();
      for (const verdict of this.#verdicts) lines.add("line" in verdict.source ? verdict.source.line : 0, verdict, 0);
      this.#settled = { lines, verdicts: this.#verdicts.length };
    }
    return this.#settled.lines;
  }

  /** The last open ticket on each verdict, as `TicketFile` reads it. Expired tickets are left out. */
  tickets(): ReadonlyMap<string, Ticket> {
    const settled = this.settled();
    const open = new Map<string, Ticket>();
    this.#tickets = this.#tickets.filter((line) => {
      const ticket: Ticket = JSON.parse(line);
      const isOpen = settled.awaits(ticket);
      if (isOpen) open.set(ticket.verdict_id, ticket);
      return isOpen;
    });
    return open;
  }
}
