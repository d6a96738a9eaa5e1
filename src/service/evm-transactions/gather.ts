import type { CanonicalAddress } from "../../chains/address.ts";
import type { Chain } from "../../chains/chain.ts";
import { isMultiSend } from "../../chains/evm/calls/safe-libraries.ts";
import { counterpartiesOf } from "../../chains/evm/counterparties.ts";
import { namedAddresses, takenBackIn } from "../../chains/evm/named-addresses.ts";
import type { EvmReading, EvmTransfer } from "../../chains/evm/read-transaction.ts";
import { lookalike } from "../../chains/lookalike.ts";
import { labelText } from "../labels/about-address.ts";
import type { LabelBook } from "../labels/label-book.ts";
import { isTrustedParty } from "../labels/standing.ts";
import type { EvmChainFacts, EvmFacts, Party } from "./facts.ts";

/** Smaller numbers are amounts. A key for an address below this needs about 2^48 attempts at the least. */
const SMALLEST_ADDRESS = 2n ** 112n;

/** Collects the facts about one transaction: its actions, its parties, and the node's answers, if any. */
export function gather(
  chain: Chain,
  transaction: EvmTransfer,
  does: EvmReading,
  users: readonly CanonicalAddress[],
  labels: LabelBook,
  chainFacts: EvmChainFacts | undefined,
): EvmFacts {
  const own = [transaction.from, ...users];
  const known = (address: CanonicalAddress) => knownParty(chain, address, own, labels);
  const isAccused = (address: CanonicalAddress) => labels.standingOf(chain, address).accusations.length > 0;
  const losing = takenBackIn(does, {
    isKnown: (address) => address === transaction.from || isMultiSend(address) || known(address).isWellKnown,
    isToken: (address) => known(address).isTrustedToken,
  });
  const packedIn = ({ data }: EvmTransfer) => {
    const found = [...labels.accusedWithin(chain, Buffer.from(data, "hex"))];
    return found.filter(([address, times]) => times > (losing.get(address) ?? 0)).map(([address]) => address);
  };
  const execution = chainFacts?.execution;
  const shown = execution?.ended === "done" ? [...execution.paid, ...execution.grants.map((each) => each.spender)] : [];
  const parties = new Map([...partiesIn(does), ...shown].map((address) => [address, known(address)]));
  const named = namedAddresses(transaction, does, losing);
  const listed = new Set([...parties.keys(), ...named, ...packedIn(transaction)]);
  const isStranger = (address: CanonicalAddress) => {
    const party = parties.get(address) ?? known(address);
    return !party.isOwn && !party.isWellKnown && BigInt(address) >= SMALLEST_ADDRESS;
  };
  return {
    transaction,
    does,
    known: (address) => parties.get(address) ?? known(address),
    parties: [...parties.values()],
    namesStranger: named.some(isStranger),
    listed: [...listed].filter(isAccused).map((address) => parties.get(address) ?? known(address)),
    chain: chainFacts,
  };
}

/** Lists the addresses that gain, every token, and every called contract. */
export function partiesIn(does: EvmReading): readonly CanonicalAddress[] {
  const parties = counterpartiesOf(does).flatMap(({ target, token }) =>
    token === undefined ? [target] : [target, token],
  );
  return [...new Set([...parties, ...does.contracts])];
}

/**
 * Names of contracts that make arbitrary calls for any caller. An allowance for such a contract is open to every
 * caller.
 */
const callsForAnybody = /multi[ -]?(call|send)/i;

/** True for a vouched protocol or bridge that keeps the allowances of its users apart from each other. */
function isServiceAt(chain: Chain, address: CanonicalAddress, labels: LabelBook): boolean {
  if (!labels.vouchesFor(chain, address, "protocol", "bridge")) return false;
  const all = [...labels.labelsOf(chain, address), ...labels.labelsElsewhere(chain, address)];
  const own = all.filter(({ kind }) => kind === "protocol" || kind === "bridge");
  return !own.some(({ name }) => callsForAnybody.test(name));
}

function knownParty(
  chain: Chain,
  address: CanonicalAddress,
  own: readonly CanonicalAddress[],
  labels: LabelBook,
): Party {
  const isOwn = own.includes(address);
  const { accusations, vouchedAs, isOriginal } = labels.standingOf(chain, address);
  const isWellKnown = isTrustedParty(vouchedAs);
  return {
    address,
    isOwn,
    isToken: labels.isToken(chain, address),
    isTrustedToken: vouchedAs.has("token"),
    isService: isServiceAt(chain, address, labels),
    isBridge: vouchedAs.has("bridge"),
    isDelegate: vouchedAs.has("delegate"),
    isWellKnown,
    labelled: labelText(chain, address, labels),
    accusations,
    resembles: isOwn ? undefined : own.find((user) => lookalike(chain.family, user, address) !== undefined),
    imitated:
      isOwn || isOriginal
        ? undefined
        : (labels.wellKnownImitatedBy(chain.family, address) ?? labels.tokenImitatedBy(chain, address)),
  };
}
