const steering = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Makes untrusted text safe for one line of a terminal or a log (CWE-150). Controls, format characters, line and
 * paragraph separators and unpaired surrogates are replaced by U+FFFD. Such characters control the display or reverse a
 * line.
 */
export function singleLine(text: string): string {
  return text.replace(steering, "\uFFFD");
}
