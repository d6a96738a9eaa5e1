import { describe, expect, test } from "vitest";
import { counterpartyOf } from "../../../../src/chains/tron/counterparty.ts";
import { decodeOperation } from "../../../../src/chains/tron/operation.ts";
import { approveOf, friend, router, thief, transferOf, usdt, user } from "../../../fixtures/tron/parts.ts";
import { multicall, swapTo, swapToRouter, unwrapTo } from "../../../fixtures/tron/swaps.ts";

/** The address that gains by a call of a contract. */
function gainingBy(contract_address: string, data: string) {
  const decoded = decodeOperation("TriggerSmartContract", { owner_address: user, contract_address, data }, "hex");
  if (!decoded.ok) throw new Error(decoded.why);
  return counterpartyOf(decoded.operation);
}

describe("the address that gains by a call", () => {
  test.each([
    ["a swap for oneself", swapTo(user), { address: router, role: "contract", token: undefined }],
    ["a swap for the router", swapTo(router), { address: router, role: "contract", token: undefined }],
    ["a swap for another", swapTo(thief), { address: thief, role: "beneficiary", token: router }],
    [
      "the last of several that is for another",
      multicall(swapTo(user), swapToRouter, unwrapTo(thief)),
      { address: thief, role: "beneficiary", token: router },
    ],
    ["nothing that is known", "12345678", { address: router, role: "contract", token: undefined }],
  ])("of a router: %s", (_what, data, counterparty) => {
    expect(gainingBy(router, data)).toEqual(counterparty);
  });

  test.each([
    ["a transfer", transferOf(friend, 5), { address: friend, role: "recipient", token: usdt }],
    ["an approval", approveOf(thief, 5), { address: thief, role: "spender", token: usdt }],
    ["an approval taken back", approveOf(thief, 0), { address: usdt, role: "contract", token: usdt }],
    [
      "an approval in a multicall, behind what is for oneself",
      multicall(transferOf(user, 1), approveOf(user, 1), approveOf(thief, 5)),
      { address: thief, role: "spender", token: usdt },
    ],
    [
      "a multicall that is all for oneself",
      multicall(transferOf(user, 1), approveOf(thief, 0)),
      { address: usdt, role: "contract", token: undefined },
    ],
  ])("of a token: %s", (_what, data, counterparty) => {
    expect(gainingBy(usdt, data)).toEqual(counterparty);
  });
});
