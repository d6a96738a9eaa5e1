import type { CanonicalAddress } from "../../../chains/address.ts";
import { UNBOUNDED } from "../../../chains/tron/calls/payout.ts";
import type { TronFacts } from "../facts.ts";

/** A token approval. `toService` is true when the spender is labelled as a service. */
export interface TronApproval {
  readonly spender: CanonicalAddress;
  /** True for an unlimited amount, and for at least the user's whole balance. */
  readonly isEverything: boolean;
  readonly toService: boolean;
}

/** The approval that a transaction gives. Undefined for a revocation. */
export function approvalIn({ call, counterparty, chain }: TronFacts): TronApproval | undefined {
  if (call?.is !== "token" || call.call.does !== "approve" || counterparty?.role !== "spender") return undefined;
  const { spender, amount } = call.call;
  const balance = chain?.tokenBalance ?? 0n;
  const isEverything = amount >= UNBOUNDED || (balance > 0n && amount >= balance);
  return { spender, isEverything, toService: counterparty.isService };
}
