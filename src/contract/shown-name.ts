/** Longest name that a message repeats, characters. Ours have at most 14; more than this is no name. */
const MAX_SHOWN = 60;

/**
 * A name that somebody else chose, fit for a message of one line: what could steer a terminal or turn the text around
 * (control and format characters, line and paragraph separators) is replaced, and what is too long is clipped.
 */
export function shownName(name: string): string {
  const start = name.slice(0, MAX_SHOWN).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "\uFFFD");
  return name.length > MAX_SHOWN ? `${start}...` : start;
}
