import { type CanonicalAddress, parseAddress } from "../../address.ts";
import { type AbiType, headWords, isDynamic } from "./abi-type.ts";
import type { ReadSpans } from "./read-spans.ts";

/** The decoded value of an argument: integers exactly, bytes in lower-case hex, tuples and lists in order. */
export type AbiValue =
  | bigint
  | boolean
  | CanonicalAddress
  | { readonly hex: string }
  | { readonly items: readonly AbiValue[] };

const WORD_DIGITS = 64;
/**
 * The most values of one call. Lists may point at one another's bytes, so decoded data can be far larger than the
 * calldata.
 */
const MAX_VALUES = 8_192;

/** How many more values may be read. The calls of one transaction share a budget. */
export interface ValueBudget {
  left: number;
}

export const valueBudget = (): ValueBudget => ({ left: MAX_VALUES });

/** How many more values may be read, and where values were read. */
interface Budget {
  readonly values: ValueBudget;
  readonly spans: ReadSpans | undefined;
}

/**
 * Reads arguments in hex digits. Bytes behind the arguments are ignored, as contracts ignore them.
 * All arguments are unreadable when one argument is missing or does not fit its type. Examples are an address with
 * non-zero padding and a number that is too large. Depending on the compiler, a contract refuses or truncates such an
 * argument.
 *
 * @param spans records where each value stands.
 * @returns undefined for unreadable arguments, and for more values than any real call has. Never throws.
 */
export function readArguments(
  digits: string,
  inputs: AbiType,
  spans?: ReadSpans,
  values = valueBudget(),
): readonly AbiValue[] | undefined {
  const value = readInPlace(digits, 0, inputs, { values, spans });
  return typeof value === "object" && "items" in value ? value.items : undefined;
}

/** A value with its own bytes beginning at `at`, counted in digits. */
function readInPlace(digits: string, at: number, type: AbiType, budget: Budget): AbiValue | undefined {
  budget.values.left--;
  if (budget.values.left < 0) return undefined;
  switch (type.is) {
    case "tuple":
      return readMembers(digits, at, type.members, budget);
    case "list": {
      const length = readLength(digits, at);
      if (length === undefined || length > budget.values.left) return undefined;
      budget.spans?.add(at, at + WORD_DIGITS);
      return readMembers(digits, at + WORD_DIGITS, new Array<AbiType>(length).fill(type.of), budget);
    }
    // Text is read as bytes; the characters are not decoded.
    case "string":
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

/** Reads values side by side. A value without a fixed size is named by its offset from the first value. */
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
  if (type.is === "int") return signed(number, type.bits);
  return number < 1n << 160n ? addressOf(word.slice(WORD_DIGITS - 40)) : undefined;
}

/** A signed number in two's complement. Undefined when it does not fit its bits. */
function signed(number: bigint, bits: number): bigint | undefined {
  const value = BigInt.asIntN(256, number);
  return BigInt.asIntN(bits, value) === value ? value : undefined;
}

/** A length or an offset in bytes. Undefined when it exceeds the number of digits. */
function readLength(digits: string, at: number): number | undefined {
  const word = digits.slice(at, at + WORD_DIGITS);
  if (word.length < WORD_DIGITS) return undefined;
  const number = BigInt(`0x${word}`);
  return number <= BigInt(digits.length) ? Number(number) : undefined;
}

/** The address of 40 hex digits. Every 20 bytes are a valid address. */
export function addressOf(digits: string): CanonicalAddress {
  const address = parseAddress("evm", `0x${digits.toLowerCase()}`);
  if (!address.ok) throw new Error("40 hex digits are an address");
  return address.value;
}
