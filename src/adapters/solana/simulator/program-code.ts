import type { AccountState } from "../../../chains/solana/accounts/account-state.ts";
import { keyText } from "../../../chains/solana/key.ts";
import { programs } from "../../../chains/solana/programs.ts";

/** Bytes that identify a version of a program's code: kind, slot of its deployment, authority. */
export const HEADER_BYTES = 45;
/** First field of the upgradeable loader's accounts. Source: UpgradeableLoaderState. */
const PROGRAM = 2;
const PROGRAM_DATA = 3;
const KEY_AT = 4;

/** The account with the code of an upgradeable program; undefined for any other account. */
export function codeAddressOf({ owner, executable, data }: AccountState): string | undefined {
  if (!executable || owner !== programs.upgradeableLoader || data[0] !== PROGRAM || data.length < KEY_AT + 32) {
    return undefined;
  }
  return keyText(data.subarray(KEY_AT, KEY_AT + 32));
}

/** Whether the account is code: large, and equal for many transactions. */
export function isCode({ owner, executable, data }: AccountState): boolean {
  if (owner === programs.upgradeableLoader) return data[0] === PROGRAM_DATA && data.length > HEADER_BYTES;
  return executable && (owner === programs.loader || owner === programs.oldLoader);
}

/**
 * A text that changes with the code. For code without a header it is the owner and the size, which are the only parts
 * that may change.
 */
export function versionOf({ owner, lamports, data }: AccountState, size: number): string {
  return `${owner} ${lamports} ${size} ${Buffer.from(data.subarray(0, HEADER_BYTES)).toString("base64")}`;
}
