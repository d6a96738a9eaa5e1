import type { EndingOf } from "../lookalike.ts";
import { evmEndings } from "./evm-endings.generated.ts";

/**
 * Common endings by chain id, for chains with launchpads that grind endings. A Map, because chain ids are no array
 * indexes.
 */
const endingOfByChain: ReadonlyMap<string, EndingOf> = new Map(
  Object.entries(evmEndings).map(([chain, endings]) => [
    chain,
    (address) => endings.find((ending) => address.endsWith(ending)) ?? "",
  ]),
);

/**
 * The common endings of a chain: launchpads grind all their tokens to have one. Undefined for a chain without such
 * endings. solana-endings.ts holds the endings of Solana. An ending counts as common on its own chain only; on other
 * chains it carries full information.
 */
export function evmEndingsOn(chainId: string): EndingOf | undefined {
  return endingOfByChain.get(chainId);
}
