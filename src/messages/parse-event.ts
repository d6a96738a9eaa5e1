import { foldedName, misnamedAmong } from "../api/requests/misnamed-field.ts";
import { misnamedText, requestParser } from "../api/requests/request.ts";
import { shortName } from "../api/requests/short-name.ts";
import type { Family } from "../chains/chain.ts";
import { findChain } from "../chains/registry.ts";
import { isRawNumber, MAX_JSON_DEPTH, parseExact, repeatedKey } from "../kernel/json.ts";
import { fail, ok, type Result } from "../kernel/result.ts";
import { AddressEvent, addressFields, MAX_EVENT_BYTES, type ScreeningEvent, TransactionEvent } from "./event.ts";
import { likelyText } from "./mapping/likely-field.ts";
import { withPlainNames, withStatedChain } from "./mapping/written-event.ts";
import { readPlainEvent } from "./plain-event.ts";
import { type OnStrays, type StrayAddress, strayAddressesAmong, strayText } from "./unread/stray-address.ts";

const parsers = { address: requestParser(AddressEvent), transaction: requestParser(TransactionEvent) } as const;

const transactionFields: readonly string[] = Object.keys(TransactionEvent.shape);
const misnamedIn = { address: misnamedAmong(addressFields), transaction: misnamedAmong(transactionFields) } as const;
const straysIn = {
  address: strayAddressesAmong(addressFields),
  transaction: strayAddressesAmong(transactionFields),
} as const;
/** What a mapping leaves unread is searched whatever its names are. */
const straysInRest = strayAddressesAmong([]);

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
  const type: unknown = Reflect.get(value, "type");
  if (type !== "address" && type !== "transaction") {
    return fail(type === undefined ? missingText(value) : "type: must be address or transaction");
  }
  // Before the schema looks for what is missing: the name at fault says more than the name that is not there.
  const misnamed = misnamedIn[type](Object.keys(value));
  if (misnamed !== undefined) return fail(misnamedText(misnamed));
  return checkedEvent(type, value, (family) => straysIn[type](value, family), onStrays);
}

/** A record in the names of another program: everything that is missing, and what its names most likely mean. */
function missingText(value: object): string {
  const names = Object.keys(value);
  const missing = ["type", "chain_id", "address"].filter(
    (field) => !names.some((name) => name === field || foldedName(name) === field),
  );
  const likely = likelyText(names.filter((name) => !addressFields.includes(foldedName(name))));
  if (missing.length === 1 || likely === "") return "type: field required";
  return `${missing.join(", ")}: fields required${likely}; weir map suggest prints a mapping`;
}

/**
 * Checks the fields of an event that a mapping filled.
 *
 * @param rest what the mapping did not read. Its names may be any, and addresses in it are searched for.
 */
export function readEventParts(fields: object, rest: object, onStrays?: OnStrays): Result<ScreeningEvent> {
  const isTransaction = Reflect.get(fields, "type") === "transaction";
  const type = isTransaction ? "transaction" : "address";
  return checkedEvent(type, fields, (family) => straysInRest(rest, family), onStrays);
}

function checkedEvent(
  type: ScreeningEvent["type"],
  fields: object,
  straysOn: (family: Family) => readonly StrayAddress[],
  onStrays: OnStrays | undefined,
): Result<ScreeningEvent> {
  // To a schema, a number that was kept as text is an object.
  const transaction: unknown = Reflect.get(fields, "transaction");
  if ([transaction].flat().some(isRawNumber)) return fail("transaction: must be an object or an array");
  const parsed = parsers[type](withStatedChain(fields));
  const event = parsed.ok ? withPlainNames(parsed.value) : parsed;
  if (!event.ok) return event;
  const family = findChain(event.value.chain_id)?.family;
  const strays = family === undefined ? [] : straysOn(family);
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
