import type { SimulationResult } from "../../src/api/schemas/solana-emulate.ts";

/** The balance of a holder before and after, in raw units. */
export type BalanceRow = readonly [mint: string, holder: string, begin: bigint, end: bigint];

/** A result with these balance changes. */
export function resultOf(rows: readonly BalanceRow[], more: Partial<SimulationResult> = {}): SimulationResult {
  const balance_changes = [...new Set(rows.map(([each]) => each))].map((token_address) => ({
    token_address,
    tokenName: "",
    symbol: "",
    divisor: "",
    tokenPriceUSD: "",
    change_list: rows
      .filter(([each]) => each === token_address)
      .map(([, address, begin, end]) => ({
        address,
        amount_change: "",
        begin_value: String(begin),
        delta_value: String(end - begin),
        end_value: String(end),
        value_usd: "",
      })),
  }));
  return { error: null, balance_changes, ...more };
}
