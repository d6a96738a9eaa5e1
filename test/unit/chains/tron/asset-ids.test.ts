import { expect, test } from "vitest";
import { assetIdsIn } from "../../../../src/chains/tron/asset-ids.ts";
import { decodeOperation } from "../../../../src/chains/tron/operation.ts";
import { friend, type Json, unknownContract, user } from "../../../fixtures/tron/parts.ts";

const hex = (text: string) => Buffer.from(text).toString("hex");

function idsIn(type: string, value: Json, names: "hex" | "text" = "hex") {
  const decoded = decodeOperation(type, { owner_address: user, ...value }, names);
  if (!decoded.ok) throw new Error(decoded.why);
  return assetIdsIn(decoded.operation);
}

test.each([
  ["TransferAssetContract", { to_address: friend, asset_name: hex("1002000") }, [1002000n]],
  ["ParticipateAssetIssueContract", { to_address: friend, asset_name: hex("1002001") }, [1002001n]],
  ["ExchangeCreateContract", { first_token_id: hex("1002000"), second_token_id: hex("1002001") }, [1002000n, 1002001n]],
  ["ExchangeCreateContract", { first_token_id: "5f", second_token_id: hex("1002001") }, [1002001n]],
  ["ExchangeInjectContract", { token_id: hex("1002000") }, [1002000n]],
  ["ExchangeWithdrawContract", { token_id: hex("1002000") }, [1002000n]],
  ["ExchangeTransactionContract", { token_id: hex("1002000") }, [1002000n]],
  ["MarketSellAssetContract", { sell_token_id: hex("1002000"), buy_token_id: hex("1002000") }, [1002000n]],
  ["TriggerSmartContract", { contract_address: unknownContract, call_token_value: 1, token_id: 1002000 }, [1002000n]],
  ["TriggerSmartContract", { contract_address: unknownContract, call_token_value: 0, token_id: 1002000 }, []],
  ["CreateSmartContract", { call_token_value: "1", token_id: "9223372036854775807" }, [9223372036854775807n]],
  ["TransferAssetContract", { to_address: friend, asset_name: hex("USDT") }, []],
  ["TransferAssetContract", { to_address: friend, asset_name: hex("01002000") }, []],
  ["TransferContract", { to_address: friend, amount: 1002000 }, []],
])("%s of %j names its TRC-10 token", (type, value, ids) => {
  expect(idsIn(type, value)).toEqual(ids);
});

test("an id is text where a node shows text", () => {
  expect(idsIn("TransferAssetContract", { to_address: friend, asset_name: "1002000" }, "text")).toEqual([1002000n]);
});
