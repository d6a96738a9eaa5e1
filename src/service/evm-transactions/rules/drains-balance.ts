import type { EvmRule } from "./rule.ts";

/** Nine tenths. Chosen: a payment seldom leaves less; fees take some of what is left. */
const [PART, WHOLE] = [9n, 10n];

/** Nearly all that the sender has leaves for addresses of which nothing is known. */
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
