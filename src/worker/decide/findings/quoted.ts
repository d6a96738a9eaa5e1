import { singleLine } from "../../../kernel/text.ts";

const MAX_LENGTH = 80;

/**
 * Text of the service, made safe for a reason. Characters that could control the display are replaced. The text is cut
 * after 80 characters by default. A service may be hostile, or repeat text from a chain.
 */
export function quoted(text: string, maxLength = MAX_LENGTH): string {
  const characters = [...singleLine(text.slice(0, 4 * maxLength))];
  return characters.length <= maxLength ? characters.join("") : `${characters.slice(0, maxLength - 1).join("")}…`;
}
