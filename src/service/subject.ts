import { type CanonicalAddress, parseAddress } from "../chains/address.ts";
import type { Chain, Family } from "../chains/chain.ts";
import { findChain } from "../chains/registry.ts";
import { unsupportedChainDetail } from "../contract/failures.ts";
import { type Answer, refuse } from "./answer.ts";

export interface Subject {
  readonly chain: Chain;
  readonly address: CanonicalAddress;
}

/**
 * The chain and address that a whole request is about. The chain is checked before the address, since it decides
 * what an address looks like. `supported` says which families the operation exists for.
 */
export function subjectOf(
  chainId: string,
  address: string,
  supported: readonly Family[],
): { readonly ok: true; readonly value: Subject } | Answer<never> {
  const chain = findChain(chainId);
  if (chain === undefined || !supported.includes(chain.family)) return unsupported(chainId);
  const parsed = parseAddress(chain.family, address);
  if (!parsed.ok) return refuse("invalidAddress", `address: ${parsed.detail}`);
  return { ok: true, value: { chain, address: parsed.value } };
}

/** The refusal of a chain that an operation has no backend for. */
export function unsupported(chainId: string): Answer<never> {
  return refuse("unsupportedChain", unsupportedChainDetail(chainId));
}
