import type { LoggedVerdict } from "../../../archive/object.ts";
import { InputUnreadableError } from "../../../kernel/errors.ts";
import { lineChunks } from "../input/lines.ts";

/**
 * Longest line of a verdicts.ndjson. Guessed: the evidence of five checks, each at most MAX_ANSWER_BYTES, and an event.
 */
export const MAX_VERDICT_BYTES = 64 * 1024 * 1024;

/** The topic and partition of a verdicts.ndjson in its archive. */
export const VERDICT_LOG = { topic: "verdicts", partition: 0 } as const;

/** The verdicts of a verdicts.ndjson, with their positions in the file. */
export async function* readVerdictLog(path: string): AsyncGenerator<LoggedVerdict> {
  for await (const lines of lineChunks(path, MAX_VERDICT_BYTES)) {
    for (const { number, bytes } of lines) {
      if (bytes.length > MAX_VERDICT_BYTES)
        throw new InputUnreadableError(`${path} line ${number} is too long for a verdict`);
      yield { offset: number - 1, line: bytes };
    }
  }
}
