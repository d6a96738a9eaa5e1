import type { CanonicalAddress } from "../../../chains/address.ts";
import type { Chain } from "../../../chains/chain.ts";
import { isMultiSend } from "../../../chains/evm/wrappers.ts";
import type { RecognizedContracts } from "../../../chains/payment-mistakes.ts";
import type { AddressBook } from "../../../labels/address-book.ts";

/** What labels alone say of the contracts of a chain. */
export function labelledContracts(chain: Chain, book: AddressBook): RecognizedContracts {
  const isLabelled = (address: CanonicalAddress) => book.isKnown(chain, address);
  return { isToken: (address) => book.isToken(chain, address), isLabelled, isKnown: isLabelled };
}

/**
 * What is known of the contracts that one EVM transaction calls: labelled tokens and services of its chain, and what an operator
 * allows. The sender's own code counts as known. A selector alone says nothing: any contract may have a function of that name.
 * A contract in `user_addresses` is not known: the user may have approved and called the contract of a thief before.
 */
export function recognizedContracts(chain: Chain, sender: CanonicalAddress, book: AddressBook): RecognizedContracts {
  const labelled = labelledContracts(chain, book);
  const isKnown = (address: CanonicalAddress) =>
    address === sender || isMultiSend(address) || labelled.isKnown(address);
  return { ...labelled, isKnown };
}
