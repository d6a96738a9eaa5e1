import type { TronFacts } from "./facts.ts";

/** What a request asked for and only a node can tell. */
const EXECUTION = "execution";

/** What an answer about a transaction did not look at. */
export function notAnalysed({ chain, type, contract }: TronFacts, simulate: boolean): readonly string[] {
  // A constructor is not run, and a call that names no contract cannot be.
  const isCallOfNone = type === "TriggerSmartContract" && contract === undefined;
  const isRun = chain !== undefined && type !== "CreateSmartContract" && !isCallOfNone;
  return simulate && !isRun ? [EXECUTION] : [];
}
