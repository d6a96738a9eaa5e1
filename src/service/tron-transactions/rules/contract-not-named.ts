import type { TronRule } from "./rule.ts";

/** The interface lets a call leave out its contract. The effect of such a call is unknown. */
export const contractNotNamed: TronRule = ({ type, contract }) =>
  type === "TriggerSmartContract" && contract === undefined
    ? "the call names no contract: what it does cannot be told"
    : undefined;
