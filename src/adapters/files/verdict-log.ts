import type { LoggedVerdict } from "../../archive/object.ts";
import { InputUnreadableError } from "../../kernel/errors.ts";
import { type Line, lineChunks, linesOf } from "./lines.ts";
import { followedBytes, type LogTail } from "./log-tail.ts";

/** Longest line of a verdicts.ndjson. Guessed: the evidence of five checks, each at most MAX_ANSWER_BYTES, and an event. */
export const MAX_VERDICT_BYTES = 64 * 1024 * 1024;

/** What the archive of a verdicts.ndjson calls it. */
export const VERDICT_LOG = { topic: "verdicts", partition: 0 } as const;

/** The verdicts of a verdicts.ndjson, with their places in it. */
export function readVerdictLog(path: string): AsyncGenerator<LoggedVerdict> {
  return verdictsOf(path, lineChunks(path, MAX_VERDICT_BYTES));
}

/** The same of one that is being written, as they come. @throws what `tail` failed with. */
export function followVerdictLog(path: string, tail: LogTail): AsyncGenerator<LoggedVerdict> {
  return verdictsOf(path, linesOf(followedBytes(path, tail), MAX_VERDICT_BYTES));
}

async function* verdictsOf(path: string, chunks: AsyncIterable<Iterable<Line>>): AsyncGenerator<LoggedVerdict> {
  for await (const lines of chunks) {
    for (const { number, bytes } of lines) {
      if (bytes.length > MAX_VERDICT_BYTES)
        throw new InputUnreadableError(`${path} line ${number} is too long for a verdict`);
      yield { offset: number - 1, line: bytes };
    }
  }
}
