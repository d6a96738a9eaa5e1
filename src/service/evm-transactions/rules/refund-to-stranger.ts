import type { EvmRule } from "./rule.ts";

/**
 * The calldata of a Safe transaction sets the refund, in any amount of any token, for any receiver. The submitter does
 * not set the refund.
 */
export const refundToStranger: EvmRule = ({ does, transaction, known }) => {
  const found = does.acts.find(
    (act) => act.does === "refund" && act.to !== transaction.from && !known(act.to).isService,
  );
  return found?.does === "refund"
    ? `lets ${found.to}, of whom nothing is known, be paid a refund by ${found.from}, in ${found.token ?? "its coins"}`
    : undefined;
};
