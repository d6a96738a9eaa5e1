import { keyText } from "../key.ts";
import { programs } from "../programs.ts";
import type { AccountState } from "./account-state.ts";

/**
 * Kinds of accounts of the upgradeable loader, and the offset of each kind's optional authority. Source:
 * UpgradeableLoaderState.
 */
const optionAt: Readonly<Record<number, number>> = { 1: 4, 3: 12 };

/**
 * The authority that may replace a program's code, write a buffer for it, and close either. Undefined for any other
 * account.
 */
export function codeAuthorityOf({ owner, data }: AccountState): string | undefined {
  const at = optionAt[data[0] ?? 0];
  if (owner !== programs.upgradeableLoader || at === undefined || data.length < at + 33 || data[at] !== 1)
    return undefined;
  return keyText(data.subarray(at + 1, at + 33));
}
