import { keyText } from "../key.ts";
import { isTokenProgram, programs } from "../programs.ts";
import type { AccountState } from "./account-state.ts";

/** The state of a token account. Amounts are in the smallest unit of the mint. */
export interface TokenAccount {
  readonly mint: string;
  readonly owner: string;
  readonly amount: bigint;
  readonly delegate: string | undefined;
  readonly delegatedAmount: bigint;
  readonly closeAuthority: string | undefined;
}

/** Bytes of the layout that both token programs share. Token-2022 may write extensions behind it. */
const ACCOUNT_BYTES = 165;
const MULTISIG_BYTES = 355;
/**
 * Token-2022 accounts that are longer than the shared layout name their kind at this offset. The second constant is the
 * kind of a token account.
 */
const KIND_AT = 165;
const KIND_ACCOUNT = 2;
const UNINITIALIZED = 0;

/**
 * Reads an account of either token program as a token account. Undefined for any other account. Source: SPL Token,
 * state::Account; Token-2022, AccountType.
 */
export function readTokenAccount({ owner: program, data }: AccountState): TokenAccount | undefined {
  if (!isTokenProgram(program) || !isAccount(program, data)) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (view.getUint8(108) === UNINITIALIZED) return undefined;
  const optionalKey = (at: number) => (view.getUint32(at, true) === 1 ? keyAt(data, at + 4) : undefined);
  return {
    mint: keyAt(data, 0),
    owner: keyAt(data, 32),
    amount: view.getBigUint64(64, true),
    delegate: optionalKey(72),
    delegatedAmount: view.getBigUint64(121, true),
    closeAuthority: optionalKey(129),
  };
}

function isAccount(program: string, data: Uint8Array): boolean {
  if (data.length === ACCOUNT_BYTES) return true;
  if (program !== programs.token2022 || data.length <= ACCOUNT_BYTES || data.length === MULTISIG_BYTES) return false;
  return data[KIND_AT] === KIND_ACCOUNT;
}

function keyAt(data: Uint8Array, at: number): string {
  return keyText(data.subarray(at, at + 32));
}
