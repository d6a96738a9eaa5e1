import type { EndingOf } from "../lookalike.ts";
import { evmEndings } from "./evm-endings.generated.ts";

/** By the id of a chain, for chains whose launchpads grind endings. Numbers of chains are no places of a list. */
const endingOfByChain: ReadonlyMap<string, EndingOf> = new Map(
  Object.entries(evmEndings).map(([chain, endings]) => [
    chain,
    (address) => endings.find((ending) => address.endsWith(ending)) ?? "",
  ]),
);

/**
 * The endings that launchpads of an EVM chain grind all their tokens to have, as those of Solana (solana-endings.ts).
 * Undefined for a chain without any. They hold on their chain only: elsewhere such an end is as telling as another.
 */
export function evmEndingsOn(chainId: string): EndingOf | undefined {
  return endingOfByChain.get(chainId);
}
