import type { EvmRule } from "./rule.ts";

/** What is sent to a token's own contract is lost, as nobody can send it from there. Coins may be meant to be wrapped. */
export const transferToToken: EvmRule = ({ does, known }) => {
  const found = does.acts.find((act) => act.does === "transfer" && (act.to === act.token || known(act.to).isToken));
  return found?.does === "transfer"
    ? `the recipient ${found.to} is a token's contract: what is sent there is lost`
    : undefined;
};
