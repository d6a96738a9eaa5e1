import { singleLine } from "../../kernel/single-line.ts";

/** Longest name that a message repeats, characters. Ours have at most 14; more than this is no name. */
const MAX_SHOWN = 60;

/**
 * A name that somebody else chose, fit for a message of one line: steers nothing, and is clipped when it is too long.
 */
export function shortName(name: string): string {
  const start = singleLine(name.slice(0, MAX_SHOWN));
  return name.length > MAX_SHOWN ? `${start}...` : start;
}
