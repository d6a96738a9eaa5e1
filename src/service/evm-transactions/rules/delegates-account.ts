import { ZERO_ADDRESS } from "../../../chains/evm/signatures.ts";
import type { EvmRule } from "./rule.ts";

/** EIP-7702: the code may then do everything that the account's own key may do. */
export const delegatesAccount: EvmRule = ({ does, known }) => {
  const found = does.acts.find((act) => act.does === "delegate" && act.to !== ZERO_ADDRESS && !known(act.to).isService);
  return found?.does === "delegate"
    ? `lets the code at ${found.to} act for an account with all that it has`
    : undefined;
};

/**
 * A delegation to labelled code. A router or multicall that acts for an account obeys every caller. Labels do not show
 * that code was made for accounts.
 */
export const delegatesToService: EvmRule = ({ does, known }) => {
  const found = does.acts.find((act) => act.does === "delegate" && known(act.to).isService);
  return found?.does === "delegate" ? `lets ${found.to}, a labelled service, act for an account` : undefined;
};
