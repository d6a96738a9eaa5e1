import { type SolanaRule, tokenAccountAt } from "./facts.ts";

/**
 * Addresses that labels call bad, in whatever part: a signer, a mint, a delegate, the owner of a token account, or one within
 * the data of an instruction. Risk levels tell of those alone whose balances change, and of none where the simulation failed.
 */
export const listedFindings: SolanaRule = ({ calls, simulation: { error, accounts, before, after }, ...labels }) => {
  const { isListed, listedWithin } = labels;
  const owners = [before, after].flatMap((state) =>
    [...state.keys()].flatMap((address) => {
      const tokens = tokenAccountAt(state, address);
      if (tokens === undefined) return [];
      // To take a right back from a delegate must not be stopped because labels accuse the delegate.
      const isOver = state === before && error === undefined;
      return [tokens.owner, tokens.mint, isOver ? undefined : tokens.delegate];
    }),
  );
  const named = new Set([...accounts, ...owners, ...calls.flatMap(({ data }) => listedWithin(data))]);
  return [...named].flatMap((account) =>
    account === undefined || !isListed(account)
      ? []
      : [{ name: "listed_address", account, description: `names ${account}, which labels call dangerous` }],
  );
};
