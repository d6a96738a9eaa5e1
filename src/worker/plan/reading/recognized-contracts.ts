import type { CanonicalAddress } from "../../../chains/address.ts";
import type { Chain } from "../../../chains/chain.ts";
import { isMultiSend } from "../../../chains/evm/calls/safe-libraries.ts";
import type { RecognizedContracts } from "../../../chains/payment-mistakes.ts";
import type { AddressBook } from "../../../labels/address-book.ts";

/** The contracts of a chain that labels recognize. */
export function labelledContracts(chain: Chain, book: AddressBook): RecognizedContracts {
  const isLabelled = (address: CanonicalAddress) => book.isKnown(chain, address);
  const isToken = (address: CanonicalAddress) => book.isToken(chain, address);
  return { isToken, isLabelled, isKnown: isLabelled, isOwn: () => false };
}

/**
 * The recognized contracts of one EVM transaction: labelled tokens and services of its chain, and the operator's allow
 * list. The sender's own code counts as known. A selector alone proves nothing: any contract may have a function of
 * that name. A contract in `user_addresses` is not recognized, because the user may have called a thief's contract
 * before.
 */
export function recognizedContracts(chain: Chain, sender: CanonicalAddress, book: AddressBook): RecognizedContracts {
  const labelled = labelledContracts(chain, book);
  const isKnown = (address: CanonicalAddress) =>
    address === sender || isMultiSend(address) || labelled.isKnown(address);
  return { ...labelled, isKnown };
}
