import type { TronRule } from "./rule.ts";

/** The owner, a role holder or the implementation of a contract has the owner's power over it. */
export const ownershipGivenAway: TronRule = ({ call, contract }) =>
  call?.is === "token" && call.call.does === "give_ownership"
    ? `gives ${call.call.to} power over the contract ${contract?.address}, by ${call.name}`
    : undefined;
