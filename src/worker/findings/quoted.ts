const MAX_LENGTH = 80;

/** What may steer a terminal or turn a line around (CWE-150): controls, format characters, line ends, halves of pairs. */
const steering = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Text of the service as a reason may quote it: each character that could steer what shows it is replaced, and the rest
 * is cut at 80 characters. A service may be hostile, or repeat what somebody put on a chain.
 */
export function quoted(text: string): string {
  const characters = [...text.slice(0, 4 * MAX_LENGTH).replace(steering, "\uFFFD")];
  return characters.length <= MAX_LENGTH ? characters.join("") : `${characters.slice(0, MAX_LENGTH - 1).join("")}…`;
}
