import type { EvmRule } from "./rule.ts";

/** An operator may take every present and future item of a collection. */
export const operatorApproval: EvmRule = ({ does, known }) => {
  const found = does.acts.find((act) => act.does === "approve_all" && !known(act.spender).isService);
  return found?.does === "approve_all"
    ? `lets ${found.spender}, of whom nothing is known, take every item you have in ${found.token}`
    : undefined;
};
