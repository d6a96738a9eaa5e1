import type { EvmRule } from "./rule.ts";

/**
 * Tokens that are sent to a token's own contract are lost, because no key can send them on. Coins are left out, because
 * the sender may want to wrap them.
 */
export const transferToToken: EvmRule = ({ does, known }) => {
  const found = does.acts.find((act) => act.does === "transfer" && (act.to === act.token || known(act.to).isToken));
  return found?.does === "transfer"
    ? `the recipient ${found.to} is a token's contract: what is sent there is lost`
    : undefined;
};
