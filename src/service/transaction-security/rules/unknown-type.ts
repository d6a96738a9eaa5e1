import type { Finds } from "./rule.ts";

/** T15: nothing can be said about an operation that the protocol known here does not have, so it is not called safe. */
export const unknownType: Finds = ({ operation, type }) =>
  operation === undefined
    ? `the operation ${type.slice(0, 60)} is not known here: what it does cannot be told`
    : undefined;
