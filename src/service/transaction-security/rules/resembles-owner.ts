import type { Finds } from "./rule.ts";

/** T11: an address made to be taken for the user's own, as it stands in a poisoned history. */
export const resemblesOwner: Finds = ({ counterparty, operation }) =>
  counterparty?.resemblesOwner === true
    ? `the ${counterparty.role} ${counterparty.address} looks like your own ${operation?.owner} and is another`
    : undefined;
