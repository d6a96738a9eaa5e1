import { keyText } from "../key.ts";
import { programs } from "../programs.ts";
import type { AccountState } from "./account-state.ts";

/** Kinds of stake accounts with authorities: initialized, and delegated. Source: StakeStateV2. */
const INITIALIZED = 1;
const DELEGATED = 2;
/** Staker, withdrawer and lockup stand behind the kind and the rent. */
const STAKER_AT = 12;
const WITHDRAWER_AT = 44;
const LOCKUP_AT = 76;
const LOCKUP_BYTES = 48;

/** The time and the epoch until which only the custodian can allow withdrawals. Both are 0 when there is no lockup. */
export interface Lockup {
  readonly untilSec: bigint;
  readonly untilEpoch: bigint;
  readonly custodian: string;
}

/** The authority that may withdraw the lamports of a stake account. Undefined for any other account. */
export function withdrawerOf(state: AccountState): string | undefined {
  return keyAt(state, WITHDRAWER_AT);
}

/** The authority that may delegate a stake account. Undefined for any other account. */
export function stakerOf(state: AccountState): string | undefined {
  return keyAt(state, STAKER_AT);
}

/** The lockup of a stake account. Undefined for any other account. */
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
