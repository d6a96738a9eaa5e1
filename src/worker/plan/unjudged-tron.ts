import type { Chain } from "../../chains/chain.ts";
import type { Result } from "../../kernel/result.ts";
import type { AddressBook } from "../../labels/address-book.ts";
import type { Check } from "../../messages/checks.ts";
import type { TransactionEvent } from "../../messages/event.ts";
import type { CheckEntry } from "../../messages/verdict.ts";
import { failed } from "../answers/check-entry.ts";
import { namedUsers } from "./reading/named-users.ts";
import type { TronReading } from "./reading/tron-reading.ts";

/**
 * The failure of an unclear transaction for which tron-security is not required, as for EVM (`plan-evm.ts`). A
 * transaction is unclear in three cases:
 *
 * - The call data is not decoded.
 * - An address that the user does not know gets a right.
 * - A called contract has no label.
 */
export function unjudgedTron(
  checks: readonly Check[],
  event: TransactionEvent,
  chain: Chain,
  reading: Result<TronReading>,
  book: AddressBook,
): readonly CheckEntry[] {
  if (!reading.ok || checks.includes("tron-security")) return [];
  const { calls } = reading.value;
  const unexplained = calls.find(({ isExplained }) => !isExplained);
  if (unexplained !== undefined) {
    const { contract, selector } = unexplained;
    const detail = `${contract} 0x${selector} no known function, or not with its arguments`;
    return [failed("event", "CALLDATA_UNDECODED", detail)];
  }
  const stranger = strangerIn(event, chain, reading.value, book);
  if (stranger !== undefined) {
    const detail = `makes ${stranger.address} a ${stranger.role}: the check tron-security says whether that is harmless, and the policy does not require that check; name known addresses in user_addresses`;
    return [failed("event", "CHECK_UNSUPPORTED", detail)];
  }
  const unknown = calls.find(({ contract }) => !book.isKnown(chain, contract));
  if (unknown === undefined) return [];
  const detail = `calls ${unknown.contract}, which no label of ${chain.name} names: the check tron-security says what the call does, and the policy does not require that check; label the contract in LABELS_FILES or allow it in LISTS_FILES`;
  return [failed("event", "CHECK_UNSUPPORTED", detail)];
}

/** An address that gets a right and that the user does not know. */
function strangerIn(
  { user_addresses: texts = [] }: TransactionEvent,
  chain: Chain,
  { parties }: TronReading,
  book: AddressBook,
) {
  const party = parties.ok ? parties.value.counterparty : undefined;
  if (party?.role !== "spender" && party?.role !== "new owner") return undefined;
  const isKnown = namedUsers(texts, chain).users.includes(party.address) || book.isAllowed(chain, party.address);
  return isKnown || (parties.ok && parties.value.owner === party.address) ? undefined : party;
}
