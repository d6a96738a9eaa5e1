import type { LoggedVerdict } from "../../archive/object.ts";
import { readLines } from "./lines.ts";

const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** The verdicts of a verdicts.ndjson, with their places in it. */
export async function* readVerdictLog(path: string): AsyncGenerator<LoggedVerdict> {
  for await (const { number, bytes } of readLines(path, MAX_LINE_BYTES)) yield { offset: number - 1, line: bytes };
}
