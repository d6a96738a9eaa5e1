import { type CanonicalAddress, parseAddress } from "../address.ts";
import { type AbiType, headWords, isDynamic } from "./abi-type.ts";
import type { ReadSpans } from "./read-spans.ts";

/** What an argument was read as: integers exactly, bytes in lower-case hex, tuples and lists in order. */
export type AbiValue =
  | bigint
  | boolean
  | CanonicalAddress
  | { readonly hex: string }
  | { readonly items: readonly AbiValue[] };

const WORD_DIGITS = 64;
/** Most values of one call: lists may point at one another's bytes, and so be far larger than what was sent. */
const MAX_VALUES = 8_192;

/** How many values may still be read, and where values were read. */
interface Budget {
  left: number;
  readonly spans: ReadSpans | undefined;
}

/**
 * Reads arguments in hex digits. Bytes behind them are passed over, as contracts pass over them. An argument that is not
 * there, or is none of its type (an address with anything in front of it, a number that is too large), makes all of them
 * unreadable: contracts refuse it, or cut it, by the compiler that they were made with.
 *
 * @param spans is told where each value stands.
 * @returns undefined for what cannot be read, or is more than anybody calls. Never throws.
 */
export function readArguments(digits: string, inputs: AbiType, spans?: ReadSpans): readonly AbiValue[] | undefined {
  const value = readInPlace(digits, 0, inputs, { left: MAX_VALUES, spans });
  return typeof value === "object" && "items" in value ? value.items : undefined;
}

/** A value whose own bytes begin at `at`, counted in digits. */
function readInPlace(digits: string, at: number, type: AbiType, budget: Budget): AbiValue | undefined {
  budget.left--;
  if (budget.left < 0) return undefined;
  switch (type.is) {
    case "tuple":
      return readMembers(digits, at, type.members, budget);
    case "list": {
      const length = readLength(digits, at);
      if (length === undefined || length > budget.left) return undefined;
      budget.spans?.add(at, at + WORD_DIGITS);
      return readMembers(digits, at + WORD_DIGITS, new Array<AbiType>(length).fill(type.of), budget);
    }
    case "bytes": {
      const length = readLength(digits, at);
      if (length === undefined) return undefined;
      const from = at + WORD_DIGITS;
      const end = from + 2 * length;
      budget.spans?.add(at, end);
      return end > digits.length ? undefined : { hex: digits.slice(from, end) };
    }
    default:
      budget.spans?.add(at, at + WORD_DIGITS);
      return readWord(digits, at, type);
  }
}

/** Values side by side: those of no fixed size are named by their offset from where the first one stands. */
function readMembers(
  digits: string,
  base: number,
  types: readonly AbiType[],
  budget: Budget,
): { readonly items: readonly AbiValue[] } | undefined {
  const items: AbiValue[] = [];
  let head = base;
  for (const type of types) {
    const offset = isDynamic(type) ? readLength(digits, head) : undefined;
    if (isDynamic(type) && offset === undefined) return undefined;
    if (offset !== undefined) budget.spans?.add(head, head + WORD_DIGITS);
    const value = readInPlace(digits, offset === undefined ? head : base + 2 * offset, type, budget);
    if (value === undefined) return undefined;
    items.push(value);
    head += headWords(type) * WORD_DIGITS;
  }
  return { items };
}

function readWord(digits: string, at: number, type: AbiType): AbiValue | undefined {
  const word = digits.slice(at, at + WORD_DIGITS);
  if (word.length < WORD_DIGITS) return undefined;
  const number = BigInt(`0x${word}`);
  if (type.is === "word") return { hex: word };
  if (type.is === "bool") return number > 1n ? undefined : number === 1n;
  if (type.is === "uint") return number < 1n << BigInt(type.bits) ? number : undefined;
  return number < 1n << 160n ? addressOf(word.slice(WORD_DIGITS - 40)) : undefined;
}

/** A length or an offset in bytes; undefined for more than there are digits. */
function readLength(digits: string, at: number): number | undefined {
  const word = digits.slice(at, at + WORD_DIGITS);
  if (word.length < WORD_DIGITS) return undefined;
  const number = BigInt(`0x${word}`);
  return number <= BigInt(digits.length) ? Number(number) : undefined;
}

/** Of 40 hex digits, which are an address whatever they are. */
export function addressOf(digits: string): CanonicalAddress {
  const address = parseAddress("evm", `0x${digits.toLowerCase()}`);
  if (!address.ok) throw new Error("40 hex digits are an address");
  return address.value;
}
