import { RecentIds } from "../adapters/files/recent-ids.ts";
import type { VerdictFile } from "../adapters/files/verdict-file.ts";
import type { Ticket } from "../events/ticket.ts";
import type { CheckEntry } from "../events/verdict.ts";
import { counted } from "../kernel/counted.ts";
import { OutputUnwritableError } from "../kernel/errors.ts";
import { sha256 } from "../kernel/sha256.ts";
import type { TicketBook } from "../worker/poll/ticket-book.ts";
import type { InputRecord } from "../worker/ports.ts";
import { verdictIdOf } from "../worker/record-identity.ts";
import type { Tally } from "./tally.ts";

export interface UnsettledDeps {
  readonly verdicts: Pick<VerdictFile, "settled">;
  /** By verdict id, as an earlier run left them. */
  readonly tickets: ReadonlyMap<string, Ticket>;
  /** Where records with a ticket wait for its time. */
  readonly book: Pick<TicketBook, "park">;
  readonly tally: Pick<Tally, "countRecord" | "countRepeated" | "countConflicting">;
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
 * of the same id has its verdict in the first one's. Those of one chunk together: each is to be read before the next are
 * asked for.
 *
 * @throws {OutputUnwritableError} when the input is not the one that was screened before: nothing may pass for screened.
 */
export async function* unsettled(
  chunks: AsyncIterable<Iterable<InputRecord>>,
  { verdicts, tickets, book, tally }: UnsettledDeps,
): AsyncGenerator<Iterable<InputRecord>> {
  const { settled } = verdicts;
  const ids = new RecentIds();
  const names = new RecentIds();
  let found = 0;
  const openIn = function* (records: Iterable<InputRecord>): Generator<InputRecord> {
    for (const record of records) {
      tally.countRecord();
      const { file, line } = placeOf(record);
      const id = verdictIdOf(record);
      const known = settled.lines.lookUp(line, id);
      // Without an id of its own an event is known by its line, which no other has.
      const name = ownId(record);
      const isRepeated = name !== undefined && !ids.add(id);
      // The producer's key for one event was given to two: both are screened, and somebody should know.
      if (name !== undefined && !names.add(name) && !isRepeated) tally.countConflicting();
      if (known === "other") throw changed(`${file} line ${line} is not what was screened here before`);
      if (known === "settled") found++;
      const next = known === "settled" ? settled.again.get(line) : FIRST;
      if (known === "open" && isRepeated) tally.countRepeated();
      else if (next !== undefined) {
        const { revision } = next;
        const ticket = tickets.get(id);
        // A ticket for a verdict that was given meanwhile has had its day.
        if (ticket?.revision === revision) book.park(ticket, record);
        else yield openRecord(record, next, id);
      }
    }
  };
  for await (const records of chunks) yield openIn(records);
  const lost = settled.lines.size - found;
  if (lost > 0) throw changed(`no longer in the input, though screened here before: ${counted(lost, "line")}`);
}

function openRecord(record: InputRecord, { revision, checks }: Owed, verdictId: string): InputRecord {
  if (checks.length === 0) return { ...record, revision, verdictId };
  return { ...record, revision, verdictId, ticket: { checks } };
}

function placeOf({ source }: InputRecord): { readonly file: string; readonly line: number } {
  if ("line" in source) return source;
  throw new Error("a record of a file has a line");
}

/** Of the tenant and the id that the event brings; undefined without one. */
function ownId({ event }: InputRecord): string | undefined {
  if (!event.ok || event.value.id === undefined) return undefined;
  return sha256(JSON.stringify([event.value.tenant ?? "", event.value.id]));
}

function changed(what: string): OutputUnwritableError {
  return new OutputUnwritableError(`${what} (another file, or other flags): choose another --out`);
}
