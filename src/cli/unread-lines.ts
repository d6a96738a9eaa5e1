import { BARE_DIGITS, IF_ADDRESSES } from "../events/stray-address.ts";
import type { UnreadAddress, UnreadAddresses } from "../events/unread-addresses.ts";
import { counted } from "../kernel/counted.ts";

/** What a report says of addresses that were not read: a line for each column or field, with what to do. */
export function unreadLines({ fields, beyond }: Pick<UnreadAddresses, "fields" | "beyond">): readonly string[] {
  const lines = fields.map(lineOn);
  return beyond === 0 ? lines : [...lines, `and ${beyond} more in other fields, which are not listed`];
}

function lineOn(field: UnreadAddress): string {
  const { name, kind, events, first, isTelling, mayBeHash } = field;
  const became = isTelling ? `; ${events === 1 ? "that event is" : "those events are"} refused` : "";
  const what = mayBeHash ? `${BARE_DIGITS},` : "addresses";
  return `${kind} ${name} is not read and holds ${what} in ${counted(events, "event")}, first in ${first}${became}: ${remedyFor(field)}`;
}

function remedyFor({ name, kind, mayBeHash, meant }: UnreadAddress): string {
  const call = mayBeHash ? `${IF_ADDRESSES} name it` : "name it";
  const field =
    meant === "token"
      ? "token_address if it is the contract of the token"
      : "user_addresses if the user knows them, or address if they are to be screened";
  return kind === "column"
    ? `${call} ${field}; --ignore ${quoted(name)} leaves it out`
    : `${call} ${field}; move it into ref to leave it out`;
}

/** As a shell takes it for one word. */
function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
