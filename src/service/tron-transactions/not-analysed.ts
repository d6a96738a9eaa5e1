import type { TronFacts } from "./facts.ts";

/** The requested part of an analysis that only a node can provide. */
const EXECUTION = "execution";

/** Lists the requested parts that the analysis did not cover. */
export function notAnalysed({ chain, type, contract }: TronFacts, simulate: boolean): readonly string[] {
  // A constructor is not executed. A call without a contract cannot be executed.
  const isCallOfNone = type === "TriggerSmartContract" && contract === undefined;
  const isRun = chain !== undefined && type !== "CreateSmartContract" && !isCallOfNone;
  return simulate && !isRun ? [EXECUTION] : [];
}
