import type { CanonicalAddress } from "./address.ts";
import { isBurnAddress } from "./burn-addresses.ts";
import type { Family } from "./chain.ts";

/** Payments that are lost, or that go where no payment should go, as far as the transaction tells. */
export const paymentMistakes = ["to_token_contract", "to_burn_address", "value_to_unknown_contract"] as const;
export type PaymentMistake = (typeof paymentMistakes)[number];

/** Something that a transaction pays. */
export interface Payment {
  readonly to: CanonicalAddress;
  /** The token that is sent; absent for coins, and where the transaction does not tell. */
  readonly token?: CanonicalAddress;
  /** What runs at the recipient: `nothing`, its `code` as for any coins, or the `call` that coins go beside. */
  readonly runs: "nothing" | "code" | "call";
  /** Coins stay in a contract that pays out, to any caller, what it holds. */
  readonly isLeft?: boolean;
}

export interface DetectedMistake {
  readonly mistake: PaymentMistake;
  readonly to: CanonicalAddress;
  readonly token?: CanonicalAddress;
  /** Whether coins stay in the contract, for its next caller. */
  readonly left?: true;
}

/** What labels say of an address of the transaction's chain. */
export interface RecognizedContracts {
  isToken(address: CanonicalAddress): boolean;
  /** Whether it is a labelled token or service, or allowed. */
  isLabelled(address: CanonicalAddress): boolean;
  /** Whether a call of it may be believed to do what its selector says. */
  isKnown(address: CanonicalAddress): boolean;
}

/** Different mistakes of one transaction that are told. */
const MOST_TOLD = 16;

/**
 * Mistakes that need no node to be seen. What is sent to a token's contract past its code is lost, and so is anything sent to a
 * burn address. Coins beside a call of a contract without a label are what drainers ask for, and what
 * a MultiSend does not pay on is left to its next caller. Coins that run the code of a
 * token's contract may be meant to be wrapped, so they are no mistake.
 */
export function paymentMistakesIn(
  family: Family,
  payments: Iterable<Payment>,
  known: RecognizedContracts,
): readonly DetectedMistake[] {
  const found = new Map<string, DetectedMistake>();
  for (const payment of payments) {
    const mistake = mistakeOf(family, payment, known);
    if (mistake === undefined || found.size >= MOST_TOLD) continue;
    const { to, token, isLeft } = payment;
    const left = mistake === "value_to_unknown_contract" && isLeft === true;
    const each = { mistake, to, ...(token === undefined ? {} : { token }), ...(left ? { left } : {}) };
    found.set(JSON.stringify(each), each);
  }
  return [...found.values()];
}

function mistakeOf(
  family: Family,
  { to, token, runs, isLeft }: Payment,
  known: RecognizedContracts,
): PaymentMistake | undefined {
  if (isBurnAddress(family, to)) return "to_burn_address";
  if (runs === "nothing") return to === token || known.isToken(to) ? "to_token_contract" : undefined;
  return runs === "call" && (isLeft === true || !known.isLabelled(to)) ? "value_to_unknown_contract" : undefined;
}
