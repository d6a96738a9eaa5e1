import type { Unexplained } from "../../../chains/evm/act.ts";
import type { Facts } from "../facts.ts";
import type { Finds } from "./rule.ts";

function firstOf({ does }: Facts, why: Unexplained["why"]): Unexplained | undefined {
  return does.unexplained.find((each) => each.why === why);
}

/** A Safe that runs a stranger's code as its own gives it everything, its owners' list included. */
export const foreignCode: Finds = (facts) => {
  const found = firstOf(facts, "foreign_code");
  return found && `runs the code of ${found.contract} as the account's own, with all that it has`;
};

export const brokenCall: Finds = (facts) => {
  const found = firstOf(facts, "broken_call");
  return found && `calls ${found.contract} with arguments, or coins beside them, that are not those of the function`;
};

export const tooManyCalls: Finds = (facts) =>
  firstOf(facts, "too_much") && "holds more calls, or deeper in one another, than are looked at";

/** Coins that go to an unknown contract with an unknown call: what drainers call "claim" or "security update". */
export const valueToUnknownContract: Finds = ({ does, known }) => {
  const found = does.unexplained.find(
    ({ why, contract }) =>
      why === "unknown_call" &&
      contract !== undefined &&
      !known(contract).isWellKnown &&
      does.acts.some((act) => act.does === "pay" && act.to === contract && act.amount > 0n),
  );
  return found && `sends coins to ${found.contract}, of which nothing is known, with a call that is not known`;
};

/** Nobody looked at what it does: whoever signs must hear so. */
export const unknownCall: Finds = (facts) => {
  const found = firstOf(facts, "unknown_call");
  return found && `calls ${found.contract} to do something that is not known (0x${found.selector})`;
};

export const createsContract: Finds = (facts) =>
  firstOf(facts, "creation") && "creates a contract, whose code is not looked at";
