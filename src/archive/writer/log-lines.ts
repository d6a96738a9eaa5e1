import type { CutLimits } from "../object.ts";

const LF = 0x0a;

/** Who takes lines in, piece by piece, as bytes with their ends; a piece stands until `add` is done with it. */
interface Taker {
  add(bytes: Uint8Array): void | Promise<void>;
}

/**
 * The lines of a log whose bytes come in chunks. Lines are counted and handed on, never looked into: nothing is made for any
 * one of them.
 */
export class LogLines {
  readonly #chunks: AsyncIterator<Buffer>;
  /** What was read and not taken. */
  #rest: Buffer = Buffer.alloc(0);

  /** @param chunks of whole lines in the end; each stands until the next is asked for. */
  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /**
   * Gives the next lines to `taker`, up to the one that reaches a limit.
   *
   * @returns how many there were; none: the log is at its end.
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

  /** Lets go of the log. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #nextChunk(): Promise<Buffer | undefined> {
    const { done, value } = await this.#chunks.next();
    return done === true ? undefined : value;
  }
}
