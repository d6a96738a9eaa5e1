import { misnamedAmong } from "../api/requests/misnamed-field.ts";
import { misnamedText, requestParser } from "../api/requests/request.ts";
import { shortName } from "../api/requests/short-name.ts";
import { findChain } from "../chains/registry.ts";
import { isRawNumber, MAX_JSON_DEPTH, parseExact, repeatedKey } from "../kernel/json.ts";
import { fail, ok, type Result } from "../kernel/result.ts";
import { AddressEvent, addressFields, MAX_EVENT_BYTES, type ScreeningEvent, TransactionEvent } from "./event.ts";
import { withPlainNames, withStatedChain } from "./mapping/written-event.ts";
import { readPlainEvent } from "./plain-event.ts";
import { type OnStrays, strayAddressesAmong, strayText } from "./unread/stray-address.ts";

const parsers = { address: requestParser(AddressEvent), transaction: requestParser(TransactionEvent) } as const;

const transactionFields: readonly string[] = Object.keys(TransactionEvent.shape);
const misnamedIn = { address: misnamedAmong(addressFields), transaction: misnamedAmong(transactionFields) } as const;
const straysIn = {
  address: strayAddressesAmong(addressFields),
  transaction: strayAddressesAmong(transactionFields),
} as const;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads one record. Number text survives exactly. @returns what is wrong, precisely, for a record that is no event.
 *
 * @param onStrays told of the addresses in it that are not read.
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
    // The parser keeps the last of several: users, and then an empty list, would be an event without users.
    // A signer may read the first of two recipients, and an address in it would be lost. What stands in ref is the producer's.
    const twice = repeatedKey(text, MAX_JSON_DEPTH, "ref");
    return twice === undefined ? readEvent(value, onStrays) : fail(`${shortName(twice)}: given twice`);
  } catch (thrown) {
    if (thrown instanceof TypeError) return fail("not valid UTF-8");
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return fail(thrown.message.startsWith("nested") ? thrown.message : "not valid JSON");
  }
}

/** Checks a value that was already parsed, from whatever format. @param onStrays as of `parseEvent`. */
export function readEvent(value: unknown, onStrays?: OnStrays): Result<ScreeningEvent> {
  if (typeof value !== "object" || value === null || Array.isArray(value) || isRawNumber(value)) {
    return fail("must be a JSON object");
  }
  // To a schema, a number that was kept as text is an object.
  const transaction: unknown = Reflect.get(value, "transaction");
  if ([transaction].flat().some(isRawNumber)) return fail("transaction: must be an object or an array");
  const type: unknown = Reflect.get(value, "type");
  if (type !== "address" && type !== "transaction") {
    return fail(type === undefined ? "type: field required" : "type: must be address or transaction");
  }
  // Before the schema looks for what is missing: the name at fault says more than the name that is not there.
  const misnamed = misnamedIn[type](Object.keys(value));
  if (misnamed !== undefined) return fail(misnamedText(misnamed));
  const parsed = parsers[type](withStatedChain(value));
  const event = parsed.ok ? withPlainNames(parsed.value) : parsed;
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
