import type { TronRule } from "./rule.ts";

/** A token's selector without its arguments. Some contracts refuse such a call, and others interpret it. */
export const brokenCall: TronRule = ({ call }) =>
  call?.is === "token" && call.isBroken
    ? `the call of ${call.name} does not have the arguments that belong to it`
    : undefined;
