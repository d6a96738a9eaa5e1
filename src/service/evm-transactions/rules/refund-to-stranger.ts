import type { EvmRule } from "./rule.ts";

/** Who hands in a Safe's transaction sets no price: the calldata does, with any amount of any token, for whomever it names. */
export const refundToStranger: EvmRule = ({ does, transaction, known }) => {
  const found = does.acts.find(
    (act) => act.does === "refund" && act.to !== transaction.from && !known(act.to).isService,
  );
  return found?.does === "refund"
    ? `lets ${found.to}, of whom nothing is known, be paid a refund by ${found.from}, in ${found.token ?? "its coins"}`
    : undefined;
};
