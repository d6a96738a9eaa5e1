import { fail, ok, type Result } from "../../kernel/result.ts";
import type { ScreeningEvent } from "../event.ts";
import { readEventParts } from "../parse-event.ts";
import type { OnStrays } from "../unread/stray-address.ts";
import { comparablePayees } from "./comparable-payees.ts";
import type { MappedRow } from "./compile-mapping.ts";
import { canonicalOf, type OwnWallets, type PaidBefore, statedCounterparty } from "./own-wallets.ts";

/** The owner's view on the rows of a file. */
export interface WalletView {
  readonly wallets: OwnWallets;
  readonly paid: PaidBefore & { hasTime(line: number): boolean };
}

/**
 * The event of a mapped row.
 *
 * @param rest what the mapping neither reads nor ignores. An address in it under a telling name refuses the event.
 */
export function mappedEvent(
  row: MappedRow,
  rest: object,
  {
    line,
    view,
    onStrays,
  }: { readonly line: number; readonly view?: WalletView | undefined; readonly onStrays?: OnStrays },
): Result<ScreeningEvent> {
  const values = row.ends === undefined ? ok(row.values) : withCounterparty(row, line, view);
  if (!values.ok) return values;
  const required = values.value["type"] === "transaction" ? ["chain_id", "transaction"] : ["chain_id", "address"];
  const missing = required.filter((field) => values.value[field] === undefined);
  // Every gap is reported at once.
  if (missing.length > 0) return fail(`the mapping finds no value for ${missing.join(" and ")}`);
  return readEventParts(values.value, rest, onStrays);
}

/** Own addresses and payees are what the user knows. Money that goes out is checked as a payment too. */
function withCounterparty(
  { values, ends }: MappedRow,
  line: number,
  view: WalletView | undefined,
): Result<Record<string, unknown>> {
  if (ends === undefined) return ok(values);
  const party = view === undefined ? statedCounterparty(ends) : view.wallets.counterparty(ends);
  if (!party.ok) return party;
  if (view !== undefined && !view.paid.hasTime(line)) {
    return fail("the row has no time that Weir can read, so the payments before it are unknown");
  }
  const { address, own, isOutgoing } = party.value;
  const known = view === undefined ? [own] : knownTo(view, address, line);
  const given = Array.isArray(values["user_addresses"]) ? values["user_addresses"] : [];
  const users = [...new Set([...given, ...known])].filter((user) => user !== "");
  const checks = values["checks"] ?? (isOutgoing ? ["payment"] : undefined);
  return ok({
    ...values,
    address,
    ...(users.length === 0 ? {} : { user_addresses: users }),
    ...(checks === undefined ? {} : { checks }),
  });
}

/** The owner's addresses, and the payees before the row that the address can be compared with. */
function knownTo({ wallets, paid }: WalletView, address: string, line: number): readonly string[] {
  const payees = comparablePayees(canonicalOf(address) ?? address, paid.before(line));
  return wallets.fitting(address, [...wallets.addresses, ...payees]);
}
