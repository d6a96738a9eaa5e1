import { KEY_BYTES, keyText } from "../key.ts";
import type { Message } from "../message/message.ts";
import { programs } from "../programs.ts";
import type { AccountState } from "./account-state.ts";

/** Bytes before the first address. Source: address lookup table program, LOOKUP_TABLE_META_SIZE. */
const HEADER_BYTES = 56;

/**
 * All accounts of a message in the order of their indexes. Accounts in tables are included as far as `tableOf` knows
 * the table. Undefined stands for an account that could not be resolved.
 */
export function accountsOf(
  { staticKeys, lookups }: Message,
  tableOf: (address: string) => AccountState | undefined,
): readonly (string | undefined)[] {
  const read = lookups.map(({ table, writable, readonly }) => {
    const account = tableOf(table);
    const at = (place: number) => addressAt(account, place);
    return { writable: [...writable].map(at), readonly: [...readonly].map(at) };
  });
  return [...staticKeys, ...read.flatMap(({ writable }) => writable), ...read.flatMap(({ readonly }) => readonly)];
}

function addressAt(table: AccountState | undefined, place: number): string | undefined {
  if (table === undefined || table.owner !== programs.addressLookupTable) return undefined;
  const at = HEADER_BYTES + place * KEY_BYTES;
  return at + KEY_BYTES > table.data.length ? undefined : keyText(table.data.subarray(at, at + KEY_BYTES));
}
