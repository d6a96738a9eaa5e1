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
 * The endings that the launchpads of an EVM chain grind into all their tokens, like the Solana endings in
 * solana-endings.ts. Undefined for a chain without such endings. An ending counts as common on its own chain only; on
 * other chains it carries full information.
 */
export function evmEndingsOn(chainId: string): EndingOf | undefined {
  return endingOfByChain.get(chainId);
}
