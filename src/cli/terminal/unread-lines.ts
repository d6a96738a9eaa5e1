import { countText, quotedName } from "../../kernel/text.ts";
import { directionOf } from "../../messages/unread/name-sense.ts";
import { BARE_DIGITS, IF_ADDRESSES } from "../../messages/unread/stray-address.ts";
import type { UnreadAddress, UnreadAddresses } from "../../messages/unread/unread-addresses.ts";

/** The lines about unread addresses in a report: a line for each column or field, with the remedy. */
export function unreadLines({ fields, beyond }: Pick<UnreadAddresses, "fields" | "beyond">): readonly string[] {
  const lines = fields.map(lineOn);
  return beyond === 0 ? lines : [...lines, `and ${beyond} more in other fields, which are not listed`];
}

function lineOn(field: UnreadAddress): string {
  const { name, kind, events, first, isTelling, mayBeHash } = field;
  const became = isTelling ? `; ${events === 1 ? "that event is" : "those events are"} refused` : "";
  const what = mayBeHash ? `${BARE_DIGITS},` : "addresses";
  return `${kind} ${name} is not read and holds ${what} in ${countText(events, "event")}, first in ${first}${became}: ${remedyFor(field)}`;
}

function remedyFor({ name, kind, mayBeHash, meant }: UnreadAddress): string {
  const direction = kind === "column" ? directionOf(name) : undefined;
  const use = direction === undefined ? `name it ${fieldsFor(meant)}` : explorerUses[direction];
  const leave = kind === "column" ? `--ignore ${quotedName(name)} leaves it out` : "move it into ref to leave it out";
  return `${mayBeHash ? `${IF_ADDRESSES} ` : ""}${use}; ${leave}`;
}

function fieldsFor(meant: UnreadAddress["meant"]): string {
  return meant === "token"
    ? "token_address if it is the contract of the token"
    : "user_addresses if the user knows them, or address if they are to be screened";
}

/** Explorers name both ends of a payment: one is the user's own, and the other is the address to screen. */
const explorerUses = {
  from: "for withdrawals name it user_addresses, and To address; for deposits name it address, and To user_addresses",
  to: "for deposits name it user_addresses, and From address; for withdrawals name it address, and From user_addresses",
} as const;
