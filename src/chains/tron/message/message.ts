/**
 * Messages of TRON's protocol buffers as data: what is read from JSON and written as bytes is driven by these tables.
 * Source of all names and numbers: tronprotocol/protocol, core/Tron.proto and core/contract/*.proto.
 */

/** How a user's text stands in JSON: as text when a node wrote it with `visible`, else in hex. */
export type NameSpelling = "text" | "hex";

/**
 * What a field holds. `address`, `bytes`, `name` and `bitmap` are all bytes on the wire; `name` is text of the user's,
 * which stands in JSON as text or in hex; `bitmap` in hex or Base64.
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
      /** An entry of a map: its order has no meaning, and its fields are written even when they are 0. */
      readonly isMapEntry?: true;
    };

export interface MessageField {
  readonly number: number;
  /** As the protocol spells it; JSON may have it in camel case too. */
  readonly name: string;
  readonly kind: FieldKind;
  readonly repeated: boolean;
}

/** The fields of a message, ascending by number, as both of TRON's libraries write them. */
export type MessageType = readonly MessageField[];

/** A field that holds one value. */
export function one(number: number, name: string, kind: FieldKind): MessageField {
  return { number, name, kind, repeated: false };
}

/** A field that holds any number of values. */
export function many(number: number, name: string, kind: FieldKind): MessageField {
  return { number, name, kind, repeated: true };
}
