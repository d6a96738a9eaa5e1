import { isNobodys } from "../../../chains/nobody.ts";
import type { Finds } from "./rule.ts";

export const ownershipGivenAway: Finds = ({ does }) => {
  const found = does.acts.find((act) => act.does === "give_ownership");
  return found?.does === "give_ownership" ? `makes ${found.to} the owner of ${found.contract}` : undefined;
};

/** What is sent to the zero address, or another burn address, is gone. */
export const transferToNobody: Finds = ({ does }) => {
  const found = does.acts.find((act) => (act.does === "pay" || act.does === "transfer") && isNobodys("evm", act.to));
  return found && "to" in found ? `sends to ${found.to}, a burn address without a key` : undefined;
};
