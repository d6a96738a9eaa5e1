import type { CanonicalAddress } from "../../address.ts";

/** Bytes as lower-case hex. */
export interface Bytes {
  readonly hex: string;
}

export interface AddressValue {
  readonly address: CanonicalAddress;
}

/** The value of a field: integers and enums exactly, addresses canonical, bytes in hex. */
export type FieldValue = bigint | boolean | string | Bytes | AddressValue | MessageValue;

/** A message by the field names of the protocol. Fields that JSON leaves out are absent. Repeated fields are lists. */
export interface MessageValue {
  readonly fields: ReadonlyMap<string, FieldValue | readonly FieldValue[]>;
}

/** The integer of a field. An absent field is 0. */
export function integerIn(value: MessageValue, name: string): bigint {
  const found = value.fields.get(name);
  return typeof found === "bigint" ? found : 0n;
}

export function addressIn(value: MessageValue, name: string): CanonicalAddress | undefined {
  const found = value.fields.get(name);
  return isObject(found) && "address" in found ? found.address : undefined;
}

/** The bytes of a field in lower-case hex. Empty when the field is absent. */
export function hexIn(value: MessageValue, name: string): string {
  const found = value.fields.get(name);
  return isObject(found) && "hex" in found ? found.hex : "";
}

/** The bytes of a field as UTF-8. Invalid bytes are replaced. */
export function textIn(value: MessageValue, name: string): string {
  const found = value.fields.get(name);
  return typeof found === "string" ? found : textOfHex(hexIn(value, name));
}

export function messageIn(value: MessageValue, name: string): MessageValue | undefined {
  const found = value.fields.get(name);
  return isObject(found) && "fields" in found ? found : undefined;
}

export function messagesIn(value: MessageValue, name: string): readonly MessageValue[] {
  return itemsIn(value, name).flatMap((each) => (isObject(each) && "fields" in each ? [each] : []));
}

/** The values of a field, single or repeated. */
export function itemsIn(value: MessageValue, name: string): readonly FieldValue[] {
  const found = value.fields.get(name);
  if (found === undefined) return [];
  return isList(found) ? found : [found];
}

/** Bytes in hex as UTF-8. Invalid bytes are replaced. */
export function textOfHex(digits: string): string {
  return new TextDecoder().decode(Buffer.from(digits, "hex"));
}

type ObjectValue = Bytes | AddressValue | MessageValue;

function isObject(value: FieldValue | readonly FieldValue[] | undefined): value is ObjectValue {
  return typeof value === "object" && !isList(value);
}

function isList(value: FieldValue | readonly FieldValue[]): value is readonly FieldValue[] {
  return Array.isArray(value);
}
