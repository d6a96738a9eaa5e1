import type { CanonicalAddress } from "../address.ts";
import { isNobodys } from "../nobody.ts";
import type { EvmReading } from "./read-transaction.ts";

/** Payments that are lost, or that go where no payment should go, as far as calldata tells. */
export const paymentMistakes = ["to_token_contract", "to_burn_address", "value_to_unknown_contract"] as const;
export type PaymentMistake = (typeof paymentMistakes)[number];

export interface FoundMistake {
  readonly mistake: PaymentMistake;
  readonly to: CanonicalAddress;
  /** The token that is sent; absent for coins. */
  readonly token?: CanonicalAddress;
}

/** What labels say of an address of the transaction's chain. */
export interface KnownContracts {
  isToken(address: CanonicalAddress): boolean;
  /** Whether it is a labelled token or service, or allowed. */
  isLabelled(address: CanonicalAddress): boolean;
  /** Whether a call of it may be believed to do what its selector says. */
  isKnown(address: CanonicalAddress): boolean;
}

/** Different mistakes of one transaction that are told. */
const MOST_TOLD = 16;

/**
 * Mistakes that need no node to be seen. A token that is sent to a token's contract is lost, and so is anything sent to a burn
 * address. Coins beside a call of a contract without a label are what drainers ask for. Coins sent to a token's contract
 * may be meant to be wrapped, so they are no mistake.
 */
export function paymentMistakesIn(does: EvmReading, known: KnownContracts): readonly FoundMistake[] {
  const called = new Set(does.contracts);
  const found = new Map<string, FoundMistake>();
  for (const act of does.acts) {
    if (act.does !== "pay" && act.does !== "transfer") continue;
    const token = act.does === "transfer" ? act.token : undefined;
    const mistake = mistakeOf(act.to, token, act.amount, called, known);
    if (mistake === undefined || found.size >= MOST_TOLD) continue;
    const each = { mistake, to: act.to, ...(token === undefined ? {} : { token }) };
    found.set(JSON.stringify(each), each);
  }
  return [...found.values()];
}

function mistakeOf(
  to: CanonicalAddress,
  token: CanonicalAddress | undefined,
  amount: bigint,
  called: ReadonlySet<CanonicalAddress>,
  known: KnownContracts,
): PaymentMistake | undefined {
  if (isNobodys("evm", to)) return "to_burn_address";
  if (token !== undefined) return to === token || known.isToken(to) ? "to_token_contract" : undefined;
  return amount > 0n && called.has(to) && !known.isLabelled(to) ? "value_to_unknown_contract" : undefined;
}
