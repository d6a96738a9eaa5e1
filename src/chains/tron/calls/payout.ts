import { type CanonicalAddress, parseAddress } from "../../address.ts";
import { numberAt, WORD_DIGITS, wordAt } from "./calls-inside.ts";

/** Something that a call pays to somebody. */
export interface Payout {
  readonly to: CanonicalAddress | "caller" | "router";
  /** What is paid, as the last 40 digits of its address; undefined for what is not named. */
  readonly token: string | undefined;
  /** Of a trade, what comes back at least; of what is passed on, how much that must be. Undefined for what says nothing of it. */
  readonly least: bigint | undefined;
  /** What the user pays for it at most. Undefined for what says nothing of it, and for what the router pays with what it holds. */
  readonly most: bigint | undefined;
  readonly isTrade: boolean;
  /** It takes what a call before left with the router: to pass it on, or to trade it. */
  /** Of what is paid as a fee: its part, of 10,000. */
  readonly fee: bigint | undefined;
  readonly takes: { readonly token: string | undefined } | undefined;
}

/**
 * Addresses that stand for somebody else. `self_is_0`: 0 is the router itself, as in Uniswap's SwapRouter and its position
 * manager; `caller_1_self_2`: 1 is the caller and 2 the router, as in SwapRouter02 and the universal router.
 */
export type Placeholders = "none" | "self_is_0" | "caller_1_self_2";

/** A bound of so much is none: BTT, of all labelled tokens the one with the most units, has less than 2^110. */
export const UNBOUNDED = 2n ** 112n - 1n;

/** Where in a packed path a token stands. */
export type PathEnd = "path_first" | "path_last";

/** Part of a payment that is usual as a fee, of 10,000. Source: Uniswap V3, PeripheryPaymentsWithFee. */
export const USUAL_FEE_BIPS = 100n;

const ADDRESS_DIGITS = 40;

/** Who is paid by a word; undefined where there is none. Of a dirty word the end, as old compilers have it. */
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

/** An amount that a word says, as a bound; of a word that is not there nothing is sure, which is 0. */
export function boundOf(word: string): bigint {
  return word === "" ? 0n : BigInt(`0x${word}`);
}

/** The last token of a list of addresses; its length stands at `from`. */
export function tokenInList(body: string, from: number): string | undefined {
  const length = numberAt(body, from);
  return length === undefined || length === 0
    ? undefined
    : wordAt(body, from + length * WORD_DIGITS).slice(24) || undefined;
}

/** An end of a path that is packed as token, fee, token, ...; its length stands at `from`. */
export function tokenInPath(body: string, from: number, end: PathEnd): string | undefined {
  const length = numberAt(body, from);
  if (length === undefined || 2 * length < ADDRESS_DIGITS) return undefined;
  const path = body.slice(from + WORD_DIGITS, from + WORD_DIGITS + 2 * length);
  return end === "path_first" ? path.slice(0, ADDRESS_DIGITS) : path.slice(-ADDRESS_DIGITS);
}
