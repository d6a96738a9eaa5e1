import type { CanonicalAddress } from "../../chains/address.ts";
import type { Chain } from "../../chains/chain.ts";
import { failed, notApplicable } from "../answers/check-entry.ts";
import type { Planned } from "./plan-tron.ts";

/** Limit of tokens that are analysed for one transaction. Chosen: their evidence fits into one record. */
const MAX_TOKENS = 32;

/** The analysis of every token that a transaction moves, or lets other addresses move. */
export function planTokens(named: readonly CanonicalAddress[], chain: Chain): Planned {
  const check = "token-security";
  const tokens = [...new Set(named)];
  const [token, ...others] = tokens;
  if (token === undefined) return { entry: notApplicable(check, "the transaction names no token") };
  if (others.length === 0) return { question: { check, chain, token } };
  if (tokens.length <= MAX_TOKENS) return { question: { check, chain, tokens } };
  const detail = `${MAX_TOKENS} tokens are analysed for one transaction, this one has ${tokens.length}`;
  return { entry: failed(check, "SUBJECT_UNSUPPORTED", detail) };
}
