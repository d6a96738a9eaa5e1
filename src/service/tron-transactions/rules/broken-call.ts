import type { TronRule } from "./rule.ts";

/** A token's selector without its arguments: some contracts refuse that, and others make something of it. */
export const brokenCall: TronRule = ({ call }) =>
  call?.is === "token" && call.isBroken
    ? `the call of ${call.name} does not have the arguments that belong to it`
    : undefined;
