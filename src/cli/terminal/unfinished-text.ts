import type { Unfinished } from "../../adapters/files/input/unfinished.ts";

/**
 * The text of a summary about lines that are left out at the end of a file. @param done the action of the command, such
 * as screened.
 */
export function unfinishedText(lines: Unfinished, done: string): string {
  const isOne = lines.from === lines.to;
  const why = lines.isQuoted
    ? `${isOne ? "is" : "are"} a row that is not complete (a quote in it opens a cell over several lines)`
    : "has no line end and may still grow";
  const what = `${isOne ? "it was" : "they were"} not ${done}`;
  return `${linesText(lines)} ${why}; ${what}. Run again when the file has grown, or with --finished when nothing more comes`;
}

/** The part of a progress line about lines that are left out. */
export function waitingPart(lines: Unfinished): string {
  return `${linesText(lines)} ${lines.from === lines.to ? "waits" : "wait"}`;
}

export function linesText({ from, to }: Unfinished): string {
  return from === to ? `line ${from}` : `lines ${from} to ${to}`;
}
