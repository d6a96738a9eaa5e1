import { z } from "zod";
import { ChainId } from "../api/fields.ts";
import { misnamedAmong } from "../api/requests/misnamed-field.ts";
import { misnamedText, requestParser } from "../api/requests/request.ts";
import { shortName } from "../api/requests/short-name.ts";
import { findChain } from "../chains/registry.ts";
import type { DeepReadonly } from "../kernel/deep-readonly.ts";
import { isRawNumber, MAX_JSON_DEPTH, parseExact, repeatedKey } from "../kernel/json.ts";
import { fail, ok, type Result } from "../kernel/result.ts";
import { checks } from "./checks.ts";
import { isTime } from "./is-time.ts";
import { lanes } from "./lane.ts";
import { readPlainEvent } from "./plain-event.ts";
import { type OnStrays, strayAddressesAmong, strayText } from "./unread/stray-address.ts";

/** The longest record that is parsed, bytes. A longer or deeper record gets UNKNOWN without parsing. */
export const MAX_EVENT_BYTES = 262_144;

const OneLine = /^[^\p{Cc}]*$/u;
const Name = z.string().min(1, "must not be empty").max(256).regex(OneLine, "must not hold control characters");

/** The fields by which a producer identifies its record. A malformed record keeps them too (malformed-names.ts). */
export const ScreeningEventNames = {
  id: Name.optional().describe("the producer's idempotency key; without it topic/partition/offset (file/line)"),
  tenant: Name.optional(),
  ref: z.unknown().optional().describe("echoed untouched"),
};

/** Fields that every event may have. On Kafka the topic decides the lane; `lane` counts in files only. */
const common = {
  id: ScreeningEventNames.id,
  tenant: ScreeningEventNames.tenant,
  chain_id: ChainId,
  user_addresses: z.array(z.string()).max(10_000).optional().describe("addresses the user is known by or has paid"),
  checks: z.array(z.enum(checks, { error: `must be one of ${checks.join(", ")}` })).optional(),
  lane: z.enum(lanes, { error: "must be realtime or backfill" }).optional(),
  occurred_at: z
    .string()
    .refine(isTime, "must be a time such as 2026-01-31T08:00:00Z")
    .optional()
    .describe("RFC 3339; a date by itself is one, too"),
  ref: ScreeningEventNames.ref,
};

export const AddressEvent = z
  .object({
    ...common,
    type: z.literal("address"),
    address: z.string().describe("where the money comes from or goes to"),
    token_address: z.string().optional(),
    user_address: z.string().optional().describe("one more of user_addresses, as the service's single form names it"),
  })
  .meta({ id: "AddressEvent" });

export const TransactionEvent = z
  .object({
    ...common,
    type: z.literal("transaction"),
    transaction: z.union([z.looseObject({}), z.array(z.looseObject({})).min(1, "at least 1 item")], {
      error: "must be an object or an array",
    }),
    dapp_url: z.string().optional(),
  })
  .meta({ id: "TransactionEvent" });

export type AddressEvent = DeepReadonly<z.infer<typeof AddressEvent>>;
export type TransactionEvent = DeepReadonly<z.infer<typeof TransactionEvent>>;

/** An input message. Field names are accepted in both spellings. Source: docs/schemas/event.schema.json. */
export const ScreeningEvent = z.discriminatedUnion("type", [AddressEvent, TransactionEvent]);
export type ScreeningEvent = DeepReadonly<z.infer<typeof ScreeningEvent>>;

const parsers = { address: requestParser(AddressEvent), transaction: requestParser(TransactionEvent) } as const;

/** The field names of an event about an address. CSV columns have the same names. */
export const addressFields: readonly string[] = Object.keys(AddressEvent.shape);
const transactionFields: readonly string[] = Object.keys(TransactionEvent.shape);
const misnamedIn = { address: misnamedAmong(addressFields), transaction: misnamedAmong(transactionFields) } as const;
const straysIn = {
  address: strayAddressesAmong(addressFields),
  transaction: strayAddressesAmong(transactionFields),
} as const;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads one record and keeps the text of numbers exactly. @returns the exact fault when the record is no event.
 *
 * @param onStrays receives the addresses of the record that are not read.
 */
export function parseEvent(bytes: Uint8Array, onStrays?: OnStrays): Result<ScreeningEvent> {
  if (bytes.byteLength > MAX_EVENT_BYTES) return fail(`larger than ${MAX_EVENT_BYTES} bytes`);
  const plain = readPlainEvent(bytes, 0, bytes.byteLength);
  return plain === undefined ? parseBySchema(bytes, onStrays) : ok(plain);
}

function parseBySchema(bytes: Uint8Array, onStrays: OnStrays | undefined): Result<ScreeningEvent> {
  try {
    const text = utf8.decode(bytes);
    const value = parseExact(text);
    // The JSON parser keeps the last of repeated keys. With users first and an empty list later, the event would have
    // no users. A signer may read the first of two recipients, and its address would be lost. The contents of ref
    // belong to the producer.
    const twice = repeatedKey(text, MAX_JSON_DEPTH, "ref");
    return twice === undefined ? readEvent(value, onStrays) : fail(`${shortName(twice)}: given twice`);
  } catch (thrown) {
    if (thrown instanceof TypeError) return fail("not valid UTF-8");
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return fail(thrown.message.startsWith("nested") ? thrown.message : "not valid JSON");
  }
}

/** Checks a parsed value of any format. @param onStrays works as in `parseEvent`. */
export function readEvent(value: unknown, onStrays?: OnStrays): Result<ScreeningEvent> {
  if (typeof value !== "object" || value === null || Array.isArray(value) || isRawNumber(value)) {
    return fail("must be a JSON object");
  }
  // A number that was kept as text is an object for a schema.
  const transaction: unknown = Reflect.get(value, "transaction");
  if ([transaction].flat().some(isRawNumber)) return fail("transaction: must be an object or an array");
  const type: unknown = Reflect.get(value, "type");
  if (type !== "address" && type !== "transaction") {
    return fail(type === undefined ? "type: field required" : "type: must be address or transaction");
  }
  // A misspelled name explains more than a missing name, so it is reported before the schema runs.
  const misnamed = misnamedIn[type](Object.keys(value));
  if (misnamed !== undefined) return fail(misnamedText(misnamed));
  const event = parsers[type](value);
  if (!event.ok) return event;
  const family = findChain(event.value.chain_id)?.family;
  const strays = family === undefined ? [] : straysIn[type](value, family);
  if (strays.length > 0) {
    onStrays?.(strays);
    const refused = strays.find(({ isTelling }) => isTelling);
    if (refused !== undefined) return fail(strayText(refused));
  }
  return event.value.type === "address" ? ok(withAllUsers(event.value)) : event;
}

function withAllUsers({ user_address: one, ...event }: AddressEvent): AddressEvent {
  return one === undefined ? event : { ...event, user_addresses: [...new Set([...(event.user_addresses ?? []), one])] };
}
