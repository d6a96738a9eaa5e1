import type { CanonicalAddress } from "../address.ts";
import type { RecognizedContracts } from "../payment-mistakes.ts";
import type { EvmReading, EvmTransfer } from "./read-transaction.ts";

/** A calldata word that holds an address: 12 zero bytes, then 20 bytes that are more than a small number. */
const addressWord = /(?=0{24}(?!0{24})([0-9a-f]{40}))/g;

/**
 * Every address that a transaction deals with. The result holds signers, payers, recipients, receivers of rights and
 * called contracts. It also holds every calldata word in the form of an address.
 * A spender is left out when calldata names it only to revoke its right. So a right can be revoked from a listed
 * address.
 *
 * @param takenBack the result of `takenBackIn`.
 */
export function namedAddresses(
  transaction: EvmTransfer,
  does: EvmReading,
  takenBack: ReadonlyMap<CanonicalAddress, number>,
): readonly CanonicalAddress[] {
  const found = new Set<CanonicalAddress>([transaction.from, ...does.actors, ...does.contracts]);
  const losing = new Map(takenBack);
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
  for (const match of transaction.data.matchAll(addressWord)) {
    const address = `0x${match[1]}` as CanonicalAddress;
    // Words begin at whole bytes.
    if (match.index % 2 !== 0) continue;
    const revocations = losing.get(address) ?? 0;
    if (revocations === 0) found.add(address);
    else losing.set(address, revocations - 1);
  }
  return [...found];
}

/**
 * By spender, the number of times that calldata names it to revoke a right.
 * The result is empty when values overlap. One mention could then be read as several revocations and would excuse other
 * mentions.
 * The result is empty when a called contract is unknown, because a function of an unknown contract may do anything.
 * An approval of 0 counts as a revocation only where labels call the contract a token. Elsewhere it may approve item 0.
 */
export function takenBackIn(
  { acts, contracts, overlaps }: EvmReading,
  { isKnown, isToken }: Pick<RecognizedContracts, "isKnown" | "isToken">,
): ReadonlyMap<CanonicalAddress, number> {
  const losing = new Map<CanonicalAddress, number>();
  if (overlaps || !contracts.every(isKnown)) return losing;
  for (const act of acts) {
    if (act.does !== "revoke" || act.sharesMention === true) continue;
    if (act.orGivesItem === true && !isToken(act.token)) continue;
    losing.set(act.spender, (losing.get(act.spender) ?? 0) + 1);
  }
  return losing;
}
