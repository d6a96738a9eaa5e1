/**
 * Messages of TRON's protocol buffers as data. These tables drive reading from JSON and writing as bytes. Source of all
 * names and numbers: tronprotocol/protocol, core/Tron.proto and core/contract/*.proto.
 */

/** How a user's text stands in JSON: as text when a node wrote it with `visible`, else in hex. */
export type NameSpelling = "text" | "hex";

/**
 * The content of a field. `address`, `bytes`, `name` and `bitmap` are all bytes on the wire. A `name` is text of the
 * user, which JSON holds as text or in hex. JSON holds a `bitmap` in hex or Base64.
 */
export type FieldKind =
  | "address"
  | "bytes"
  | "name"
  | "bitmap"
  | "text"
  | "bool"
  | "int32"
  | "int64"
  | { readonly enum: Readonly<Record<string, number>> }
  | {
      readonly message: MessageType;
      /** An entry of a map. The order of entries has no meaning, and their fields are written even when they are 0. */
      readonly isMapEntry?: true;
    };

export interface MessageField {
  readonly number: number;
  /** The name in the spelling of the protocol. JSON may have it in camel case too. */
  readonly name: string;
  readonly kind: FieldKind;
  readonly repeated: boolean;
}

/** The fields of a message, ascending by number. Both of TRON's libraries write them in this order. */
export type MessageType = readonly MessageField[];

/** A field that holds one value. */
export function one(number: number, name: string, kind: FieldKind): MessageField {
  return { number, name, kind, repeated: false };
}

/** A field that holds any number of values. */
export function many(number: number, name: string, kind: FieldKind): MessageField {
  return { number, name, kind, repeated: true };
}
