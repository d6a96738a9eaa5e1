import { singleLine } from "../../kernel/text.ts";

/** The longest name that a message repeats, characters. Names of Weir have at most 14; a longer text is no name. */
const MAX_SHOWN = 60;

/**
 * An untrusted name, made safe for a message of one line: control characters are replaced, and a long name is clipped.
 */
export function shortName(name: string): string {
  const start = singleLine(name.slice(0, MAX_SHOWN));
  return name.length > MAX_SHOWN ? `${start}...` : start;
}
