import { keyText } from "../key.ts";
import { programs } from "../programs.ts";
import type { AccountState } from "./account-state.ts";

/** A version, a state, the authority, a blockhash and a fee. Source: Solana, nonce::state::Versions. */
const NONCE_BYTES = 80;
const INITIALIZED = 1;
const AUTHORITY_AT = 8;

/** The authority that may use a durable nonce and withdraw its lamports. Undefined for any other account. */
export function nonceAuthorityOf({ owner, data }: AccountState): string | undefined {
  if (owner !== programs.system || data.length !== NONCE_BYTES || data[4] !== INITIALIZED) return undefined;
  return keyText(data.subarray(AUTHORITY_AT, AUTHORITY_AT + 32));
}
