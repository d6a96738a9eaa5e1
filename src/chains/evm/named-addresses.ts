import type { CanonicalAddress } from "../address.ts";
import type { RecognizedContracts } from "../payment-mistakes.ts";
import type { EvmReading, EvmTransfer } from "./read-transaction.ts";

/** A word of calldata that holds an address: 12 zero bytes, then 20 that are more than a small number. */
const addressWord = /(?=0{24}(?!0{24})([0-9a-f]{40}))/g;

/**
 * Every address that a transaction deals with: who signs, pays, is paid or gets a right, what is called, and whatever else
 * stands in its calldata in the form of an address. A spender is left out where calldata names it only to take a right back,
 * so that a right can be taken back from a listed address.
 *
 * @param takenBack of `takenBackIn`.
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
 * By spender, how often calldata names it to take a right back. None where values overlap: one mention may then be read as
 * several revocations, and would excuse mentions that are none. None either where a called contract is not known: its function of
 * that name may do anything. An approval of 0 takes back where labels call the contract a token; elsewhere it may give item 0.
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
