import { dealtWith } from "./dealt-with.ts";
import type { TronRule } from "./rule.ts";

/** T11: an address imitates the user's own, as address poisoning leaves it in the history. */
export const resemblesOwner: TronRule = (facts) => {
  const found = dealtWith(facts).find(({ known }) => known.resemblesOwner);
  return found === undefined
    ? undefined
    : `the ${found.as} ${found.known.address} looks like your own ${facts.operation.owner} and is another`;
};
