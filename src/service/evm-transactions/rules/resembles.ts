import type { EvmRule } from "./rule.ts";

/** An address imitates one that the user knows, or the user's own. */
export const resemblesUser: EvmRule = ({ parties }) => {
  const found = parties.find(({ resembles }) => resembles !== undefined);
  return found && `${found.address} looks like ${found.resembles}, which the user knows, and is another`;
};

/** An address looks like the address of an exchange, a bridge, a protocol or a token. */
export const resemblesLabel: EvmRule = ({ parties }) => {
  const found = parties.find(({ imitated }) => imitated !== undefined);
  return found && `${found.address} looks like ${found.imitated?.name} (${found.imitated?.address}) and is another`;
};
