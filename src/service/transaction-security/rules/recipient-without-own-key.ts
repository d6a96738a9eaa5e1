import type { Finds } from "./rule.ts";

/**
 * T8, the bait with a published seed phrase: the account has tokens and lacks TRX to send them, and who sends it some finds
 * that the key of its own has no power over it.
 */
export const recipientWithoutOwnKey: Finds = ({ counterparty, chain }) => {
  const account = chain?.counterparty;
  if (counterparty?.role !== "recipient" || account === undefined || account === "not activated") return undefined;
  if (account.isContract || counterparty.isWellKnown) return undefined;
  if (account.permissions.owner.keys.some(({ address }) => address === counterparty.address)) return undefined;
  return `the recipient ${counterparty.address} is controlled by other keys than its own`;
};
