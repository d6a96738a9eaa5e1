import { expect, test } from "vitest";
import type { RpcAnswer, RpcRequest } from "../../../../src/adapters/http/client/json-rpc-endpoint.ts";
import { openEvmNode } from "../../../../src/adapters/viem/evm-node.ts";
import { type FakeEndpoint, fakeEndpoint, honest } from "../../../fakes/fake-endpoint.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { VirtualClock } from "../../../fakes/virtual-clock.ts";

const never = new AbortController().signal;
const [from, to, other] = ["11", "22", "33"].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string];
const word = (digits: string) => `0x${digits.padStart(64, "0")}`;
const view = { to: other, data: "0x70a08231" };
const rehearsal = {
  from,
  to,
  value: 255n,
  data: "0x1234",
  views: [view],
  overrides: [{ address: from, code: "0xfe" }],
};

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const coins = (payer: string, payee: string, wei: string) => ({
  address: `0x${"Ee".repeat(20)}`,
  topics: [TRANSFER, word(payer.slice(2)), word(payee.slice(2))],
  data: word(wei),
});
const looked = (value: string) => ({ status: "0x1", returnData: word(value), logs: [] });
const done = {
  status: "0x1",
  returnData: "0x",
  logs: [coins(from, to, "ff"), { address: other, topics: [], data: "0xAB" }],
};
const canary = { calls: [{ status: "0x1", returnData: "0x", logs: [coins(from, to, "1")] }] };
const blocks = (run: object = done, last: object = canary) => [{ calls: [looked("5"), run, looked("6")] }, last];

function nodeOver(...endpoints: readonly FakeEndpoint[]) {
  return openEvmNode({ chainId: "1", endpoints, multicall: undefined, clock: new VirtualClock(), log: new FakeLog() });
}

/** An endpoint that returns `answer` for a simulation. `asked` records the request. */
function simulating(answer: RpcAnswer, asked: RpcRequest[] = []): FakeEndpoint {
  return fakeEndpoint("a", (request) => {
    if (request.method !== "eth_simulateV1") return honest()(request);
    asked.push(request);
    return answer;
  });
}

const rehearsed = (answer: RpcAnswer) => nodeOver(simulating(answer)).rehearse(rehearsal, 16n, never);

test("the transaction runs between two looks, and a payment in a separate block shows that coins are reported", async () => {
  const asked: RpcRequest[] = [];

  await nodeOver(simulating({ result: blocks() }, asked)).rehearse(rehearsal, 16n, never);

  const look = { ...view, gas: "0x30d40" };
  expect(asked.map(({ params }) => params)).toEqual([
    [
      {
        blockStateCalls: [
          {
            stateOverrides: { [from]: { code: "0xfe" } },
            calls: [look, { from, to, value: "0xff", data: "0x1234", gas: "0x7a1200" }, look],
          },
          {
            stateOverrides: { [`0x${"ca".repeat(19)}01`]: { balance: "0x1" } },
            calls: [{ from: `0x${"ca".repeat(19)}01`, to: `0x${"ca".repeat(19)}02`, value: "0x1" }],
          },
        ],
        traceTransfers: true,
        validation: false,
        returnFullTransactions: false,
      },
      "0x10",
    ],
  ]);
});

test("the views, the logs of contracts, and the moved coins are read", async () => {
  const five = new Uint8Array(32).fill(5, 31);

  expect(await rehearsed({ result: blocks() })).toEqual({
    ending: { ok: true },
    before: [{ ok: true, data: five }],
    after: [{ ok: true, data: new Uint8Array(32).fill(6, 31) }],
    logs: [{ contract: other, topics: [], data: "ab" }],
    coins: [{ from, to, amount: 255n }],
  });
});

test.each([
  ["anvil", { returnData: `0x${"ab".repeat(300)}`, error: { code: -3200, message: "execution failed" } }],
  ["geth", { returnData: "0x", error: { code: 3, message: "execution reverted", data: `0x${"ab".repeat(300)}` } }],
])("a failed run has the beginning of its returned data, as %s reports it", async (_name, failed) => {
  expect(await rehearsed({ result: blocks({ status: "0x0", logs: [], ...failed }) })).toMatchObject({
    ending: { ok: false, returned: new Uint8Array(256).fill(0xab) },
  });
});

test("a failed run without data has no reason", async () => {
  const failed = { status: "0x0", returnData: "0x", logs: [], error: { code: -32015, message: "out of gas" } };

  expect(await rehearsed({ result: blocks(failed) })).toMatchObject({
    ending: { ok: false, returned: new Uint8Array() },
  });
});

test.each([
  ["a node that does not have it", { failure: { code: -32601, message: "the method does not exist" } }],
  ["a provider that does not serve it", { failure: { code: -32000, message: "not on your plan" } }],
  ["a node that tells no moves of coins", { result: blocks(done, { calls: [{ status: "0x1", logs: [] }] }) }],
])("%s gives no result", async (_name, answer) => {
  expect(await rehearsed(answer)).toBeUndefined();
});

test.each([
  ["geth", { failure: { code: -38014, message: "" } }],
  ["anvil", { failure: { code: -32003, message: "Insufficient funds for gas * price + value" } }],
])("a sender that cannot pay is recognised, as %s reports it", async (_name, answer) => {
  expect(await rehearsed(answer)).toBe("too_poor");
});

test.each([
  ["nothing", null],
  ["one block", [blocks()[0]]],
  ["too few calls", [{ calls: [looked("5"), done] }, canary]],
  ["no status", blocks({ ...done, status: undefined })],
  ["logs that are none", blocks({ ...done, logs: [{ address: other, topics: [] }] })],
  ["coins that go nowhere", blocks({ ...done, logs: [{ ...coins(from, to, "1"), topics: [TRANSFER] }] })],
  ["a failure without what it returned", blocks({ status: "0x0", logs: [] })],
])("an answer with %s is the node's fault, and the next node is called", async (_name, result) => {
  const second = simulating({ result: blocks() });
  const node = nodeOver(simulating({ result }), second);

  expect(await node.rehearse(rehearsal, 16n, never)).toMatchObject({ ending: { ok: true } });
});

test("a node that has not seen the block yet is waited for", async () => {
  let asked = 0;
  const late = fakeEndpoint("a", (request) => {
    if (request.method !== "eth_simulateV1") return honest()(request);
    asked++;
    return asked === 1 ? { failure: { code: -32000, message: "header not found" } } : { result: blocks() };
  });
  const clock = new VirtualClock();
  const node = openEvmNode({ chainId: "1", endpoints: [late], multicall: undefined, clock, log: new FakeLog() });

  const answer = await clock.runUntil(node.rehearse(rehearsal, 16n, never));

  expect([answer, asked]).toMatchObject([{ ending: { ok: true } }, 2]);
});

test("a node without the method is called again ten minutes later", async () => {
  const asked: RpcRequest[] = [];
  const clock = new VirtualClock();
  const endpoint = simulating({ failure: { code: -32601, message: "no such method" } }, asked);
  const node = openEvmNode({ chainId: "1", endpoints: [endpoint], multicall: undefined, clock, log: new FakeLog() });
  const askedAfter = async (ms: number) => {
    await clock.advance(ms);
    await node.rehearse(rehearsal, 16n, never);
    return asked.length;
  };

  expect([await askedAfter(0), await askedAfter(599_999), await askedAfter(1)]).toEqual([1, 1, 2]);
});

test("the touched addresses of a transaction are read, and may be unknown", async () => {
  const call = { from, to, value: 1n, data: "0x" };
  const touching = (answer: RpcAnswer) =>
    nodeOver(
      fakeEndpoint("a", (request) => (request.method === "eth_createAccessList" ? answer : honest()(request))),
    ).touched(call, 16n, never);

  expect(await touching({ result: { accessList: [{ address: other.toUpperCase().replace("X", "x") }] } })).toEqual([
    other,
  ]);
  expect(await touching({ failure: { code: 3, message: "execution reverted" } })).toBeUndefined();
  await expect(touching({ result: { accessList: [{}] } })).rejects.toMatchObject({ code: "NODE_UNAVAILABLE" });
});
