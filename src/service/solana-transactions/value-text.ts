import { amountText } from "../../chains/solana/amount-text.ts";

/** What one whole token of a mint, or of `native`, costs in US dollars, as a plain decimal; undefined where that is unknown. */
export type PriceOf = (token: string) => string | undefined;

/** What `amount` of the smallest unit is worth at `price`, a plain decimal a whole one, exactly: nothing is rounded. */
export function valueText(amount: bigint, decimals: number, price: string): string {
  const [whole = "", fraction = ""] = price.split(".");
  return amountText(amount * BigInt(`${whole}${fraction}`), decimals + fraction.length);
}
