import { type SolanaRule, tokenAccountAt } from "./facts.ts";

/**
 * Reports every address that labels accuse, in whichever role the transaction names it. Roles are a signer, a mint, a
 * delegate, the owner of a token account, and an address within instruction data. Risk levels do not replace this
 * finding. They cover only addresses with changed balances, and no address when the simulation fails.
 */
export const listedFindings: SolanaRule = ({ calls, simulation: { error, accounts, before, after }, ...labels }) => {
  const { isListed, listedWithin } = labels;
  const owners = [before, after].flatMap((state) =>
    [...state.keys()].flatMap((address) => {
      const tokens = tokenAccountAt(state, address);
      if (tokens === undefined) return [];
      // A transaction that revokes an approval must not be flagged because labels accuse the delegate.
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
