import type { MessageField, MessageType } from "./message.ts";
import { type FieldValue, integerIn, itemsIn, type MessageValue, textOfHex } from "./message-value.ts";

/** A JSON message, read with each of the two spellings that its names may have. */
export interface JsonMessage {
  readonly asText: MessageValue;
  readonly asHex: MessageValue;
}

/**
 * Whether bytes match the displayed JSON.
 * - `same`: they match.
 * - `same_text`: a name is displayed with replacement marks for bytes that are no text, so other bytes would look the
 *   same.
 * - `differs`: they do not match.
 */
export type Comparison = "same" | "same_text" | "differs";

/** The worst of several comparisons. */
export function worst(comparisons: readonly Comparison[]): Comparison {
  if (comparisons.includes("differs")) return "differs";
  return comparisons.includes("same_text") ? "same_text" : "same";
}

/**
 * Compares displayed JSON with bytes by meaning, field by field. A field with its default value may be left out. A map
 * has no order. Each name is text or hex by itself, because nodes write names in hex that JSON cannot hold.
 */
export function compareMessage(message: MessageType, shown: JsonMessage, signed: MessageValue): Comparison {
  return worst(message.map((field) => compareField(field, shown, signed)));
}

function compareField(field: MessageField, { asText, asHex }: JsonMessage, signed: MessageValue): Comparison {
  const [texts, hexes, said] = [asText, asHex, signed].map((value) => inOrder(field, itemsIn(value, field.name)));
  if (texts === undefined || hexes === undefined || said === undefined) return "differs";
  if (!field.repeated && !isMessage(field)) return compareItem(field, texts[0], hexes[0], said[0]);
  if (texts.length !== said.length) return "differs";
  return worst(texts.map((text, i) => compareItem(field, text, hexes[i], said[i])));
}

type Item = FieldValue | undefined;

function compareItem(field: MessageField, text: Item, hex: Item, said: Item): Comparison {
  if (isValue(text) && isValue(hex) && isValue(said)) {
    const message = typeof field.kind === "object" && "message" in field.kind ? field.kind.message : [];
    return compareMessage(message, { asText: text, asHex: hex }, said);
  }
  const signed = plain(said);
  if (plain(text) === signed || plain(hex) === signed) return "same";
  // Replacement marks carry no information: two different names without valid text would look equal.
  const isAlike = field.kind === "name" && textOfHex(plain(text)) === textOfHex(signed);
  return isAlike ? "same_text" : "differs";
}

/** The comparable text of a value. A missing value and every default value are empty. */
function plain(item: Item): string {
  if (typeof item === "object" && "hex" in item) return item.hex;
  if (typeof item === "object" && "address" in item) return item.address;
  if (item === undefined || isValue(item) || item === 0n || item === false) return "";
  return String(item);
}

function isValue(item: Item): item is MessageValue {
  return typeof item === "object" && "fields" in item;
}

function isMessage({ kind }: MessageField): boolean {
  return typeof kind === "object" && "message" in kind;
}

function inOrder({ kind }: MessageField, items: readonly FieldValue[]): readonly FieldValue[] {
  if (typeof kind !== "object" || !("message" in kind) || kind.isMapEntry !== true) return items;
  return items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function keyOf(entry: FieldValue): bigint {
  return isValue(entry) ? integerIn(entry, "key") : 0n;
}
