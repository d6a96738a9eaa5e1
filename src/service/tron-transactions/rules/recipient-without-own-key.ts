import type { Permission } from "../permissions/permission.ts";
import { userLoses } from "../permissions/permission-gain.ts";
import type { TronRule } from "./rule.ts";

/** A permission that no keys reach. Every key that has a say in another permission loses it by this one. */
const nobody: Permission = { name: "", threshold: 1n, keys: [] };

/**
 * T8, the bait with a published seed phrase: the account has tokens but no TRX to send them. A victim that sends TRX
 * finds that the account's own key has no power over it.
 */
export const recipientWithoutOwnKey: TronRule = ({ counterparty, chain }) => {
  const account = chain?.counterparty;
  if (counterparty?.role !== "recipient" || account === undefined || account === "not activated") return undefined;
  if (account.isContract || counterparty.isWellKnown) return undefined;
  // The account's own key counts as powerless when no set of keys needs it to reach the threshold.
  if (userLoses(nobody, account.permissions.owner, counterparty.address)) return undefined;
  return `the recipient ${counterparty.address} is controlled by other keys than its own`;
};
