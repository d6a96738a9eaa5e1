import type { CanonicalAddress } from "../address.ts";
import type { EvmReading, EvmTransfer } from "./read-transaction.ts";

/** A word of calldata that holds an address: 12 zero bytes, then 20 that are more than a small number. */
const addressWord = /(?=0{24}(?!0{24})([0-9a-f]{40}))/g;
/** Chosen: a batch of 256 transfers names as many. */
const MOST_ADDRESSES = 1_024;

/**
 * Every address that a transaction deals with: who signs, pays, is paid or gets a right, and what is called. Of a revocation
 * only the contract is named, so that a right can be taken back from a listed address. Where calldata is not explained in
 * full, every address in it counts.
 */
export function namedAddresses(transaction: EvmTransfer, does: EvmReading): readonly CanonicalAddress[] {
  const found = new Set<CanonicalAddress>([transaction.from, ...does.actors, ...does.contracts]);
  for (const act of does.acts) {
    if ("token" in act && act.token !== undefined) found.add(act.token);
    if ("from" in act) found.add(act.from);
    if ("to" in act) found.add(act.to);
    if (act.does === "approve" || act.does === "approve_all") {
      found.add(act.of);
      found.add(act.spender);
    }
    if (act.does === "give_ownership") found.add(act.contract);
  }
  if (does.unexplained.length > 0) {
    for (const [, digits = ""] of transaction.data.matchAll(addressWord)) {
      if (found.size >= MOST_ADDRESSES) break;
      found.add(`0x${digits}` as CanonicalAddress);
    }
  }
  return [...found];
}
