import type { LoggedVerdict } from "../../archive/object.ts";
import { InputUnreadableError } from "../../kernel/errors.ts";
import { linesOf } from "./lines.ts";
import { followedBytes, type LogTail } from "./log-tail.ts";

/** Longest line of a verdicts.ndjson. Guessed: the evidence of five checks, each at most MAX_ANSWER_BYTES, and an event. */
export const MAX_VERDICT_BYTES = 64 * 1024 * 1024;

/** The verdicts of a verdicts.ndjson as they are written, with their places in it. @throws what `tail` failed with. */
export async function* followVerdictLog(path: string, tail: LogTail): AsyncGenerator<LoggedVerdict> {
  for await (const lines of linesOf(followedBytes(path, tail), MAX_VERDICT_BYTES)) {
    for (const { number, bytes } of lines) {
      if (bytes.length > MAX_VERDICT_BYTES)
        throw new InputUnreadableError(`${path} line ${number} is too long for a verdict`);
      yield { offset: number - 1, line: bytes };
    }
  }
}
