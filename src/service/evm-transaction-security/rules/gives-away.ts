import { gainerBy } from "../../../chains/evm/counterparties.ts";
import { NOBODY } from "../../../chains/evm/signatures.ts";
import type { Finds } from "./rule.ts";

export const ownershipGivenAway: Finds = ({ does }) => {
  const found = does.acts.find((act) => act.does === "give_ownership");
  return found?.does === "give_ownership" ? `makes ${found.to} the owner of ${found.contract}` : undefined;
};

/** What is sent to the zero address is gone. */
export const transferToNobody: Finds = ({ does }) =>
  does.acts.some((act) => (act.does === "pay" || act.does === "transfer") && gainerBy(act) === NOBODY)
    ? "sends to the zero address, which nobody has the key of"
    : undefined;
