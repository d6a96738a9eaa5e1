import { fstatSync } from "node:fs";
import { STDIN } from "./input-bytes.ts";
import { isRegularFile } from "./lines.ts";

const STDIN_FD = 0;

/** Lines at the end of a file that may still grow into another row. They make no record. */
export interface Unfinished {
  readonly from: number;
  readonly to: number;
  /** Whether the lines begin a quoted cell that is not closed. Otherwise a single line lacks its line end. */
  readonly isQuoted: boolean;
}

/** Whether the input may still grow. The end of a pipe is final; standard input may be a file, by a redirection. */
export async function mayGrow(path: string): Promise<boolean> {
  return path === STDIN ? stdinIsFile() : isRegularFile(path);
}

/** Whether a line of NDJSON is one JSON object or array. Nothing but a line end can follow such a line. */
export function isWholeJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

function stdinIsFile(): boolean {
  try {
    return fstatSync(STDIN_FD).isFile();
  } catch {
    // A closed standard input has no content.
    return false;
  }
}
