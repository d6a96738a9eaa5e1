import type { CanonicalAddress } from "../../../chains/address.ts";
import type { Unexplained } from "../../../chains/evm/act.ts";
import { isMultiSend } from "../../../chains/evm/calls/safe-libraries.ts";
import type { EvmFacts } from "../facts.ts";
import type { EvmRule } from "./rule.ts";

function firstOf({ does }: EvmFacts, why: Unexplained["why"]): Unexplained | undefined {
  return does.unexplained.find((each) => each.why === why);
}

/** A Safe that delegates to a stranger's code gives the code full control, including the list of owners. */
export const foreignCode: EvmRule = (facts) => {
  const found = firstOf(facts, "foreign_code");
  return found && `runs the code of ${found.contract} as the account's own, with all that it has`;
};

export const brokenCall: EvmRule = (facts) => {
  const found = firstOf(facts, "broken_call");
  return found && `calls ${found.contract} with arguments, or coins beside them, that are not those of the function`;
};

export const tooManyCalls: EvmRule = (facts) =>
  firstOf(facts, "too_much") && "holds more calls, or deeper in one another, than are looked at";

/** True when a callee does what its selector says: a well-known contract, the sender itself, or a known MultiSend. */
function isKnownCallee({ known, transaction }: EvmFacts, contract: CanonicalAddress): boolean {
  return known(contract).isWellKnown || contract === transaction.from || isMultiSend(contract);
}

/** Coins beside a call of a contract without a label. Drainers name such calls "claim" or "security update". */
export const valueToUnknownContract: EvmRule = (facts) => {
  const { acts, contracts } = facts.does;
  const found = acts.find(
    (act) =>
      ((act.does === "pay" && act.amount > 0n && contracts.includes(act.to)) || act.does === "hand_over") &&
      !facts.known(act.to).isWellKnown,
  );
  if (found?.does === "hand_over") return `hands the assets of the call to ${found.to}, which no label names`;
  return found?.does === "pay" ? `sends coins to ${found.to} beside a call, and no label says what that is` : undefined;
};

/**
 * A call that looks fully explained, of a contract without a label, that was not executed. Any contract can have a
 * function called `transfer` that spends an old allowance.
 */
export const unknownCallee: EvmRule = (facts) => {
  if (facts.chain?.execution?.ended === "done" || facts.does.unexplained.length > 0) return undefined;
  const found = facts.does.contracts.find((contract) => !isKnownCallee(facts, contract));
  return found && `calls ${found}, which no label names, and no node ran the call: it may do something else`;
};

/** The effect of the call was not analysed, so the signer must be warned. */
export const unknownCall: EvmRule = (facts) => {
  const found = unknownCalls(facts).find((each) => !isOfService(facts, each));
  return found && `calls ${found.contract} to do something that is not known (0x${found.selector})`;
};

/** A labelled service may be called in any way, as long as all addresses of the calldata are known. */
export const unknownCallOfService: EvmRule = (facts) => {
  const found = unknownCalls(facts).find((each) => isOfService(facts, each));
  return found && `calls ${found.contract}, a labelled contract, in a way that is not known (0x${found.selector})`;
};

function unknownCalls({ does }: EvmFacts): readonly Unexplained[] {
  return does.unexplained.filter(({ why }) => why === "unknown_call" || why === "opaque_bytes");
}

function isOfService({ known, namesStranger }: EvmFacts, { contract }: Unexplained): boolean {
  return contract !== undefined && known(contract).isWellKnown && !namesStranger;
}

export const createsContract: EvmRule = (facts) =>
  firstOf(facts, "creation") && "creates a contract, whose code is not looked at";
