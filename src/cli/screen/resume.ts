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
  /** The tickets of an earlier run, by verdict id. */
  readonly tickets: ReadonlyMap<string, Ticket>;
  /** The book in which records with a ticket wait for their time. */
  readonly book: Pick<TicketBook, "park">;
  readonly tally: Pick<Tally, "countRecord" | "countRepeated" | "countConflicting" | "waiting">;
  /** The events with an id, in the order of the input. */
  readonly seen: Pick<EventDeduplication, "add">;
}

/** The revision and the answers of the next verdict on a record. */
interface Owed {
  readonly revision: number;
  readonly checks: readonly CheckEntry[];
}

/** The state of a record without a verdict. */
const FIRST: Owed = { revision: 0, checks: [] };

/**
 * The records that still need a verdict: those without one, and those with an answer of the service missing. The second
 * kind keeps its present answers, so a present failure of the service loses none. A record that repeats an event with
 * the same id has its verdict in the first one's.
 *
 * @throws {OutputUnwritableError} when the input differs from the one of the earlier run. Otherwise unscreened lines
 * would count as screened.
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

  /** The record in the form to screen now; undefined when it needs no verdict. */
  #open(record: InputRecord): InputRecord | undefined {
    this.#deps.tally.countRecord();
    const id = verdictIdOf(record);
    record.verdictId = id;
    const owed = this.#owedTo(record, id);
    if (owed === undefined) return undefined;
    const ticket = this.#deps.tickets.get(id);
    // A ticket for a verdict that was written since is obsolete.
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

  /** An event without an id is identified by its line, which is unique. */
  #isRepeated({ event }: InputRecord, id: string): boolean {
    if (!event.ok || event.value.id === undefined) return false;
    const sight = this.#deps.seen.add(event.value.tenant ?? "", event.value.id, id);
    // The producer gave one id to two different events. Both are screened, and the summary reports it.
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
