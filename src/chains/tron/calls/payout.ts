import { type CanonicalAddress, parseAddress } from "../../address.ts";
import { numberAt, WORD_DIGITS, wordAt } from "./calls-inside.ts";

/** One payment that a call makes. */
export interface Payout {
  readonly to: CanonicalAddress | "caller" | "router";
  /** The paid token, as the last 40 digits of its address. Undefined when the call names no token. */
  readonly token: string | undefined;
  /** The least amount that a trade returns, or that a forwarding call forwards. Undefined when the call states none. */
  readonly least: bigint | undefined;
  /**
   * The most that the user pays for it. Undefined when the call states none, and when the router pays from its own
   * balance.
   */
  readonly most: bigint | undefined;
  readonly isTrade: boolean;
  /** The share of a fee, in 1 of 10,000. Undefined when the payment is no fee. */
  readonly fee: bigint | undefined;
  /** The amount that an earlier call left with the router, and that this payment forwards or trades. */
  readonly takes: { readonly token: string | undefined } | undefined;
}

/**
 * Addresses that stand for another account.
 * - `self_is_0`: 0 is the router itself, as in Uniswap's SwapRouter and its position manager.
 * - `caller_1_self_2`: 1 is the caller and 2 the router, as in SwapRouter02 and the universal router.
 */
export type Placeholders = "none" | "self_is_0" | "caller_1_self_2";

/** An amount of this size is no bound. BTT, the labelled token with the most units, has less than 2^110. */
export const UNBOUNDED = 2n ** 112n - 1n;

/** Position of a token in a packed path. */
export type PathEnd = "path_first" | "path_last";

/** The share of a payment that is a usual fee, in 1 of 10,000. Source: Uniswap V3, PeripheryPaymentsWithFee. */
export const USUAL_FEE_BIPS = 100n;

const ADDRESS_DIGITS = 40;

/**
 * The recipient that a word names. Undefined when the word is missing. A word with non-zero padding names the address
 * at its end, as old compilers read it.
 */
export function payee(word: string, placeholders: Placeholders): Payout["to"] | undefined {
  if (word === "") return undefined;
  const digits = word.slice(-ADDRESS_DIGITS);
  const number = BigInt(`0x${digits}`);
  if (placeholders === "self_is_0" && number === 0n) return "router";
  if (placeholders === "caller_1_self_2" && number === 1n) return "caller";
  if (placeholders === "caller_1_self_2" && number === 2n) return "router";
  const address = parseAddress("tron", `41${digits}`);
  return address.ok ? address.value : undefined;
}

/** The bound that a word states. A missing word bounds nothing, so it counts as 0. */
export function boundOf(word: string): bigint {
  return word === "" ? 0n : BigInt(`0x${word}`);
}

/** The last token of a list of addresses. The length of the list stands at `from`. */
export function tokenInList(body: string, from: number): string | undefined {
  const length = numberAt(body, from);
  return length === undefined || length === 0
    ? undefined
    : wordAt(body, from + length * WORD_DIGITS).slice(24) || undefined;
}

/** An end of a path that is packed as token, fee, token, ... The length of the path stands at `from`. */
export function tokenInPath(body: string, from: number, end: PathEnd): string | undefined {
  const length = numberAt(body, from);
  if (length === undefined || 2 * length < ADDRESS_DIGITS) return undefined;
  const path = body.slice(from + WORD_DIGITS, from + WORD_DIGITS + 2 * length);
  return end === "path_first" ? path.slice(0, ADDRESS_DIGITS) : path.slice(-ADDRESS_DIGITS);
}
