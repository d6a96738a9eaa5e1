import { parseAddress } from "../../../chains/address.ts";
import type { AccountState } from "../../../chains/solana/accounts/account-state.ts";
import { ConfigInvalidError } from "../../../kernel/errors.ts";
import { isRawNumber, parseExact } from "../../../kernel/json.ts";

/** The accounts of an offline simulation. An account that is not in the snapshot does not exist. */
export interface Snapshot {
  /** Undefined: the simulator's own slot. */
  readonly slot: number | undefined;
  /** Seconds. */
  readonly unixTimestamp: number;
  readonly accounts: ReadonlyMap<string, AccountState>;
}

/**
 * Reads a snapshot: a JSON array of accounts, each in the form of `solana account --output json`. It may also be an
 * object with that array as `accounts` beside `slot` and `unix_timestamp`.
 *
 * @throws {ConfigInvalidError} naming the unreadable account.
 */
export function readSnapshot(text: string): Snapshot {
  let json: unknown;
  try {
    json = parseExact(text);
  } catch (thrown) {
    throw new ConfigInvalidError("the Solana snapshot is not JSON", {}, { cause: thrown });
  }
  const list = Array.isArray(json) ? json : field(json, "accounts");
  if (!Array.isArray(list)) throw new ConfigInvalidError("the Solana snapshot holds no array of accounts");
  const accounts = new Map<string, AccountState>();
  for (const [i, item] of list.entries()) {
    const account = readAccount(item);
    if (typeof account === "string") throw new ConfigInvalidError(`the Solana snapshot, account ${i}: ${account}`);
    accounts.set(account.address, account.state);
  }
  return { slot: whole(json, "slot"), unixTimestamp: whole(json, "unix_timestamp") ?? 0, accounts };
}

function readAccount(item: unknown): { readonly address: string; readonly state: AccountState } | string {
  const account = field(item, "account");
  const address = addressIn(item, "pubkey");
  const owner = addressIn(account, "owner");
  const lamports = integer(field(account, "lamports"));
  const data = field(account, "data");
  const executable = field(account, "executable");
  if (address === undefined) return "pubkey is no address";
  if (owner === undefined) return "owner is no address";
  if (lamports === undefined) return "lamports is no whole number of 64 bits";
  if (!Array.isArray(data) || typeof data[0] !== "string" || data[1] !== "base64") return "data is not base64";
  if (typeof executable !== "boolean") return "executable is neither true nor false";
  const bytes = Buffer.from(data[0], "base64");
  if (bytes.toString("base64") !== data[0]) return "data is not base64";
  return { address, state: { lamports, owner, executable, data: Uint8Array.from(bytes) } };
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function addressIn(value: unknown, name: string): string | undefined {
  const text = field(value, name);
  const parsed = typeof text === "string" ? parseAddress("solana", text) : undefined;
  return parsed?.ok ? parsed.value : undefined;
}

function integer(value: unknown): bigint | undefined {
  const text = isRawNumber(value) ? value.rawJSON : typeof value === "number" ? String(value) : "";
  if (!/^\d{1,20}$/.test(text)) return undefined;
  const amount = BigInt(text);
  return amount < 1n << 64n ? amount : undefined;
}

function whole(json: unknown, name: string): number | undefined {
  const value = Array.isArray(json) ? undefined : field(json, name);
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new ConfigInvalidError(`the Solana snapshot: ${name} must be a whole number`);
}
