import { describe, expect, test } from "vitest";
import { type CanonicalAddress, parseAddress } from "../../../../src/chains/address.ts";
import { readTransaction } from "../../../../src/chains/evm/read-transaction.ts";
import { findChain } from "../../../../src/chains/registry.ts";
import type { BalanceChange, EvmExecution, Grant } from "../../../../src/service/evm-transactions/execution.ts";
import { gather } from "../../../../src/service/evm-transactions/gather.ts";
import { rules } from "../../../../src/service/evm-transactions/rules/rules.ts";
import {
  addressOf,
  bridge,
  friend,
  item,
  labels,
  me,
  router,
  safe,
  stranger,
  token,
} from "../../../fixtures/evm-people.ts";
import { calldata, safeExec } from "../../../support/evm-calls.ts";

const chain = findChain("1") ?? bug();
const spam = addressOf("a token that nobody knows");
const COIN = 10n ** 18n;

function bug(): never {
  throw new Error("no such chain");
}

function canonical(text: string): CanonicalAddress {
  const parsed = parseAddress("evm", text);
  return parsed.ok ? parsed.value : bug();
}

const coins = (change: bigint): BalanceChange => ({
  account: canonical(me),
  standard: "native",
  token: undefined,
  id: undefined,
  change,
  before: undefined,
});
const units = (of: string, change: bigint, own: Partial<BalanceChange> = {}): BalanceChange => ({
  ...coins(change),
  standard: "erc20",
  token: canonical(of),
  ...own,
});
const itemOf = (id: bigint) => units(item, -1n, { standard: "erc721", id });

/** The findings that the execution adds, when no address has code. */
function found(
  { to = stranger, data = "0x12345678", value = 0n }: { to?: string; data?: string; value?: bigint },
  changes: readonly BalanceChange[],
  grants: readonly Grant[] = [],
) {
  const transaction = { from: canonical(me), to: canonical(to), value, data: data.slice(2), delegates: [] };
  const execution: EvmExecution = { ended: "done", changes, grants, paid: [], seen: "all" };
  const none = { block: 7n, balance: COIN, codeAt: new Map(), isNew: new Set<CanonicalAddress>() };
  const facts = gather(chain, transaction, readTransaction(transaction), [], labels, { ...none, execution });
  const names = [
    "several_assets_leave",
    "most_of_asset_leaves",
    "moves_other_tokens",
    "assets_leave",
    "approves_others",
  ];
  return rules.filter(({ name, finds }) => names.includes(name) && finds(facts) !== undefined).map(({ name }) => name);
}

const call = (to: string, signature: string, args: readonly unknown[]) => ({ to, data: calldata(signature, args) });
const drained = ["several_assets_leave", "assets_leave"];

describe("a call that is not fully explained", () => {
  test.each([
    ["one token", [units(token, -5n)], ["assets_leave"]],
    ["two tokens", [units(token, -5n), units(spam, -5n)], drained],
    ["two items of one collection", [itemOf(1n), itemOf(2n)], ["assets_leave"]],
    ["an item and a token", [itemOf(1n), units(token, -5n)], drained],
    ["two tokens, and small change comes back", [units(token, -5n), units(spam, -5n), coins(COIN / 50n)], drained],
    ["two tokens for more than that", [units(token, -5n), units(spam, -5n), coins(COIN / 50n + 1n)], []],
    ["two tokens for one that anybody can make", [units(token, -5n), itemOf(1n), units(spam, 9n)], drained],
    ["two tokens for one that is labelled", [units(spam, -5n), itemOf(1n), units(token, 9n)], []],
    ["nothing", [], []],
    ["what only comes", [units(spam, 5n)], []],
  ])("the findings when the call takes %s", (_name, changes, names) => {
    expect(found({}, changes)).toEqual(names);
  });

  test("a labelled contract may take what it is allowed to, as long as something comes back", () => {
    const taken = [units(spam, -5n), itemOf(1n)];

    expect(found({ to: router }, [...taken, units(addressOf("shares"), 9n)])).toEqual([]);
    expect(found({ to: token }, [units(token, -5n), coins(5n)])).toEqual([]);
    expect(found({ to: router }, taken)).toEqual(drained);
    expect(found({ to: router }, [units(token, -5n)])).toEqual(["assets_leave"]);
  });

  test("a bridge may take assets that come out on another chain", () => {
    expect(found({ to: bridge }, [units(token, -5n), coins(-5n)])).toEqual([]);
  });

  test.each([
    ["half", {}, [units(spam, -50n, { before: 100n })], ["assets_leave"]],
    ["more", {}, [units(spam, -51n, { before: 100n })], ["most_of_asset_leaves", "assets_leave"]],
    [
      "more, for a token that anybody can make",
      {},
      [units(spam, -51n, { before: 100n }), itemOf(1n), units(item, 9n)],
      drained,
    ],
    ["more, at a labelled contract", { to: router }, [units(spam, -51n, { before: 100n })], ["assets_leave"]],
    [
      "more of the coins, which go with it",
      { value: 51n },
      [{ ...coins(-51n), before: 100n }],
      ["most_of_asset_leaves"],
    ],
  ])("the findings when the call takes a share of an asset: %s", (_name, transaction, changes, names) => {
    expect(found(transaction, changes)).toEqual(names);
  });

  test("coins beyond those that go with the call are reported", () => {
    expect(found({ value: 100n }, [coins(-103n)])).toEqual([]);
    expect(found({ value: 100n }, [coins(-104n)])).toEqual(["assets_leave"]);
  });

  test("coins that go with the call count as one of the assets", () => {
    expect(found({ value: 100n }, [coins(-100n), units(token, -5n)])).toEqual(drained);
  });
});

describe("a fully explained call", () => {
  const transfer = call(token, "transfer(address,uint256)", [friend, 1_000n]);

  test.each([
    ["as much", [units(token, -1_000n)], []],
    ["less", [units(token, -1n)], []],
    ["a hundredth more, and two units", [units(token, -1_012n)], []],
    ["more than that", [units(token, -1_013n)], ["moves_other_tokens"]],
    ["another token, too", [units(token, -1_000n), units(spam, -1n)], ["several_assets_leave", "moves_other_tokens"]],
    ["another token for a labelled one", [units(spam, -1n), units(token, 9n)], ["moves_other_tokens"]],
    ["coins", [coins(-1n)], ["moves_other_tokens"]],
  ])("the findings when the call takes this much of the stated tokens: %s", (_name, changes, names) => {
    expect(found(transfer, changes)).toEqual(names);
  });

  test("the call may take the stated item, and no other", () => {
    const moved = call(item, "transferFrom(address,address,uint256)", [me, friend, 7n]);

    expect([found(moved, [itemOf(7n)]), found(moved, [itemOf(8n)])]).toEqual([[], ["moves_other_tokens"]]);
  });

  test("the call may take one unit of a token with only its balance seen, when the call states an item", () => {
    const moved = call(item, "transferFrom(address,address,uint256)", [me, friend, 7n]);
    const one = [units(item, -1n, { standard: "token" })];

    expect([found(moved, one), found(transfer, one)]).toEqual([[], ["moves_other_tokens"]]);
  });

  test("a Safe's transaction may pay the refund that its calldata states", () => {
    const data = safeExec({ to: friend, gasPrice: 1n, refundReceiver: stranger });
    const refund = { ...coins(-77n), account: canonical(safe) };

    expect(found({ to: safe, data }, [refund])).toEqual([]);
    expect(found({ to: safe, data: safeExec({ to: friend }) }, [refund])).toEqual(["moves_other_tokens"]);
  });
});

describe("a right that the execution gives", () => {
  const grant = (spender: string): Grant => ({
    token: canonical(token),
    giver: canonical(me),
    spender: canonical(spender),
    amount: 5n,
  });

  test.each([
    ["to a stranger, unsaid", {}, stranger, ["approves_others"]],
    ["to a labelled service, unsaid", {}, router, []],
    ["to oneself", {}, me, []],
    ["to a stranger, as the call says", call(token, "approve(address,uint256)", [stranger, 5n]), stranger, []],
    [
      "to somebody else than it says",
      call(token, "approve(address,uint256)", [friend, 5n]),
      stranger,
      ["approves_others"],
    ],
    [
      "to whom it says, of another token",
      call(item, "approve(address,uint256)", [stranger, 5n]),
      stranger,
      ["approves_others"],
    ],
  ])("the findings when a right goes %s", (_name, transaction, spender, names) => {
    expect(found(transaction, [], [grant(spender)])).toEqual(names);
  });
});
