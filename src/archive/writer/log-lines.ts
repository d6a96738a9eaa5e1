import type { CutLimits } from "../object.ts";

const LF = 0x0a;

/** Receives lines in pieces, as bytes with their ends. A piece is valid until `add` resolves. */
interface Taker {
  add(bytes: Uint8Array): void | Promise<void>;
}

/**
 * The lines of a log that arrives in chunks. Lines are counted and passed on without parsing, so nothing is allocated
 * per line.
 */
export class LogLines {
  readonly #chunks: AsyncIterator<Buffer>;
  /** Bytes that were read but not taken. */
  #rest: Buffer = Buffer.alloc(0);

  /** @param chunks of lines that are whole in the end. Each chunk is valid until the next one is requested. */
  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /**
   * Passes the next lines to `taker`, up to the line that reaches a limit.
   *
   * @returns the number of lines. 0 at the end of the log.
   */
  async take(limits: CutLimits, taker: Taker): Promise<number> {
    let lines = 0;
    let bytes = 0;
    let isWhole = true;
    while (!isWhole || (lines < limits.verdicts && bytes < limits.bytes)) {
      const chunk = this.#rest.length > 0 ? this.#rest : await this.#nextChunk();
      if (chunk === undefined) break;
      let until = 0;
      do {
        const end = chunk.indexOf(LF, until);
        isWhole = end !== -1;
        until = isWhole ? end + 1 : chunk.length;
        if (isWhole) lines++;
      } while (until < chunk.length && lines < limits.verdicts && bytes + until < limits.bytes);
      await taker.add(chunk.subarray(0, until));
      bytes += until;
      this.#rest = chunk.subarray(until);
    }
    if (!isWhole) throw new Error("the log ends within a line");
    return lines;
  }

  /** Releases the log. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #nextChunk(): Promise<Buffer | undefined> {
    const { done, value } = await this.#chunks.next();
    return done === true ? undefined : value;
  }
}
