import type { Finds } from "./rule.ts";

/** A call of which nothing is known, to a contract of which nothing is known: what it does cannot be told. */
export const unknownCall: Finds = ({ call, contract }) =>
  call?.is === "other" && contract !== undefined && !contract.isWellKnown
    ? `calls the unknown contract ${contract.address} in a way that cannot be told (${call.selector || "no data"})`
    : undefined;
