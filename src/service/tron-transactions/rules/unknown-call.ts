import type { TronRule } from "./rule.ts";

/** A call of which nothing is known, to a contract that is no known service: what it does cannot be told. */
export const unknownCall: TronRule = ({ call, contract }) =>
  call?.is === "other" && contract !== undefined && !contract.isService
    ? `calls the contract ${contract.address} in a way that cannot be told (${call.selector || "no data"})`
    : undefined;
