import type { TronRule } from "./rule.ts";

/** Who owns a contract, has a role in it or is the code that it runs may do with it what its owner may. */
export const ownershipGivenAway: TronRule = ({ call, contract }) =>
  call?.is === "token" && call.call.does === "give_ownership"
    ? `gives ${call.call.to} power over the contract ${contract?.address}, by ${call.name}`
    : undefined;
