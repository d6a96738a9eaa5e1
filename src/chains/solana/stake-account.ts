import type { AccountState } from "./account-state.ts";
import { keyText } from "./key.ts";
import { programs } from "./programs.ts";

/** Kinds of stake accounts that have authorities: initialized, and delegated. Source: StakeStateV2. */
const INITIALIZED = 1;
const DELEGATED = 2;
/** Behind the kind, the rent and the staker. */
const WITHDRAWER_AT = 44;

/** Who may withdraw the lamports of a stake account; undefined for any other account. */
export function withdrawerOf({ owner, data }: AccountState): string | undefined {
  if (owner !== programs.stake || data.length < WITHDRAWER_AT + 32) return undefined;
  if (data[0] !== INITIALIZED && data[0] !== DELEGATED) return undefined;
  return keyText(data.subarray(WITHDRAWER_AT, WITHDRAWER_AT + 32));
}
