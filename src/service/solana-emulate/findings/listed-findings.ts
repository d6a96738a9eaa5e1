import { type Finds, tokenAccountAt } from "./facts.ts";

/**
 * Addresses that labels call bad, in whatever part: one that signs, a mint, a delegate, or whose token account is named. Their
 * risk levels tell of those alone whose balances change, and of nobody where the simulation failed.
 */
export const listedFindings: Finds = ({ simulation: { error, accounts, before, after }, isListed }) => {
  const owners = [before, after].flatMap((state) =>
    [...state.keys()].flatMap((address) => {
      const tokens = tokenAccountAt(state, address);
      if (tokens === undefined) return [];
      // To take a right back from a delegate must not be stopped because labels accuse the delegate.
      const isOver = state === before && error === undefined;
      return [tokens.owner, tokens.mint, isOver ? undefined : tokens.delegate];
    }),
  );
  const named = new Set([...accounts, ...owners]);
  return [...named].flatMap((account) =>
    account === undefined || !isListed(account)
      ? []
      : [{ name: "listed_address", account, description: `names ${account}, which labels call dangerous` }],
  );
};
