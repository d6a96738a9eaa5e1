import { singleLine } from "../../../kernel/single-line.ts";

const MAX_LENGTH = 80;

/**
 * Text of the service as a reason may quote it: each character that could steer what shows it is replaced, and the rest
 * is cut, at 80 characters where nobody says otherwise. A service may be hostile, or repeat what stands on a chain.
 */
export function quoted(text: string, maxLength = MAX_LENGTH): string {
  const characters = [...singleLine(text.slice(0, 4 * maxLength))];
  return characters.length <= maxLength ? characters.join("") : `${characters.slice(0, maxLength - 1).join("")}…`;
}
