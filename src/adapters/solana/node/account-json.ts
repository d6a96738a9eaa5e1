import { parseAddress } from "../../../chains/address.ts";
import type { AccountState } from "../../../chains/solana/accounts/account-state.ts";
import { UnavailableError } from "../../../worker/answers/service-errors.ts";

/**
 * An account in a node's JSON with base64 data. Undefined for null, and for an account without lamports, which does not
 * exist.
 */
export function readAccountJson(json: unknown): AccountState | undefined {
  if (json === null) return undefined;
  const owner = field(json, "owner");
  const executable = field(json, "executable");
  const lamports = wholeNumber(field(json, "lamports"));
  const data = field(json, "data");
  const [text, encoding]: readonly unknown[] = Array.isArray(data) ? data : [];
  if (typeof owner !== "string" || !parseAddress("solana", owner).ok) throw unreadable("an account's owner");
  if (typeof executable !== "boolean" || lamports === undefined) throw unreadable("an account");
  if (typeof text !== "string" || encoding !== "base64") throw unreadable("an account's data");
  if (lamports === 0n) return undefined;
  return { lamports, owner, executable, data: Uint8Array.from(Buffer.from(text, "base64")) };
}

export function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** A whole number that is not negative, in any form of kit. */
export function wholeNumber(value: unknown): bigint | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  return typeof value === "bigint" && value >= 0n ? value : undefined;
}

/** The error for an answer that no decision can rest on. */
export function unreadable(what: string): UnavailableError {
  return new UnavailableError(`the node's answer does not read: ${what}`);
}
