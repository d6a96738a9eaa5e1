import { encodePacked, type Hex } from "viem";
import { expect, test } from "vitest";
import * as p from "../../../fixtures/evm-people.ts";
import { calldata } from "../../../support/evm-calls.ts";
import { listed, tron, tronEvent, verdictOn } from "../../../support/listed-case.ts";

const bad = tron.badHex;
const friend = `41${p.friend.slice(2)}`;
const inEvmForm: Hex = `0x${bad.slice(2)}`;
const owner: Hex = `0x${tron.owner.slice(2)}`;
const call = (data: string, contract = `41${p.token.slice(2)}`) =>
  tronEvent("TriggerSmartContract", { contract_address: contract, data: data.replace(/^0x/, "") });
const by = (signature: string, args: readonly unknown[]) => call(calldata(signature, args));
const keys = (address: string) => ({ threshold: 1, keys: [{ address, weight: 1 }] });
const resource = { balance: 5, resource: "ENERGY" };

test.each([
  ["TRX", tronEvent("TransferContract", { to_address: bad, amount: 5 })],
  ["a TRC-10 token", tronEvent("TransferAssetContract", { asset_name: "31303030303031", to_address: bad, amount: 5 })],
  [
    "a sale of a TRC-10 token",
    tronEvent("ParticipateAssetIssueContract", { asset_name: "31303030303031", to_address: bad, amount: 5 }),
  ],
  ["a new account", tronEvent("AccountCreateContract", { account_address: bad })],
  ["votes", tronEvent("VoteWitnessContract", { votes: [{ vote_address: bad, vote_count: 5 }] })],
  ["votes behind others", tronEvent("VoteWitnessContract", { votes: [friend, bad].map(voteFor) })],
  [
    "resources by the first kind of freezing",
    tronEvent("FreezeBalanceContract", { receiver_address: bad, frozen_balance: 5, frozen_duration: 3 }),
  ],
  ["delegated resources", tronEvent("DelegateResourceContract", { receiver_address: bad, ...resource })],
  ["the owner's permission", tronEvent("AccountPermissionUpdateContract", { owner: { type: 0, ...keys(bad) } })],
  [
    "the witness's permission",
    tronEvent("AccountPermissionUpdateContract", {
      owner: { type: 0, ...keys(tron.owner) },
      witness: { type: 1, ...keys(bad) },
    }),
  ],
  [
    "the second active permission",
    tronEvent("AccountPermissionUpdateContract", {
      owner: { type: 0, ...keys(tron.owner) },
      actives: [friend, bad].map((address) => ({ type: 2, operations: "0".repeat(64), ...keys(address) })),
    }),
  ],
  ["a setting of its contract", tronEvent("UpdateSettingContract", { contract_address: bad })],
  ["its own signature", tronEvent("TransferContract", { owner_address: bad, to_address: friend, amount: 5 })],
  ["a call of it", call("0xdeadbeef", bad)],
  ["a TRC-20 transfer", by("transfer(address,uint256)", [inEvmForm, 5n])],
  ["a TRC-20 approval", by("approve(address,uint256)", [inEvmForm, 5n])],
  ["a higher TRC-20 approval", by("increaseApproval(address,uint256)", [inEvmForm, 5n])],
  ["TRC-20 tokens taken for it", by("transferFrom(address,address,uint256)", [owner, inEvmForm, 5n])],
  ["TRC-20 tokens taken from it", by("transferFrom(address,address,uint256)", [inEvmForm, owner, 5n])],
  ["items for it to move", by("setApprovalForAll(address,bool)", [inEvmForm, true])],
  ["an item", by("safeTransferFrom(address,address,uint256)", [owner, inEvmForm, 5n])],
  [
    "a transfer within a multicall",
    by("multicall(bytes[])", [[calldata("transfer(address,uint256)", [inEvmForm, 5n])]]),
  ],
  [
    "a token on the way of a swap",
    by("swapExactTokensForTokens(uint256,uint256,address[],address,uint256)", [
      5n,
      1n,
      [p.token, inEvmForm],
      owner,
      9n,
    ]),
  ],
  [
    "a token in a packed path",
    by("exactInput((bytes,address,uint256,uint256,uint256))", [
      [encodePacked(["address", "uint24", "address"], [p.token, 3_000, inEvmForm]), owner, 9n, 5n, 1n],
    ]),
  ],
  ["an address at an odd offset", call(`deadbeef070707${bad.slice(2)}`)],
  ["an address with TRON's first byte, packed", call(`deadbeef07${bad}`)],
  ["dirty bytes before the address", call(`a9059cbb${"f".repeat(24)}${bad.slice(2)}${"5".padStart(64, "0")}`)],
  [
    "the argument of a contract that is made",
    tronEvent("CreateSmartContract", {
      new_contract: { origin_address: tron.owner, bytecode: `608060405273${bad.slice(2)}5b`, abi: { entrys: [] } },
    }),
  ],
])("a listed party of a TRON transaction is blocked: %s", async (_name, event) => {
  const { decision, reasons } = await verdictOn(event, listed);

  expect(reasons).toContainEqual(
    expect.objectContaining({ check: "listed", finding: "listed_sanctioned", severity: "BLOCK" }),
  );
  expect(decision).toBe("BLOCK");
});

function voteFor(vote_address: string) {
  return { vote_address, vote_count: 5 };
}

test.each([
  ["an allowance", by("approve(address,uint256)", [inEvmForm, 0n])],
  ["an allowance by steps", by("decreaseApproval(address,uint256)", [inEvmForm, 5n])],
  ["an operator", by("setApprovalForAll(address,bool)", [inEvmForm, false])],
  ["resources", tronEvent("UnDelegateResourceContract", { receiver_address: bad, ...resource })],
  ["frozen resources", tronEvent("UnfreezeBalanceContract", { receiver_address: bad, resource: "ENERGY" })],
])("revoking rights from a listed address is not blocked: %s", async (_name, event) => {
  const { reasons } = await verdictOn(event, listed);

  expect(reasons.map(({ check }) => check)).not.toContain("listed");
});

test("a revoked allowance beside packed bytes that name the same address is blocked", async () => {
  const data = `${calldata("approve(address,uint256)", [inEvmForm, 0n])}07${bad.slice(2)}`;

  expect((await verdictOn(call(data), listed)).decision).toBe("BLOCK");
});

test("a listed address beside the payload is blocked", async () => {
  const { transaction: honest, ...event } = tronEvent("TransferContract", { to_address: tron.owner, amount: 5 });
  const raw_data = { ...honest.raw_data, auths: [{ account: { address: tron.badHex }, permission_name: "owner" }] };
  const { decision, reasons } = await verdictOn({ ...event, transaction: { ...honest, raw_data } }, listed);

  expect(decision).toBe("BLOCK");
  expect(reasons).toContainEqual(expect.objectContaining({ check: "listed", finding: "listed_sanctioned" }));
});
