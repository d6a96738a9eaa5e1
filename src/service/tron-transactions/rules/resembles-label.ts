import { dealtWith } from "./dealt-with.ts";
import type { TronRule } from "./rule.ts";

/** T11: an address looks like the address of an exchange, a bridge, a protocol or a token. */
export const resemblesLabel: TronRule = (facts) => {
  for (const { as, known } of dealtWith(facts)) {
    const { address, imitated } = known;
    if (imitated !== undefined)
      return `the ${as} ${address} looks like ${imitated.name} (${imitated.address}) and is another`;
  }
  return undefined;
};
