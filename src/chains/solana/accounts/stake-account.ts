import { keyText } from "../key.ts";
import { programs } from "../programs.ts";
import type { AccountState } from "./account-state.ts";

/** Kinds of stake accounts that have authorities: initialized, and delegated. Source: StakeStateV2. */
const INITIALIZED = 1;
const DELEGATED = 2;
/** Behind the kind and the rent: staker, withdrawer, lockup. */
const STAKER_AT = 12;
const WITHDRAWER_AT = 44;
const LOCKUP_AT = 76;
const LOCKUP_BYTES = 48;

/** Until when, by clock and by epoch, nothing can be withdrawn without the custodian; both 0 where there is no end to wait for. */
export interface Lockup {
  readonly untilSec: bigint;
  readonly untilEpoch: bigint;
  readonly custodian: string;
}

/** Who may withdraw the lamports of a stake account; undefined for any other account. */
export function withdrawerOf(state: AccountState): string | undefined {
  return keyAt(state, WITHDRAWER_AT);
}

/** Who may delegate a stake account; undefined for any other account. */
export function stakerOf(state: AccountState): string | undefined {
  return keyAt(state, STAKER_AT);
}

/** The lockup of a stake account; undefined for any other account. */
export function lockupOf(state: AccountState): Lockup | undefined {
  const custodian = keyAt(state, LOCKUP_AT + 16);
  if (custodian === undefined) return undefined;
  const view = new DataView(state.data.buffer, state.data.byteOffset + LOCKUP_AT, LOCKUP_BYTES);
  return { untilSec: view.getBigInt64(0, true), untilEpoch: view.getBigUint64(8, true), custodian };
}

function keyAt({ owner, data }: AccountState, at: number): string | undefined {
  if (owner !== programs.stake || data.length < LOCKUP_AT + LOCKUP_BYTES) return undefined;
  if (data[0] !== INITIALIZED && data[0] !== DELEGATED) return undefined;
  return keyText(data.subarray(at, at + 32));
}
