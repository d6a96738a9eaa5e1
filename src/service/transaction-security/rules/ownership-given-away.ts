import type { Finds } from "./rule.ts";

/** Who owns a contract may do with it what its owner may. */
export const ownershipGivenAway: Finds = ({ call, contract }) =>
  call?.is === "token" && call.call.does === "give_ownership"
    ? `makes ${call.call.to} the owner of the contract ${contract?.address}`
    : undefined;
