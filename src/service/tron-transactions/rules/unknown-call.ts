import type { TronRule } from "./rule.ts";

/** An unknown call to a contract that is no known service. Its effect is unknown. */
export const unknownCall: TronRule = ({ call, contract }) =>
  call?.is === "other" && contract !== undefined && !contract.isService
    ? `calls the contract ${contract.address} in a way that cannot be told (${call.selector || "no data"})`
    : undefined;
