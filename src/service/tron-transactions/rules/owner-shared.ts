import type { TronRule } from "./rule.ts";
import { strangersIn } from "./strangers-actives.ts";

/** T2: the user keeps his access, and others get all of it without him. */
export const ownerShared: TronRule = ({ permissions }) => {
  const owner = permissions?.owner;
  if (owner === undefined || !owner.reach.others || !owner.reach.user || !owner.strangersGain) return undefined;
  return `lets ${strangersIn(owner)} do everything with the account without you`;
};
