import type { InstructionCall } from "../called.ts";
import type { SolanaFacts } from "./facts.ts";

/**
 * Lists all calls except those that a labelled service makes. A signer calls a labelled service for what the service
 * does.
 */
export function ownCalls({ calls, isService }: SolanaFacts): readonly InstructionCall[] {
  let outer = "";
  return calls.filter(({ program, isInner }) => {
    if (!isInner) outer = program;
    return !isInner || !isService(outer);
  });
}
