import { fstatSync } from "node:fs";
import { STDIN } from "./input-bytes.ts";
import { isRegularFile } from "./lines.ts";

const STDIN_FD = 0;

/** Lines at the end of a file that may still grow into another row: no record is made of them. */
export interface Unfinished {
  readonly from: number;
  readonly to: number;
  /** Whether they begin a quoted cell that is not closed; otherwise a single line lacks its line end. */
  readonly isQuoted: boolean;
}

/** Whether more may come behind the end. The end of a pipe is final; standard input may be a file, by a redirection. */
export async function mayGrow(path: string): Promise<boolean> {
  return path === STDIN ? stdinIsFile() : isRegularFile(path);
}

/** Whether a line of NDJSON is one JSON object or array. Only its line end can follow it. */
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
    // A standard input that is closed has nothing to read.
    return false;
  }
}
