import { shortName } from "../../api/requests/short-name.ts";
import { countText, singleLine } from "../../kernel/text.ts";
import type { ListInUse } from "../../labels/address-book.ts";

/**
 * The line of a list in a report. It has the count and the first reason of refused rows, and the names of unread
 * columns.
 */
export function listLine({ name, date, entries, refused, unread }: ListInUse): string {
  const size = entries === 1 ? "1 entry" : `${entries} entries`;
  const [first] = refused;
  const lost =
    first === undefined
      ? ""
      : `; ${countText(refused.length, "row")} refused, first line ${first.line}: ${singleLine(first.detail)}`;
  const passed = unread.length === 0 ? "" : `; not read: ${shortName(unread.join(", "))}`;
  return `list      ${shortName(name)} of ${date} (${size}${lost}${passed})`;
}
