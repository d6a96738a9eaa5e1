import { dealtWith } from "./dealt-with.ts";
import type { TronRule } from "./rule.ts";

/** T11: an address made to be taken for the user's own, as it stands in a poisoned history. */
export const resemblesOwner: TronRule = (facts) => {
  const found = dealtWith(facts).find(({ known }) => known.resemblesOwner);
  return found === undefined
    ? undefined
    : `the ${found.as} ${found.known.address} looks like your own ${facts.operation.owner} and is another`;
};
