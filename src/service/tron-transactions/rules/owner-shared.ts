import type { TronRule } from "./rule.ts";
import { strangersIn } from "./strangers-actives.ts";

/** T2: the user keeps full control, and other keys get full control without the user. */
export const ownerShared: TronRule = ({ permissions }) => {
  const owner = permissions?.owner;
  if (owner === undefined || !owner.reach.others || !owner.reach.user || !owner.strangersGain) return undefined;
  return `lets ${strangersIn(owner)} do everything with the account without you`;
};
