import type { TronRule } from "./rule.ts";

/** T15: only the first operation is analysed, and nodes accept no more than one. */
export const severalOperations: TronRule = ({ operationCount }) =>
  operationCount > 1 ? `holds ${operationCount} operations, of which only the first was analysed` : undefined;
