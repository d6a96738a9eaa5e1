import { gainingBy } from "../../../chains/tron/counterparty.ts";
import { hexIn } from "../../../chains/tron/message-value.ts";
import { tokenCallsInside } from "../../../chains/tron/token-call.ts";
import type { Finds } from "./rule.ts";

/** A token's own call in a multicall: nobody who sees the name of that sees who gets tokens, or the right to take them. */
export const tokenCallInside: Finds = ({ operation, call, contract, isService }) => {
  if (operation === undefined || call?.is !== "other") return undefined;
  for (const { name, call: inner } of tokenCallsInside(hexIn(operation.value, "data"))) {
    const gaining = gainingBy(inner);
    if (gaining !== undefined && gaining.address !== operation.owner && !isService(gaining.address))
      return `calls ${name} of ${contract?.address} for the ${gaining.role} ${gaining.address}, inside another call`;
  }
  return undefined;
};
