import { expect, test } from "vitest";
import { requestParser } from "../../../../src/api/requests/request.ts";
import {
  EvmTransactionSecurityRequest,
  TransactionSecurityRequest,
} from "../../../../src/api/schemas/transaction-security.ts";
import { tronHexOf } from "../../../../src/chains/tron/tron-address.ts";
import { ok } from "../../../../src/kernel/result.ts";
import { analyseEvmTransaction } from "../../../../src/service/evm-transactions/analyse-evm-transaction.ts";
import { analyseTransaction } from "../../../../src/service/tron-transactions/analyse-transaction.ts";
import type { TronNode } from "../../../../src/service/tron-transactions/tron-node.ts";
import { fakeNode } from "../../../fakes/tron/fake-node.ts";
import * as e from "../../../fixtures/evm-people.ts";
import * as t from "../../../fixtures/tron/parts.ts";
import { calldata } from "../../../support/evm-calls.ts";

const parseEvm = requestParser(EvmTransactionSecurityRequest);
const parseTron = requestParser(TransactionSecurityRequest);

/** The finding on a listed address, with the recommended action. */
async function evmAnswer(fields: object) {
  const request = parseEvm({ chain_id: "1", from: e.me, to: e.token, ...fields });
  if (!request.ok) throw new Error(request.detail);
  const answered = await analyseEvmTransaction(request.value, e.labels);
  if (!answered.ok) throw new Error(answered.detail);
  return listedIn(answered.body.data.security);
}

async function tronAnswer(transaction: object, node?: TronNode) {
  const request = parseTron({ tron_transactions: [transaction] });
  if (!request.ok) throw new Error(request.detail);
  const answered = await analyseTransaction(request.value, t.labels, node);
  if (!answered.ok) throw new Error(answered.detail);
  return listedIn(answered.body.data.security);
}

interface Security {
  readonly recommended_action: string;
  readonly risk_details: readonly { readonly name: string; readonly description: string }[];
}

function listedIn({ recommended_action, risk_details }: Security) {
  const names = risk_details.map(({ name }) => name);
  const found = names.filter((name) => name === "sanctioned_address" || name === "malicious_address");
  return found.length === 0 ? "not listed" : [recommended_action, ...found].join(" ");
}

const bad = e.sanctioned;
const digits = bad.slice(2);
const transfer = calldata("transfer(address,uint256)", [e.friend, 5n]);
const approve = (amount: bigint, spender = bad) => calldata("approve(address,uint256)", [spender, amount]);

test.each([
  ["is paid", { data: calldata("transfer(address,uint256)", [bad, 5n]) }],
  ["may take tokens", { data: approve(5n) }],
  ["signs", { from: bad, data: transfer }],
  ["loses tokens by an old right", { data: calldata("transferFrom(address,address,uint256)", [bad, e.me, 5n]) }],
  ["stands packed behind the arguments", { data: `${transfer}${digits}` }],
  ["stands there at an odd place", { data: `${transfer}010203${digits}07` }],
  ["is an argument of a function that is not known", { to: e.router, data: `0x12345678${digits.padStart(64, "0")}` }],
  ["stands in the code of a contract", { to: undefined, data: `0x60806040${digits}` }],
  ["loses a right, and is named again", { data: `${approve(0n)}${digits}` }],
])("an EVM transaction is blocked where a sanctioned address %s", async (_how, fields) => {
  expect(await evmAnswer(fields)).toBe("BLOCK sanctioned_address");
});

test("an EVM transaction is blocked where an address of another list is packed in its calldata", async () => {
  expect(await evmAnswer({ data: `${transfer}${e.drainer.slice(2)}` })).toBe("BLOCK malicious_address");
});

test.each([
  ["names none", { data: `${transfer}${e.stranger.slice(2)}` }],
  ["takes a right back", { data: approve(0n) }],
  ["holds a part of one", { data: `${transfer}${digits.slice(2)}` }],
])("an EVM transaction has no finding on lists where it %s", async (_how, fields) => {
  expect(await evmAnswer(fields)).toBe("not listed");
});

const badTron = t.sanctioned;
const tronDigits = tronHexOf(badTron).slice(2);
const pay = t.transferOf(t.friend, 5);

test.each<[string, object]>([
  ["is paid", t.tx("TransferContract", { to_address: badTron, amount: 5 })],
  ["is paid tokens", t.call(t.usdt, t.transferOf(badTron, 5))],
  ["loses tokens by an old right", t.call(t.usdt, t.moveOf(badTron, t.user, 5))],
  ["stands packed behind the arguments", t.call(t.usdt, `${pay}${tronDigits}`)],
  ["stands there at an odd place", t.call(t.usdt, `${pay}010203${tronDigits}07`)],
  ["stands behind the arguments as a word", t.call(t.usdt, `${pay}${t.addressWord(badTron)}`)],
  ["stands packed in a call that is not known", t.call(t.unknownContract, `12345678${tronDigits}`)],
  ["loses a right, and is named again", t.call(t.usdt, `${t.approveOf(badTron, 0)}${tronDigits}`)],
  [
    "stands in the code of a contract",
    t.tx("CreateSmartContract", {
      new_contract: { origin_address: t.user, bytecode: `60806040${tronDigits}`, name: "a" },
    }),
  ],
  ["gets a new account", t.tx("AccountCreateContract", { account_address: badTron })],
])("a TRON transaction is blocked where a sanctioned address %s", async (_how, transaction) => {
  expect(await tronAnswer(transaction)).toBe("BLOCK sanctioned_address");
});

test.each<[string, object]>([
  ["names none", t.call(t.usdt, `${pay}${tronHexOf(t.thief).slice(2)}`)],
  ["takes a right back", t.call(t.usdt, t.approveOf(badTron, 0))],
  [
    "takes resources back",
    t.tx("UnDelegateResourceContract", { receiver_address: badTron, balance: 5, resource: "ENERGY" }),
  ],
])("a TRON transaction has no finding on lists where it %s", async (_how, transaction) => {
  expect(await tronAnswer(transaction)).toBe("not listed");
});

test("a TRON transaction is blocked when a contract pays coins to a sanctioned address during the execution", async () => {
  const payments = [{ from: t.router, to: badTron, sun: 5n }];
  const node = fakeNode({ execute: async () => ok({ ended: "done", returned: "", logs: [], payments }) });

  expect(await tronAnswer(t.call(t.router, "12345678"), node)).toBe("BLOCK sanctioned_address");
});
