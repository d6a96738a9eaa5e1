import type { Payment } from "../payment-mistakes.ts";
import type { EvmReading } from "./read-transaction.ts";

/** What an EVM transaction pays, as far as calldata tells. */
export function* paymentsIn({ acts, contracts }: EvmReading): Generator<Payment> {
  const called = new Set(contracts);
  for (const act of acts) {
    if (act.does === "transfer") yield { to: act.to, token: act.token, runs: "nothing" };
    if (act.does === "pay") yield { to: act.to, runs: act.amount > 0n && called.has(act.to) ? "call" : "code" };
  }
}
