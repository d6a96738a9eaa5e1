import { singleLine } from "../../kernel/text.ts";

/** Longest text that is shown, characters. */
const MAX_SHOWN = 400;

/** Text of an event for one line. Such text may try to control the terminal (CWE-150). */
export function printable(text: string): string {
  return clipped(singleLine(text));
}

/** Cuts the text, after a whole word where there is one, and marks the cut. */
function clipped(text: string): string {
  if (text.length <= MAX_SHOWN) return text;
  const start = text.slice(0, MAX_SHOWN);
  const lastSpace = start.lastIndexOf(" ");
  return `${lastSpace > 0 ? start.slice(0, lastSpace) : start} …`;
}
