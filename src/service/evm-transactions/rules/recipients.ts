import type { CanonicalAddress } from "../../../chains/address.ts";
import { isBurnAddress } from "../../../chains/burn-addresses.ts";
import { isAnyPrice } from "../../../chains/evm/calls/left-behind.ts";
import { isSafeCode } from "../../../chains/evm/calls/safe-libraries.ts";
import { accusationText } from "../../labels/standing.ts";
import type { EvmRule } from "./rule.ts";

export const ownershipGivenAway: EvmRule = ({ does, known }) => {
  const found = does.acts.find((act) => act.does === "give_ownership" && !known(act.to).isOwn);
  return found?.does === "give_ownership" ? `makes ${found.to} the owner of ${found.contract}` : undefined;
};

/**
 * Code that may act for an account, or that passes all calls of it, controls the account. Only code that Safe publishes
 * for this purpose is accepted: a token or a router as a module obeys every caller.
 */
export const moduleAdded: EvmRule = ({ does, known }) => {
  const found = does.acts.find((act) => act.does === "add_module" && !isSafeCode(act.to) && !known(act.to).isOwn);
  return found?.does === "add_module"
    ? `lets the code at ${found.to}, which Safe does not publish, act for ${found.contract}`
    : undefined;
};

/** An account that one owner alone controls is as weak as one key. */
export const accountWeakened: EvmRule = ({ does }) => {
  const found = does.acts.find((act) => act.does === "weaken");
  return found?.does === "weaken" ? `lets ${found.contract} need one owner alone, or lose its guard` : undefined;
};

/** The proceeds of a trade, a withdrawal or a deposit go to an address that the user does not know. */
export const proceedsToStranger: EvmRule = ({ does, known }) => {
  // Coins beside a call of a contract without a label have a rule of their own.
  const isForeign = (to: CanonicalAddress, by: CanonicalAddress) =>
    !known(to).isOwn && (to !== by || known(by).isWellKnown);
  const found = does.acts.find((act) => act.does === "pay_out" && isForeign(act.to, act.by));
  if (found?.does !== "pay_out") return undefined;
  return found.to === found.by
    ? `leaves proceeds with ${found.by}, which pays them to its next caller`
    : `pays the proceeds of the call to ${found.to}, which the user does not know`;
};

/** Any deployer can make a token, so the worth of a token without a label is not known. */
export const paidInUnknownToken: EvmRule = ({ does, known }) => {
  const found = does.bought.find((token) => !known(token).isWellKnown);
  return found && `the trade pays in ${found}, which no label names`;
};

/** The recipient cannot be compared with the user's addresses, which have another form. */
export const recipientOnOtherChain: EvmRule = ({ does }) => {
  const found = does.acts.find((act) => act.does === "pay_abroad");
  return found?.does === "pay_abroad" ? `${found.by} pays a recipient that only another chain can name` : undefined;
};

/** An observer of the pending transaction can move the price against the user. */
export const tradesAtAnyPrice: EvmRule = ({ does }) =>
  does.acts.some((act) => act.does === "pay_out" && isAnyPrice(act))
    ? "trades without a least amount, so the trade may return nothing"
    : undefined;

/** Assets that are sent to the zero address, or to another burn address, are lost. */
export const transferToBurnAddress: EvmRule = ({ does }) => {
  const found = does.acts.find(
    (act) => (act.does === "pay" || act.does === "transfer") && isBurnAddress("evm", act.to),
  );
  return found && "to" in found ? `sends to ${found.to}, a burn address without a key` : undefined;
};

/**
 * Tokens that are sent to a token's own contract are lost, because no key can send them on. Coins are left out, because
 * the sender may want to wrap them.
 */
export const transferToToken: EvmRule = ({ does, known }) => {
  const found = does.acts.find((act) => act.does === "transfer" && (act.to === act.token || known(act.to).isToken));
  return found?.does === "transfer"
    ? `the recipient ${found.to} is a token's contract: what is sent there is lost`
    : undefined;
};

const listed =
  (as: "malicious" | "sanctioned"): EvmRule =>
  ({ listed: found }) => {
    for (const { address, accusations } of found) {
      const accusation = accusations.find((each) => each.as === as);
      if (accusation !== undefined) return `deals with ${address}, which is labelled as ${accusationText(accusation)}`;
    }
    return undefined;
  };

export const maliciousAddress = listed("malicious");
export const sanctionedAddress = listed("sanctioned");

/** An address imitates one that the user knows, or the user's own. */
export const resemblesUser: EvmRule = ({ parties }) => {
  const found = parties.find(({ resembles }) => resembles !== undefined);
  return found && `${found.address} looks like ${found.resembles}, which the user knows, and is another`;
};

/** An address looks like the address of an exchange, a bridge, a protocol, a token or a delegate. */
export const resemblesLabel: EvmRule = ({ parties }) => {
  const found = parties.find(({ imitated }) => imitated !== undefined);
  return found && `${found.address} looks like ${found.imitated?.name} (${found.imitated?.address}) and is another`;
};
