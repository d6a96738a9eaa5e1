import { type FileHandle, open, rename, writeFile } from "node:fs/promises";
import { OutputUnwritableError, toError } from "../../../kernel/errors.ts";
import { Ticket } from "../../../messages/ticket.ts";
import type { TicketLog } from "../../../worker/checks/ticket-book.ts";
import { readLines } from "../input/lines.ts";
import { MAX_VERDICT_BYTES } from "./verdict-log.ts";

/** Most useless lines before the file is rewritten. Chosen. At least half of the file must be useless, too. */
const MAX_SPENT = 1_000;

/** Whether the verdict that a ticket asks for is still missing. */
type IsOpen = (ticket: Ticket) => boolean;

/** The tickets of an earlier run. */
interface Found {
  /** The last open ticket of each verdict, by verdict id. */
  readonly tickets: ReadonlyMap<string, Ticket>;
  /** All lines of the file, readable or not. */
  readonly lines: number;
}

/**
 * DIR/tickets.ndjson: one ticket a line, appended. The last ticket of a verdict counts until that verdict is written. A
 * new run ignores obsolete tickets, and rewrites the file without them when they are most of it.
 */
export class TicketFile implements TicketLog {
  readonly #handle: FileHandle;
  readonly #confirm: () => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();
  /** After a failed write nothing more is written: the torn line must stay the last one. */
  #failure: OutputUnwritableError | undefined;

  private constructor(handle: FileHandle, confirm: () => Promise<void>) {
    this.#handle = handle;
    this.#confirm = confirm;
  }

  /**
   * Opens a new or an existing file. @returns the file and its open tickets. @throws {OutputUnwritableError}
   * @param confirm called before each write. It throws when this process may not write the file any more.
   */
  static async open(
    path: string,
    isOpen: IsOpen,
    confirm = async () => {},
  ): Promise<{ readonly file: TicketFile; readonly found: Found["tickets"] }> {
    try {
      // The file is created before it is read.
      await (await open(path, "a")).close();
      const { tickets, lines } = await readOpen(path, isOpen);
      const spent = lines - tickets.size;
      if (spent > MAX_SPENT && spent >= tickets.size) await replace(path, tickets.values(), confirm);
      const handle = await open(path, "a");
      await confirm();
      // A torn last line is no ticket. The appended text must not become a part of it.
      if ((await handle.stat()).size > 0) await handle.appendFile("\n");
      return { file: new TicketFile(handle, confirm), found: tickets };
    } catch (thrown) {
      if (thrown instanceof OutputUnwritableError) throw thrown;
      throw unwritable(path, thrown);
    }
  }

  /** One write at a time, so lines never interleave. */
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

/** Replaces the file by one with these tickets. The new file is complete and on the disk before it gets the name. */
async function replace(path: string, tickets: Iterable<Ticket>, confirm: () => Promise<void>): Promise<void> {
  const unfinished = `${path}.tmp`;
  await writeFile(unfinished, Iterator.from(tickets).map(lineOf), { flush: true });
  await confirm();
  await rename(unfinished, path);
}

function lineOf(ticket: Ticket): string {
  return `${JSON.stringify(ticket)}\n`;
}

/** A kill tore a line that cannot be read. Its event has no verdict and is screened again anyway. */
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
