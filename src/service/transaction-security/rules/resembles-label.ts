import type { Finds } from "./rule.ts";

/** T11: an address made to be taken for that of an exchange, a bridge, a protocol or a token. */
export const resemblesLabel: Finds = ({ counterparty }) => {
  const imitated = counterparty?.imitated;
  if (counterparty === undefined || imitated === undefined) return undefined;
  return `the ${counterparty.role} ${counterparty.address} looks like ${imitated.name} (${imitated.address}) and is another`;
};
