import { shortName } from "../../api/requests/short-name.ts";
import { countText, singleLine } from "../../kernel/text.ts";
import type { ListInUse } from "../../labels/address-book.ts";

/**
 * What a report says of a list that events are held against. Of refused rows it tells count and first reason, of columns
 * that are not read their names.
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
