import type { Act } from "../../../chains/solana/acts/act.ts";
import { actsOf } from "../../../chains/solana/acts/acts-of.ts";
import { mayHaveKey } from "../../../chains/solana/wallet-key.ts";
import type { SolanaFacts, SolanaFinding } from "./facts.ts";

type TokenAuthority = Extract<Act, { kind: "token_authority" }>;

/**
 * The token accounts that a labelled service takes into its own escrow, each with the escrow. A market does so with a
 * collectible that is listed for sale. The escrow has a label and no key, and the service itself calls the token
 * program. A service that runs calls of its user would otherwise hand the account to any address.
 */
export function escrowsOf({ calls, isService }: SolanaFacts): ReadonlyMap<string, string> {
  let outer = "";
  const escrows = new Map<string, string>();
  for (const call of calls) {
    if (!call.isInner) outer = call.program;
    if (!call.isInner || !isService(outer)) continue;
    for (const act of actsOf(call)) {
      if (act.kind !== "token_authority" || act.role !== "owner" || act.to === undefined) continue;
      if (isService(act.to) && !mayHaveKey(act.to)) escrows.set(act.account, act.to);
    }
  }
  return escrows;
}

/** The escrow may sell the tokens at a price that no balance shows. */
export function keptInEscrow({ account, to }: TokenAuthority): SolanaFinding {
  const description = `puts the token account ${account} into the escrow ${to}, which may sell it at the price that the call states`;
  return { name: "holdings_unread", account, description };
}
