import type { EvmRule } from "./rule.ts";

/** Nine tenths. Chosen: payments rarely leave less, and fees take some of the rest. */
const [PART, WHOLE] = [9n, 10n];

/** Nearly the whole balance of the sender goes to unknown addresses. */
export const drainsBalance: EvmRule = ({ does, chain, transaction, known }) => {
  const left = does.acts.reduce(
    (sum, act) =>
      act.does === "pay" && act.from === transaction.from && act.to !== act.from && !known(act.to).isWellKnown
        ? sum + act.amount
        : sum,
    0n,
  );
  if (chain === undefined || left === 0n || left * WHOLE < chain.balance * PART) return undefined;
  return `${left} of the ${chain.balance} wei that the sender has leave for addresses of which nothing is known`;
};
