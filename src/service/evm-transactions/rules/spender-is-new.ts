import type { EvmRule } from "./rule.ts";

/** Drainers deploy a contract for each victim. A contract that did not exist 100 blocks ago is not in any list yet. */
export const spenderIsNew: EvmRule = ({ does, chain, known }) => {
  const found = does.acts.find(
    (act) =>
      (act.does === "approve" || act.does === "approve_all") &&
      chain?.isNew.has(act.spender) === true &&
      !known(act.spender).isService,
  );
  return found !== undefined && "spender" in found
    ? `lets ${found.spender} take your tokens, a contract that was not there 100 blocks ago`
    : undefined;
};
