import type { CanonicalAddress } from "../../../chains/address.ts";
import { UNBOUNDED } from "../../../chains/tron/calls/payout.ts";
import type { TronFacts } from "../facts.ts";

/** An approval of tokens, and whether the one who may spend them is labelled as a service. */
export interface TronApproval {
  readonly spender: CanonicalAddress;
  /** Without limit, or as much as the user has of it. */
  readonly isEverything: boolean;
  readonly toService: boolean;
}

/** The approval that a transaction gives; none for one that is taken back. */
export function approvalIn({ call, counterparty, chain }: TronFacts): TronApproval | undefined {
  if (call?.is !== "token" || call.call.does !== "approve" || counterparty?.role !== "spender") return undefined;
  const { spender, amount } = call.call;
  const balance = chain?.tokenBalance ?? 0n;
  const isEverything = amount >= UNBOUNDED || (balance > 0n && amount >= balance);
  return { spender, isEverything, toService: counterparty.isService };
}
