import { unsupportedChainDetail } from "../api/failures.ts";
import type { CanonicalAddress } from "../chains/address.ts";
import type { Chain } from "../chains/chain.ts";
import { type Answer, refuse } from "./answer.ts";

export interface ServiceSubject {
  readonly chain: Chain;
  readonly address: CanonicalAddress;
}

/** The refusal of a chain that an operation has no backend for. */
export function unsupported(chainId: string): Answer<never> {
  return refuse("unsupportedChain", unsupportedChainDetail(chainId));
}
