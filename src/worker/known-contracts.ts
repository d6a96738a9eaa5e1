import type { CanonicalAddress } from "../chains/address.ts";
import type { Chain } from "../chains/chain.ts";
import type { KnownContracts } from "../chains/evm/payment-mistakes.ts";
import { isMultiSend } from "../chains/evm/wrappers.ts";
import type { TransactionEvent } from "../events/event.ts";
import type { AddressBook } from "../labels/address-book.ts";
import type { EvmEventReading } from "./evm-reading.ts";
import { namedUsers } from "./named-users.ts";

/**
 * What is known of the contracts of one transaction: labelled tokens and services of its chain, and what an operator
 * allows. The sender's own code counts as known. So does an account of the user, such as a Safe, that only passes calls
 * on. A selector alone says nothing: any contract may have a function of that name.
 */
export function knownContracts(
  { user_addresses: texts = [] }: TransactionEvent,
  chain: Chain,
  { transaction, does }: EvmEventReading,
  book: AddressBook,
): KnownContracts {
  const relays = new Set(does.relays);
  const users = namedUsers(texts, chain).users.filter((user) => relays.has(user));
  const own = new Set<CanonicalAddress>([transaction.from, ...users]);
  return {
    isToken: (address) => book.isToken(chain, address),
    isKnown: (address) => own.has(address) || isMultiSend(address) || book.isKnown(chain, address),
  };
}
