import { approvalsIn, type EvmRule, isUnlimited } from "./rule.ts";

/** A spender without limit can take all present and future tokens. */
export const unlimitedApproval: EvmRule = (facts) => {
  const found = approvalsIn(facts).find((each) => isUnlimited(each) && !facts.known(each.spender).isService);
  return found && `lets ${found.spender}, of whom nothing is known, take all of ${found.token} at any time`;
};

/**
 * A stranger submits the owner's signature, which costs the owner no transaction. The owner may therefore not notice
 * it.
 */
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
