import { approvalsIn, type EvmRule, isUnlimited } from "./rule.ts";

/** Who may spend without limit takes all that is there, and all that ever comes. */
export const unlimitedApproval: EvmRule = (facts) => {
  const found = approvalsIn(facts).find((each) => isUnlimited(each) && !facts.known(each.spender).isService);
  return found && `lets ${found.spender}, of whom nothing is known, take all of ${found.token} at any time`;
};

/** A signature that somebody else hands in costs its owner no transaction, so that he may not know of it. */
export const permitToStranger: EvmRule = (facts) => {
  const found = approvalsIn(facts).find((each) => each.by === "signature" && !facts.known(each.spender).isService);
  return found && `lets ${found.spender}, of whom nothing is known, take tokens of ${found.of} by a signature`;
};

export const limitedApproval: EvmRule = (facts) => {
  const found = approvalsIn(facts).find(
    (each) => each.by === "call" && !isUnlimited(each) && !facts.known(each.spender).isService,
  );
  return found && `lets ${found.spender}, of whom nothing is known, take ${found.amount} units of ${found.token}`;
};

export const unlimitedApprovalToService: EvmRule = (facts) => {
  const found = approvalsIn(facts).find((each) => isUnlimited(each) && facts.known(each.spender).isService);
  return found && `lets ${found.spender}, a labelled service, take all of ${found.token} at any time`;
};
