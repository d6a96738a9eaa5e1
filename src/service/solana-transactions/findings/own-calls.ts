import type { InstructionCall } from "../called.ts";
import type { SolanaFacts } from "./facts.ts";

/** All calls but those that a labelled service makes: whoever signs calls it for what it does. */
export function ownCalls({ calls, isService }: SolanaFacts): readonly InstructionCall[] {
  let outer = "";
  return calls.filter(({ program, isInner }) => {
    if (!isInner) outer = program;
    return !isInner || !isService(outer);
  });
}
