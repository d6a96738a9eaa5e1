import { ZERO_ADDRESS } from "../../../chains/evm/signatures.ts";
import type { EvmRule } from "./rule.ts";

/** EIP-7702: from then on this code may do everything that the account's own key may. */
export const delegatesAccount: EvmRule = ({ does, known }) => {
  const found = does.acts.find((act) => act.does === "delegate" && act.to !== ZERO_ADDRESS && !known(act.to).isService);
  return found?.does === "delegate"
    ? `lets the code at ${found.to} act for an account with all that it has`
    : undefined;
};

/**
 * The same with code that is labelled: a router or a multicall that acts for an account does for everybody who calls it
 * what it does for its own callers, and labels do not say that code was made for accounts.
 */
export const delegatesToService: EvmRule = ({ does, known }) => {
  const found = does.acts.find((act) => act.does === "delegate" && known(act.to).isService);
  return found?.does === "delegate" ? `lets ${found.to}, a labelled service, act for an account` : undefined;
};
