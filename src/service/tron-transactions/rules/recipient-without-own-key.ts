import type { Permission } from "../permissions/permission.ts";
import { userLoses } from "../permissions/permission-gain.ts";
import type { TronRule } from "./rule.ts";

/** A permission that no keys reach: whoever has a say in another loses it by this one. */
const nobody: Permission = { name: "", threshold: 1n, keys: [] };

/**
 * T8, the bait with a published seed phrase: the account has tokens and lacks TRX to send them, and who sends it some finds
 * that the key of its own has no power over it.
 */
export const recipientWithoutOwnKey: TronRule = ({ counterparty, chain }) => {
  const account = chain?.counterparty;
  if (counterparty?.role !== "recipient" || account === undefined || account === "not activated") return undefined;
  if (account.isContract || counterparty.isWellKnown) return undefined;
  // A key that nobody ever needs to reach the threshold is as good as none.
  if (userLoses(nobody, account.permissions.owner, counterparty.address)) return undefined;
  return `the recipient ${counterparty.address} is controlled by other keys than its own`;
};
