import type { EventDeduplication } from "../../adapters/files/event-ids/event-deduplication.ts";
import type { Unfinished } from "../../adapters/files/input/unfinished.ts";
import type { VerdictFile } from "../../adapters/files/output/verdict-file.ts";
import { iterateFrom } from "../../kernel/collections.ts";
import { OutputUnwritableError } from "../../kernel/errors.ts";
import { countText } from "../../kernel/text.ts";
import type { Ticket } from "../../messages/ticket.ts";
import type { CheckEntry } from "../../messages/verdict.ts";
import type { TicketBook } from "../../worker/checks/ticket-book.ts";
import { verdictIdOf } from "../../worker/plan/reading/record-identity.ts";
import type { InputRecord } from "../../worker/ports.ts";
import { detachRecord } from "../../worker/screening/detach-record.ts";
import { linesText } from "../terminal/unfinished-text.ts";
import type { Tally } from "./tally.ts";

export interface ResumeDeps {
  readonly verdicts: Pick<VerdictFile, "settled">;
  /** By verdict id, as an earlier run left them. */
  readonly tickets: ReadonlyMap<string, Ticket>;
  /** Where records with a ticket wait for its time. */
  readonly book: Pick<TicketBook, "park">;
  readonly tally: Pick<Tally, "countRecord" | "countRepeated" | "countConflicting" | "waiting">;
  /** Of events that brought an id, as they are met. */
  readonly seen: Pick<EventDeduplication, "add">;
}

/** What the next verdict on a record is to have. */
interface Owed {
  readonly revision: number;
  readonly checks: readonly CheckEntry[];
}

/** Of a record without a verdict. */
const FIRST: Owed = { revision: 0, checks: [] };

/**
 * The records that still need a verdict: those without one, and those whose verdict waits for the service, with the
 * answers that it has: what was found out once is not lost because the service fails now. A record that repeats an event
 * of the same id has its verdict in the first one's.
 *
 * @throws {OutputUnwritableError} when the input is not the one that was screened before: nothing may pass for screened.
 */
export async function* resumableRecords(
  chunks: AsyncIterable<Iterable<InputRecord>>,
  deps: ResumeDeps,
): AsyncGenerator<Iterable<InputRecord>> {
  const search = new UnsettledSearch(deps);
  for await (const records of chunks) yield search.among(records);
  search.end();
}

class UnsettledSearch {
  readonly #deps: ResumeDeps;
  /** Settled lines that are still there. */
  #found = 0;

  constructor(deps: ResumeDeps) {
    this.#deps = deps;
  }

  among(records: Iterable<InputRecord>): Iterable<InputRecord> {
    return iterateFrom(records, (record) => this.#open(record));
  }

  /** The record as it is to be screened now, if it is. */
  #open(record: InputRecord): InputRecord | undefined {
    this.#deps.tally.countRecord();
    const id = verdictIdOf(record);
    record.verdictId = id;
    const owed = this.#owedTo(record, id);
    if (owed === undefined) return undefined;
    const ticket = this.#deps.tickets.get(id);
    // A ticket for a verdict that was given meanwhile has had its day.
    if (ticket?.revision !== owed.revision) return owed === FIRST ? record : openAgain(record, owed);
    this.#deps.book.park(ticket, record);
    return undefined;
  }

  /** @throws {OutputUnwritableError} */
  end(): void {
    const { verdicts, tally } = this.#deps;
    const lost = verdicts.settled.size - this.#found;
    if (lost === 0) return;
    const { waiting } = tally;
    if (waiting !== undefined && this.#hasVerdictWithin(waiting)) throw screenedBefore(waiting);
    throw changed(`no longer in the input, though screened here before: ${countText(lost, "line")}`);
  }

  #hasVerdictWithin({ from, to }: Unfinished): boolean {
    const { settled } = this.#deps.verdicts;
    for (let line = from; line <= to; line++) if (settled.lookUp(line, "") !== "open") return true;
    return false;
  }

  #owedTo(record: InputRecord, id: string): Owed | undefined {
    const { settled } = this.#deps.verdicts;
    const { file, line } = placeOf(record);
    const known = settled.lookUp(line, id);
    const isRepeated = this.#isRepeated(record, id);
    if (known === "other") throw changed(`${file} line ${line} is not what was screened here before`);
    if (known === "settled") {
      this.#found++;
      return settled.owed(line);
    }
    if (!isRepeated) return FIRST;
    this.#deps.tally.countRepeated();
    return undefined;
  }

  /** Without an id of its own an event is known by its line, which no other has. */
  #isRepeated({ event }: InputRecord, id: string): boolean {
    if (!event.ok || event.value.id === undefined) return false;
    const sight = this.#deps.seen.add(event.value.tenant ?? "", event.value.id, id);
    // The producer's key for one event was given to two: both are screened, and somebody should know.
    if (sight === "conflicting") this.#deps.tally.countConflicting();
    return sight === "repeated";
  }
}

function openAgain(record: InputRecord, { revision, checks }: Owed): InputRecord {
  const whole = { ...detachRecord(record), revision };
  return checks.length === 0 ? whole : { ...whole, ticket: { checks } };
}

function placeOf({ source }: InputRecord): { readonly file: string; readonly line: number } {
  if ("line" in source) return source;
  throw new Error("a record of a file has a line");
}

function screenedBefore(lines: Unfinished): OutputUnwritableError {
  return new OutputUnwritableError(
    `the end of the input was screened here before and may still grow (${linesText(lines)}): give --finished if nothing more comes, or choose another --out`,
  );
}

function changed(what: string): OutputUnwritableError {
  return new OutputUnwritableError(`${what} (another file, or other flags): choose another --out`);
}
