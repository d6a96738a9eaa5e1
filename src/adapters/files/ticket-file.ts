import { type FileHandle, open } from "node:fs/promises";
import { Ticket } from "../../events/ticket.ts";
import { OutputUnwritableError, toError } from "../../kernel/errors.ts";
import type { TicketLog } from "../../worker/poll/ticket-book.ts";
import { readLines } from "./lines.ts";
import { MAX_VERDICT_BYTES } from "./verdict-log.ts";

/** DIR/tickets.ndjson: one ticket a line, appended; the last one on a verdict counts. */
export class TicketFile implements TicketLog {
  readonly #handle: FileHandle;
  readonly #confirm: () => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(handle: FileHandle, confirm: () => Promise<void>) {
    this.#handle = handle;
    this.#confirm = confirm;
  }

  /**
   * Opens or resumes. @returns with it the last ticket on each verdict, by its id. @throws {OutputUnwritableError}
   * @param confirm asked before each write. It throws when the file is not ours to write any more.
   */
  static async open(
    path: string,
    confirm = async () => {},
  ): Promise<{ readonly file: TicketFile; readonly found: ReadonlyMap<string, Ticket> }> {
    try {
      const handle = await open(path, "a+");
      const found = new Map<string, Ticket>();
      for await (const { bytes } of readLines(path, MAX_VERDICT_BYTES)) {
        const ticket = ticketIn(bytes);
        if (ticket !== undefined) found.set(ticket.verdict_id, ticket);
      }
      // A torn last line is nobody's ticket; what is appended must not become a part of it.
      await confirm();
      if ((await handle.stat()).size > 0) await handle.appendFile("\n");
      return { file: new TicketFile(handle, confirm), found };
    } catch (thrown) {
      if (thrown instanceof OutputUnwritableError) throw thrown;
      throw unwritable(path, thrown);
    }
  }

  /** One write at a time: lines never interleave. */
  append(ticket: Ticket): Promise<void> {
    const line = `${JSON.stringify(ticket)}\n`;
    const written = this.#last.then(async () => {
      try {
        await this.#confirm();
        await this.#handle.appendFile(line);
      } catch (thrown) {
        if (thrown instanceof OutputUnwritableError) throw thrown;
        throw unwritable("tickets.ndjson", thrown);
      }
    });
    this.#last = written.catch(() => undefined);
    return written;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#handle.close();
  }
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
