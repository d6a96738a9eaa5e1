import { isBurnAddress } from "../../../chains/burn-addresses.ts";
import type { EvmRule } from "./rule.ts";

export const ownershipGivenAway: EvmRule = ({ does }) => {
  const found = does.acts.find((act) => act.does === "give_ownership");
  return found?.does === "give_ownership" ? `makes ${found.to} the owner of ${found.contract}` : undefined;
};

/** Assets that are sent to the zero address, or to another burn address, are lost. */
export const transferToBurnAddress: EvmRule = ({ does }) => {
  const found = does.acts.find(
    (act) => (act.does === "pay" || act.does === "transfer") && isBurnAddress("evm", act.to),
  );
  return found && "to" in found ? `sends to ${found.to}, a burn address without a key` : undefined;
};
