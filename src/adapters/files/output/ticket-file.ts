import { type FileHandle, open, rename, writeFile } from "node:fs/promises";
import { OutputUnwritableError, toError } from "../../../kernel/errors.ts";
import { Ticket } from "../../../messages/ticket.ts";
import type { TicketLog } from "../../../worker/checks/ticket-book.ts";
import { readLines } from "../input/lines.ts";
import { MAX_VERDICT_BYTES } from "./verdict-log.ts";

/** Lines that may be of no more use before the file is written anew; chosen, and at least half of it must be. */
const MAX_SPENT = 1_000;

/** Whether what a ticket is for is still to come. */
type IsOpen = (ticket: Ticket) => boolean;

/** What an earlier run left. */
interface Found {
  /** The last open ticket on each verdict, by its id. */
  readonly tickets: ReadonlyMap<string, Ticket>;
  /** Lines of the file, whatever stands in them. */
  readonly lines: number;
}

/**
 * DIR/tickets.ndjson: one ticket a line, appended; the last one on a verdict counts, until that is written. When a run
 * begins, what has had its day is passed over, and left out of the file when it is most of it.
 */
export class TicketFile implements TicketLog {
  readonly #handle: FileHandle;
  readonly #confirm: () => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();
  /** After a write that failed nothing more is written: the line that it tore must stay the last one. */
  #failure: OutputUnwritableError | undefined;

  private constructor(handle: FileHandle, confirm: () => Promise<void>) {
    this.#handle = handle;
    this.#confirm = confirm;
  }

  /**
   * Opens or resumes. @returns with it the tickets that are still open. @throws {OutputUnwritableError}
   * @param confirm asked before each write. It throws when the file is not ours to write any more.
   */
  static async open(
    path: string,
    isOpen: IsOpen,
    confirm = async () => {},
  ): Promise<{ readonly file: TicketFile; readonly found: Found["tickets"] }> {
    try {
      // Made before it is read.
      await (await open(path, "a")).close();
      const { tickets, lines } = await readOpen(path, isOpen);
      const spent = lines - tickets.size;
      if (spent > MAX_SPENT && spent >= tickets.size) await replace(path, tickets.values(), confirm);
      const handle = await open(path, "a");
      await confirm();
      // A torn last line is nobody's ticket; what is appended must not become a part of it.
      if ((await handle.stat()).size > 0) await handle.appendFile("\n");
      return { file: new TicketFile(handle, confirm), found: tickets };
    } catch (thrown) {
      if (thrown instanceof OutputUnwritableError) throw thrown;
      throw unwritable(path, thrown);
    }
  }

  /** One write at a time: lines never interleave. */
  append(ticket: Ticket): Promise<void> {
    const line = lineOf(ticket);
    const written = this.#last.then(async () => {
      this.#failure ??= await this.#write(line);
      if (this.#failure !== undefined) throw this.#failure;
    });
    this.#last = written.catch(() => undefined);
    return written;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#handle.close();
  }

  async #write(line: string): Promise<OutputUnwritableError | undefined> {
    try {
      await this.#confirm();
      await this.#handle.appendFile(line);
      return undefined;
    } catch (thrown) {
      return thrown instanceof OutputUnwritableError ? thrown : unwritable("tickets.ndjson", thrown);
    }
  }
}

async function readOpen(path: string, isOpen: IsOpen): Promise<Found> {
  const tickets = new Map<string, Ticket>();
  let lines = 0;
  for await (const { bytes } of readLines(path, MAX_VERDICT_BYTES)) {
    lines++;
    const ticket = ticketIn(bytes);
    if (ticket !== undefined && isOpen(ticket)) tickets.set(ticket.verdict_id, ticket);
  }
  return { tickets, lines };
}

/** Puts a file of these in the place of the one that is there: it is whole, and on the disk, before it has that name. */
async function replace(path: string, tickets: Iterable<Ticket>, confirm: () => Promise<void>): Promise<void> {
  const unfinished = `${path}.tmp`;
  await writeFile(unfinished, Iterator.from(tickets).map(lineOf), { flush: true });
  await confirm();
  await rename(unfinished, path);
}

function lineOf(ticket: Ticket): string {
  return `${JSON.stringify(ticket)}\n`;
}

/** What cannot be read was torn by a kill: its event has no verdict and is asked again anyway. */
function ticketIn(bytes: Buffer): Ticket | undefined {
  try {
    const parsed = Ticket.safeParse(JSON.parse(bytes.toString("utf8")));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

function unwritable(path: string, thrown: unknown): OutputUnwritableError {
  const error = toError(thrown);
  return new OutputUnwritableError(`cannot write ${path}: ${error.message}: make room or choose another --out`);
}
