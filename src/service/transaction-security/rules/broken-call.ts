import type { Finds } from "./rule.ts";

/** A token's selector without its arguments: what the contract makes of that cannot be told. */
export const brokenCall: Finds = ({ call }) =>
  call?.is === "broken" ? `the call of ${call.name} does not have the arguments that belong to it` : undefined;
