import { keysText } from "./permission-text.ts";
import type { TronRule } from "./rule.ts";

/** T1: all keys together do not reach the threshold, so no key can use the account. */
export const ownerLockedOut: TronRule = ({ permissions }) => {
  const owner = permissions?.owner;
  if (owner === undefined || owner.reach.anybody) return undefined;
  const keys = owner.keys.length === 0 ? "it has no keys" : keysText(owner.keys);
  return `locks the account for ever: its keys together do not reach the threshold ${owner.threshold}: ${keys}`;
};
