import type { CanonicalAddress } from "../chains/address.ts";
import type { Chain } from "../chains/chain.ts";
import { isMultiSend } from "../chains/evm/wrappers.ts";
import type { KnownContracts } from "../chains/payment-mistakes.ts";
import type { TransactionEvent } from "../events/event.ts";
import type { AddressBook } from "../labels/address-book.ts";
import type { EvmEventReading } from "./evm-reading.ts";
import { namedUsers } from "./named-users.ts";

/** What labels alone say of the contracts of a chain. */
export function labelledContracts(chain: Chain, book: AddressBook): KnownContracts {
  const isLabelled = (address: CanonicalAddress) => book.isKnown(chain, address);
  return { isToken: (address) => book.isToken(chain, address), isLabelled, isKnown: isLabelled };
}

/**
 * What is known of the contracts that one EVM transaction calls: labelled tokens and services of its chain, and what an operator
 * allows. The sender's own code counts as known. So does a Safe among the user's addresses. A selector alone says nothing:
 * any contract may have a function of that name.
 */
export function knownContracts(
  { user_addresses: texts = [] }: TransactionEvent,
  chain: Chain,
  { transaction, does }: EvmEventReading,
  book: AddressBook,
): KnownContracts {
  const safes = new Set(does.safes);
  const users = namedUsers(texts, chain).users.filter((user) => safes.has(user));
  const own = new Set<CanonicalAddress>([transaction.from, ...users]);
  const labelled = labelledContracts(chain, book);
  return {
    ...labelled,
    isKnown: (address) => own.has(address) || isMultiSend(address) || labelled.isKnown(address),
  };
}
