import { expect, test } from "vitest";
import type { RpcAnswer, RpcRequest } from "../../../../src/adapters/http/client/json-rpc-endpoint.ts";
import { openEvmNode } from "../../../../src/adapters/viem/evm-node.ts";
import { NodeUnavailableError } from "../../../../src/service/evm/node.ts";
import { fakeEndpoint, honest } from "../../../fakes/fake-endpoint.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { VirtualClock } from "../../../fakes/virtual-clock.ts";

const never = new AbortController().signal;
const [from, to] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`] as const;
const call = { from, to, data: "0x1234", gas: 255n };
const blocks = [
  { timeSec: undefined, blocks: 1n, calls: [call] },
  { timeSec: 4_096n, blocks: 64n, calls: [call, call] },
];
const overrides = [{ address: from, balance: 16n }];
const word = `0x${"7".padStart(64, "0")}`;
const went = (returnData: string) => ({ status: "0x1", returnData, logs: [] });
const failed = { status: "0x0", returnData: "0x", error: { message: "execution reverted" } };

/** A node with the gas price `price` that returns `answer` for a simulation. */
function nodeSaying(answer: RpcAnswer, price?: RpcAnswer) {
  const asked: RpcRequest[] = [];
  const endpoint = fakeEndpoint("a", (request) => {
    if (request.method === "eth_gasPrice" && price !== undefined) return price;
    if (request.method !== "eth_simulateV1") return honest()(request);
    asked.push(request);
    return answer;
  });
  const clock = new VirtualClock();
  const node = openEvmNode({ chainId: "1", endpoints: [endpoint], multicall: undefined, clock, log: new FakeLog() });
  return { node, asked, clock };
}

test("later blocks have a number and a time, and keep the state changes of the first", async () => {
  const { node, asked } = nodeSaying({ failure: { code: -32601, message: "no such method" } }, { result: "0x64" });
  const said = { from, to, data: "0x1234", gas: "0xff", gasPrice: "0x7d" };

  await node.head(never);
  expect(await node.follow(blocks, overrides, 256n, never)).toBeUndefined();

  expect(asked.map(({ params }) => params)).toEqual([
    [
      {
        blockStateCalls: [
          { blockOverrides: { number: "0x101" }, stateOverrides: { [from]: { balance: "0x10" } }, calls: [said] },
          { blockOverrides: { number: "0x141", time: "0x1000" }, calls: [said, said] },
        ],
        traceTransfers: false,
        validation: false,
        returnFullTransactions: false,
      },
      "0x100",
    ],
  ]);
});

test("inserted blocks are skipped, and one word of megabytes is read", async () => {
  const empty = { calls: [] };
  const answer = [{ calls: [went("0x")] }, empty, empty, { calls: [failed, went(`${word}${"0".repeat(1_000_000)}`)] }];

  expect(await nodeSaying({ result: answer }).node.follow(blocks, overrides, 256n, never)).toEqual([
    [{ ok: true, data: new Uint8Array() }],
    [{ ok: false }, { ok: true, data: Uint8Array.of(...new Uint8Array(31), 7) }],
  ]);
});

test("an answer with another length is invalid", async () => {
  const { node } = nodeSaying({ result: [{ calls: [went("0x")] }, { calls: [went("0x")] }] });

  await expect(node.follow(blocks, overrides, 256n, never)).rejects.toThrow(NodeUnavailableError);
});

test("a node without simulation is not called for ten minutes", async () => {
  const { node, asked, clock } = nodeSaying({ failure: { code: -32601, message: "no such method" } });

  await node.follow(blocks, overrides, 256n, never);
  await node.follow(blocks, overrides, 256n, never);
  expect(asked).toHaveLength(1);
  await clock.advance(600_000);
  await node.follow(blocks, overrides, 256n, never);
  expect(asked).toHaveLength(2);
});

test.each<[string, RpcAnswer | undefined, object]>([
  ["what the node asks now and a fourth more", { result: "0x64" }, { gasPrice: "0x7d" }],
  ["nothing where it does not tell", undefined, {}],
  ["nothing where it tells no number", { result: "much" }, {}],
])("the payer of an experiment offers %s", async (_what, price, offered) => {
  const params: unknown[] = [];
  const endpoint = fakeEndpoint("a", (request) => {
    if (request.method === "eth_gasPrice" && price !== undefined) return price;
    if (request.method === "eth_call") params.push(request.params[0]);
    return honest()(request);
  });
  const options = { chainId: "1", endpoints: [endpoint], multicall: undefined };
  const node = openEvmNode({ ...options, clock: new VirtualClock(), log: new FakeLog() });
  const experiment = { from, to, data: "0x1234", overrides: [] };

  await node.head(never);
  await node.experiment([experiment, { ...experiment, pays: true }], 256n, never);

  const plain = { from, to, data: "0x1234", gas: "0xf42400" };
  expect(params).toEqual([plain, { ...plain, ...offered }]);
});
