import type { CanonicalAddress } from "./address.ts";
import { isBurnAddress } from "./burn-addresses.ts";
import type { Family } from "./chain.ts";

/** Payments that are lost or go to a wrong recipient, as far as the transaction tells. */
export const paymentMistakes = [
  "to_token_contract",
  "to_burn_address",
  "value_to_unknown_contract",
  "proceeds_to_stranger",
  "trade_at_any_price",
  "recipient_on_other_chain",
  "paid_in_unknown_token",
] as const;
export type PaymentMistake = (typeof paymentMistakes)[number];

/** One payment of a transaction. */
export interface Payment {
  readonly to: CanonicalAddress;
  /** The token that is sent. Absent for coins, and where the transaction does not tell. */
  readonly token?: CanonicalAddress;
  /**
   * The code that runs at the recipient: `nothing`, its `code` as for any coins, or the `call` that carries the coins.
   * A service that pays the `proceeds` of a call runs nothing there. A bridge pays `abroad` where the recipient is
   * named in the form of another chain; `to` is the bridge then. A `trade` pays in the token `to`.
   */
  readonly runs: "nothing" | "code" | "call" | "proceeds" | "abroad" | "trade";
  /** Coins stay in a contract that pays its balance to any caller. */
  readonly isLeft?: boolean;
  /** The payment is a trade that may return nothing. */
  readonly isAnyPrice?: boolean;
}

export interface DetectedMistake {
  readonly mistake: PaymentMistake;
  readonly to: CanonicalAddress;
  readonly token?: CanonicalAddress;
  /** Whether coins stay in the contract, where the next caller can take them. */
  readonly left?: true;
}

/** The labels of addresses on the chain of the transaction. */
export interface RecognizedContracts {
  isToken(address: CanonicalAddress): boolean;
  /** Whether the address is a labelled token or service, or is on the allow list. */
  isLabelled(address: CanonicalAddress): boolean;
  /** Whether the address belongs to the user. */
  isOwn(address: CanonicalAddress): boolean;
  /** Whether a call of the address can be trusted to do what its selector says. */
  isKnown(address: CanonicalAddress): boolean;
}

/** The most distinct mistakes of one transaction that are reported. */
const MOST_TOLD = 16;

/**
 * Mistakes that are visible without a node.
 * - A payment to a burn address is lost.
 * - A transfer to a token contract is lost, unless it runs the code of the contract.
 * - Drainers ask for coins beside a call of a contract without a label.
 * - Coins that a MultiSend does not forward are left to its next caller, as are proceeds that a router keeps.
 * - The proceeds of a trade, a withdrawal or a deposit go to an address that is not the user's.
 * - A trade pays in a token without a label, whose worth is not known.
 * - A recipient in the form of another chain cannot be compared.
 * - A trade without a least amount may return nothing.
 *
 * Coins that run the code of a token contract may be meant to be wrapped, so they are no mistake.
 */
export function paymentMistakesIn(
  family: Family,
  payments: Iterable<Payment>,
  known: RecognizedContracts,
): readonly DetectedMistake[] {
  const found = new Map<string, DetectedMistake>();
  for (const payment of payments) {
    for (const mistake of mistakesOf(family, payment, known)) {
      if (found.size >= MOST_TOLD) continue;
      const { to, token, isLeft } = payment;
      const left = mistake === "value_to_unknown_contract" && isLeft === true;
      const each = { mistake, to, ...(token === undefined ? {} : { token }), ...(left ? { left } : {}) };
      const key = `${mistake} ${to} ${token ?? ""}`;
      if (!found.has(key)) found.set(key, each);
    }
  }
  return [...found.values()];
}

function mistakesOf(family: Family, payment: Payment, known: RecognizedContracts): readonly PaymentMistake[] {
  const mistake = mistakeOf(family, payment, known);
  const found: PaymentMistake[] = mistake === undefined ? [] : [mistake];
  return payment.isAnyPrice === true ? [...found, "trade_at_any_price"] : found;
}

function mistakeOf(
  family: Family,
  { to, token, runs, isLeft }: Payment,
  known: RecognizedContracts,
): PaymentMistake | undefined {
  if (isBurnAddress(family, to)) return "to_burn_address";
  if (runs === "abroad") return "recipient_on_other_chain";
  if (runs === "trade") return known.isLabelled(to) ? undefined : "paid_in_unknown_token";
  if (runs === "nothing") return to === token || known.isToken(to) ? "to_token_contract" : undefined;
  if (runs === "proceeds") return mistakeOfProceeds(to, isLeft === true, known);
  return runs === "call" && (isLeft === true || !known.isLabelled(to)) ? "value_to_unknown_contract" : undefined;
}

function mistakeOfProceeds(
  to: CanonicalAddress,
  isLeft: boolean,
  known: RecognizedContracts,
): PaymentMistake | undefined {
  if (known.isOwn(to)) return undefined;
  if (isLeft) return "value_to_unknown_contract";
  return "proceeds_to_stranger";
}
