import type { AddressEvent } from "./event.ts";

/** Fields that are texts, or a list of texts, and nothing that the schema would write otherwise. */
const plainNames: ReadonlySet<string> = new Set([
  "type",
  "chain_id",
  "address",
  "user_addresses",
  "token_address",
  "id",
  "tenant",
]);
/** Names that are told to be in order at a glance; of others the schema decides. */
const plainName = /^[ -~]{1,256}$/;
const MAX_USERS = 10_000;

/**
 * Whether a value from JSON is an event about an address as nearly all are: documented names in their first spelling, texts
 * wherever texts may stand, and nothing beside. Of such a one the schema gives back the same; of any other only the schema
 * tells. The schema and what surrounds it take ten times as long, for each event.
 */
export function isPlainEvent(value: unknown): value is AddressEvent {
  if (typeof value !== "object" || value === null) return false;
  for (const name in value) if (!plainNames.has(name)) return false;
  const { type, chain_id, address, token_address, user_addresses, id, tenant } = value as Readonly<
    Record<string, unknown>
  >;
  if (type !== "address" || typeof chain_id !== "string" || typeof address !== "string") return false;
  if (token_address !== undefined && typeof token_address !== "string") return false;
  return isNameOrAbsent(id) && isNameOrAbsent(tenant) && (user_addresses === undefined || areTexts(user_addresses));
}

function isNameOrAbsent(value: unknown): boolean {
  return value === undefined || (typeof value === "string" && plainName.test(value));
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MAX_USERS && value.every((text) => typeof text === "string");
}
