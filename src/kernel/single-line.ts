const steering = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Text that somebody else chose, fit for one line of a terminal or a log (CWE-150): controls, format characters, line and
 * paragraph separators and halves of pairs, which steer what shows them or turn a line around, are replaced by U+FFFD.
 */
export function singleLine(text: string): string {
  return text.replace(steering, "\uFFFD");
}
