import type { TronRule } from "./rule.ts";

/** A selector means nothing for a contract without a label, because any contract may have a function of that name. */
export const unknownCallee: TronRule = ({ call, contract, chain }) => {
  if (call?.is !== "token" || contract === undefined || contract.isWellKnown || chain !== undefined) return undefined;
  return `calls ${contract.address}, which no label names, and no node ran the call: it may do something else`;
};
