import { amountText } from "../../chains/solana/amount-text.ts";

/**
 * Price of one whole token of a mint, or of `native`, in US dollars, as a plain decimal. Undefined when the price is
 * unknown.
 */
export type PriceOf = (token: string) => string | undefined;

/**
 * The exact worth of `amount`, without rounding. `amount` is in the smallest unit. `price` is a plain decimal for one
 * whole token.
 */
export function valueText(amount: bigint, decimals: number, price: string): string {
  const [whole = "", fraction = ""] = price.split(".");
  return amountText(amount * BigInt(`${whole}${fraction}`), decimals + fraction.length);
}
