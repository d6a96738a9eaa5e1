import { type Finds, tokenAccountAt } from "./facts.ts";

/**
 * Addresses that labels call bad, in whatever part: one that signs, a mint, a delegate, or whose token account is named. Their
 * risk levels tell of those alone whose balances change, and of nobody where the simulation failed.
 */
export const listedFindings: Finds = ({ simulation: { accounts, before, after }, isListed }) => {
  const owners = [before, after].flatMap((state) =>
    [...state.keys()].flatMap((address) => {
      const tokens = tokenAccountAt(state, address);
      return tokens === undefined ? [] : [tokens.owner, tokens.mint, tokens.delegate];
    }),
  );
  const named = new Set([...accounts, ...owners]);
  return [...named].flatMap((account) =>
    account === undefined || !isListed(account)
      ? []
      : [{ name: "listed_address", account, description: `names ${account}, which labels call dangerous` }],
  );
};
