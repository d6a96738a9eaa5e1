import { decodeFunctionData, encodeFunctionResult, type Hex, multicall3Abi } from "viem";
import { describe, expect, test } from "vitest";
import type { RpcAnswer, RpcRequest } from "../../../../src/adapters/http/client/json-rpc-endpoint.ts";
import { openEvmNode } from "../../../../src/adapters/viem/evm-node.ts";
import { NodeUnavailableError } from "../../../../src/service/evm/node.ts";
import { RateLimitedError, UnavailableError } from "../../../../src/worker/answers/service-errors.ts";
import { type Behaviour, type FakeEndpoint, fakeEndpoint, honest } from "../../../fakes/fake-endpoint.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { VirtualClock } from "../../../fakes/virtual-clock.ts";

const never = new AbortController().signal;
const address = `0x${"11".repeat(20)}`;
const other = `0x${"22".repeat(20)}`;
const MULTICALL = `0x${"ca".repeat(20)}`;
const codeRead = { of: "code", address } as const;

function nodeOver(endpoints: readonly FakeEndpoint[], multicall?: string) {
  const clock = new VirtualClock();
  const log = new FakeLog();
  return { node: openEvmNode({ chainId: "1", endpoints, multicall, clock, log }), clock, log };
}

const dead: Behaviour = () => {
  throw new UnavailableError("connect ECONNREFUSED");
};

/** A behaviour with another answer for one method. */
const but =
  (method: string, answer: RpcAnswer | (() => RpcAnswer), rest = honest()): Behaviour =>
  (request) =>
    request.method !== method ? rest(request) : typeof answer === "function" ? answer() : answer;

describe("state", () => {
  test("is read in one batch with the chain id, as bytes of code and words of the rest", async () => {
    const endpoint = fakeEndpoint("a", honest());
    const slot = `0x${"0".repeat(64)}`;
    const { node } = nodeOver([endpoint]);

    const [bytes, balance, nonce, storage] = await node.read(
      [codeRead, { of: "balance", address }, { of: "nonce", address }, { of: "storage", address, slot }],
      256n,
      never,
    );

    const seven = new Uint8Array(32).fill(7, 31);
    expect(bytes).toEqual(new Uint8Array([0xfe]));
    expect([balance, nonce, storage]).toEqual([seven, seven, seven]);
    expect(endpoint.asked).toEqual([
      ["eth_chainId", "eth_getCode", "eth_getBalance", "eth_getTransactionCount", "eth_getStorageAt"],
    ]);
  });

  test("is requested at the block's number, and once a block", async () => {
    const params: unknown[] = [];
    const endpoint = fakeEndpoint("a", (request) => {
      if (request.method === "eth_getCode") params.push(request.params);
      return honest()(request);
    });
    const { node } = nodeOver([endpoint]);

    await node.read([codeRead], 256n, never);
    await node.read([codeRead, codeRead], 256n, never);
    await node.read([codeRead], 257n, never);

    expect(params).toEqual([
      [address, "0x100"],
      [address, "0x101"],
    ]);
  });

  const garbage: readonly (readonly [string, unknown])[] = [
    ["a number", 7],
    ["text", "hello"],
    ["no 0x", "fe"],
    ["half a byte", "0xf"],
    ["no hex", "0xzz"],
    ["null", null],
    ["a list", ["0xfe"]],
    ["too much", `0x${"00".repeat((1 << 20) + 1)}`],
  ];
  test.each(garbage)("that is %s is no code, and the next endpoint is called", async (_what, result) => {
    const liar = fakeEndpoint("liar", but("eth_getCode", { result }));
    const { node, log } = nodeOver([liar, fakeEndpoint("good", honest())]);

    expect(await node.read([codeRead], 256n, never)).toEqual([new Uint8Array([0xfe])]);
    expect(log.lines).toEqual([
      {
        level: "warn",
        message: "an endpoint of EVM_RPC_URLS gives no usable answer",
        fields: { chain: "1", endpoint: "liar", reason: "the answer has no bytes where bytes belong" },
      },
    ]);
  });

  test.each(["0x", "0x1g", `0x${"1".repeat(65)}`, 5, null, {}])("%j is no balance", async (result) => {
    const { node } = nodeOver([fakeEndpoint("liar", but("eth_getBalance", { result }))]);

    await expect(node.read([{ of: "balance", address }], 256n, never)).rejects.toEqual(
      new NodeUnavailableError("no endpoint of chain 1 answers: liar: the answer has no number where a number belongs"),
    );
  });
});

describe("endpoints", () => {
  test("are called in their order, and only as far as needed", async () => {
    const [first, second] = [fakeEndpoint("a", honest()), fakeEndpoint("b", honest())];
    const { node } = nodeOver([first, second]);

    await node.read([codeRead], 1n, never);

    expect([first.asked.length, second.asked.length]).toEqual([1, 0]);
  });

  test("that are down rest for one second, then two, then four, and a working one is preferred again", async () => {
    const [first, second] = [fakeEndpoint("a", dead), fakeEndpoint("b", honest())];
    const { node, clock } = nodeOver([first, second]);
    const askedAt = async (ms: number, at: bigint) => {
      await clock.advance(ms);
      await node.read([codeRead], at, never);
      return first.asked.length;
    };

    expect(await askedAt(0, 1n)).toBe(1);
    expect(await askedAt(999, 2n)).toBe(1);
    expect(await askedAt(1, 3n)).toBe(2);
    expect(await askedAt(1_999, 4n)).toBe(2);
    expect(await askedAt(1, 5n)).toBe(3);
    expect(await askedAt(3_999, 6n)).toBe(3);
    first.behave = honest();
    expect(await askedAt(1, 7n)).toBe(4);
    expect(await askedAt(0, 8n)).toBe(5);
    expect(second.asked).toHaveLength(6);
  });

  test("that all fail are named with their reasons, and are called again at the next request despite their rest", async () => {
    const endpoints = [
      fakeEndpoint("a", dead),
      fakeEndpoint("b", but("eth_getCode", { failure: { code: -32005, message: "limit exceeded" } })),
    ];
    const { node } = nodeOver(endpoints);

    await expect(node.read([codeRead], 1n, never)).rejects.toEqual(
      new NodeUnavailableError(
        "no endpoint of chain 1 answers: a: connect ECONNREFUSED; b: it refuses: -32005 limit exceeded",
      ),
    );
    await expect(node.read([codeRead], 1n, never)).rejects.toThrow(NodeUnavailableError);
    expect(endpoints.map(({ asked }) => asked.length)).toEqual([2, 2]);
  });

  test("that request a pause rest for it", async () => {
    let refusals = 0;
    const first = fakeEndpoint("a", () => {
      refusals++;
      throw new RateLimitedError("it answered 429", 30_000);
    });
    const { node, clock } = nodeOver([first, fakeEndpoint("b", honest())]);

    await node.read([codeRead], 1n, never);
    await clock.advance(29_999);
    await node.read([codeRead], 2n, never);
    expect(refusals).toBe(1);
    await clock.advance(1);
    await node.read([codeRead], 3n, never);
    expect(refusals).toBe(2);
  });

  test("of another chain are refused, logged as errors, and rest for a minute", async () => {
    const stranger = fakeEndpoint("stranger", honest(56));
    const { node, clock, log } = nodeOver([stranger, fakeEndpoint("good", honest())]);

    await node.read([codeRead], 1n, never);
    await clock.advance(59_999);
    await node.read([codeRead], 2n, never);

    expect(stranger.asked).toHaveLength(1);
    expect(log.lines).toEqual([
      {
        level: "error",
        message: "an endpoint of EVM_RPC_URLS is of another chain",
        fields: { chain: "1", endpoint: "stranger", reason: "it is of chain 56" },
      },
    ]);
  });

  test("of another chain alone give no answer", async () => {
    const { node } = nodeOver([fakeEndpoint("stranger", honest(56))]);

    await expect(node.head(never)).rejects.toThrow("no endpoint of chain 1 answers: stranger: it is of chain 56");
  });

  test("report their chain again every minute, and after each failure", async () => {
    const endpoint = fakeEndpoint("a", honest());
    const { node, clock } = nodeOver([endpoint]);
    const toldAt = async (ms: number, at: bigint) => {
      await clock.advance(ms);
      await node.read([codeRead], at, never).catch(() => {});
      return endpoint.asked.at(-1)?.includes("eth_chainId");
    };

    expect(await toldAt(0, 1n)).toBe(true);
    expect(await toldAt(59_999, 2n)).toBe(false);
    expect(await toldAt(1, 3n)).toBe(true);
    endpoint.behave = dead;
    expect(await toldAt(0, 4n)).toBe(false);
    endpoint.behave = honest();
    expect(await toldAt(0, 5n)).toBe(true);
    endpoint.behave = honest(2);
    expect(await toldAt(60_000, 6n)).toBe(true);
    await expect(node.read([codeRead], 7n, never)).rejects.toThrow("it is of chain 2");
  });

  test.each([
    [-32000, "header not found"],
    [-32602, "BlockOutOfRangeError: block height is 0 but requested was 85"],
    [-32001, "Unknown block"],
    [-39001, "Unknown block number"],
    [-32000, "block not found"],
    [-32000, "cannot query unfinalized data: requested height 9 is after last accepted block 8"],
  ])("that have not seen the block yet (%d %s) are waited for, twice, and do not rest", async (code, message) => {
    const late = but("eth_getCode", { failure: { code, message } });
    const endpoint = fakeEndpoint("a", late);
    const { node, clock, log } = nodeOver([endpoint]);

    const first = node.read([codeRead], 1n, never).catch((thrown: unknown) => thrown);
    expect(await clock.runUntil(first)).toEqual(
      new NodeUnavailableError(`no endpoint of chain 1 answers: a: it refuses: ${code} ${message}`),
    );
    expect([clock.slept, endpoint.asked.length, log.lines]).toEqual([[250, 250], 3, []]);

    const second = node.read([codeRead], 1n, never);
    await clock.advance(0);
    endpoint.behave = honest();
    expect(await clock.runUntil(second)).toEqual([new Uint8Array([0xfe])]);
    expect(clock.slept).toEqual([250, 250, 250]);
  });

  test("with a bug in Weir's code are not skipped", async () => {
    const { node } = nodeOver([
      fakeEndpoint("a", () => {
        throw new TypeError("a bug");
      }),
      fakeEndpoint("b", honest()),
    ]);

    await expect(node.read([codeRead], 1n, never)).rejects.toThrow(new TypeError("a bug"));
  });
});

describe("the newest block", () => {
  test("is requested once a second, for any number of callers", async () => {
    const endpoint = fakeEndpoint("a", honest());
    const { node, clock } = nodeOver([endpoint]);

    expect(await Promise.all([node.head(never), node.head(never)])).toEqual([256n, 256n]);
    await clock.advance(999);
    await node.head(never);
    expect(endpoint.asked).toHaveLength(1);
    await clock.advance(1);
    await node.head(never);
    expect(endpoint.asked).toHaveLength(2);
  });

  test("is requested again at once after a failure", async () => {
    const endpoint = fakeEndpoint("a", dead);
    const { node } = nodeOver([endpoint]);
    await expect(node.head(never)).rejects.toThrow(NodeUnavailableError);
    endpoint.behave = honest();

    expect(await node.head(never)).toBe(256n);
  });

  test("is waited for only until its caller aborts", async () => {
    const caller = new AbortController();
    const endpoint = fakeEndpoint("a", honest());
    endpoint.ask = () => new Promise(() => {});
    const { node } = nodeOver([endpoint]);

    const head = node.head(caller.signal);
    caller.abort(new Error("enough"));

    await expect(head).rejects.toThrow(new Error("enough"));
  });
});

/** A node with Multicall3. Each call inside returns the result of `inside`, or fails without one. */
function withMulticall(inside: (data: string) => string | undefined, alone: Behaviour = honest()): Behaviour {
  return (request) => {
    const { to, data } = Object(request.params[0]);
    if (request.method !== "eth_call" || to !== MULTICALL) return alone(request);
    const { args } = decodeFunctionData({ abi: multicall3Abi, data });
    const results = (args as unknown as [{ callData: string }[]])[0].map(({ callData }) => {
      const returnData = inside(callData);
      return { success: returnData !== undefined, returnData: (returnData ?? "0x") as Hex };
    });
    return { result: encodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", result: results }) };
  };
}

const calls = ["0x01", "0x02", "0x03"].map((data) => ({ to: other, data }));
const returns = (...bytes: number[]) => ({ ok: true, data: new Uint8Array(bytes) });

describe("calls", () => {
  test("are combined by Multicall3", async () => {
    const endpoint = fakeEndpoint(
      "a",
      withMulticall((data) => data),
    );
    const { node } = nodeOver([endpoint], MULTICALL);

    expect(await node.call(calls, 1n, never)).toEqual([returns(1), returns(2), returns(3)]);
    expect(endpoint.asked).toEqual([["eth_chainId", "eth_call"]]);
  });

  test("that failed beside others are repeated alone, since the others may have burned their gas", async () => {
    const endpoint = fakeEndpoint(
      "a",
      withMulticall((data) => (data === "0x01" ? "0xaa" : undefined)),
    );
    const reverts = { failure: { code: 3, message: "execution reverted" } };
    const alone = endpoint.behave;
    endpoint.behave = (request) => (Object(request.params[0]).data === "0x03" ? reverts : alone(request));
    const { node } = nodeOver([endpoint], MULTICALL);

    expect(await node.call(calls, 1n, never)).toEqual([returns(0xaa), returns(2), { ok: false }]);
    expect(endpoint.asked).toEqual([
      ["eth_chainId", "eth_call"],
      ["eth_call", "eth_call"],
    ]);
  });

  test("with a failed first one do not repeat it, since no other call burned its gas", async () => {
    const endpoint = fakeEndpoint(
      "a",
      withMulticall((data) => (data === "0x01" ? undefined : data)),
    );
    const { node } = nodeOver([endpoint], MULTICALL);

    expect(await node.call(calls, 1n, never)).toEqual([{ ok: false }, returns(2), returns(3)]);
    expect(endpoint.asked).toEqual([["eth_chainId", "eth_call"]]);
  });

  test("that burned all gas together are repeated alone", async () => {
    const outOfGas = { failure: { code: -32000, message: "out of gas" } };
    const endpoint = fakeEndpoint("a", (request) =>
      Object(request.params[0]).to === MULTICALL ? outOfGas : honest()(request),
    );
    const { node } = nodeOver([endpoint], MULTICALL);

    expect(await node.call(calls, 1n, never)).toEqual([returns(1), returns(2), returns(3)]);
  });

  test("go one by one where Multicall3 is absent, and Multicall3 is not tried again", async () => {
    const endpoint = fakeEndpoint("a", (request) =>
      Object(request.params[0]).to === MULTICALL ? { result: "0x" } : honest()(request),
    );
    const { node } = nodeOver([endpoint], MULTICALL);

    expect(await node.call(calls, 1n, never)).toEqual([returns(1), returns(2), returns(3)]);
    await node.call(calls, 2n, never);
    expect(endpoint.asked.map((batch) => batch.length)).toEqual([2, 3, 3]);
  });

  test("of a single view need no Multicall3, and have limited gas", async () => {
    const params: unknown[] = [];
    const endpoint = fakeEndpoint("a", (request: RpcRequest) => {
      if (request.method === "eth_call") params.push(request.params);
      return honest()(request);
    });
    const { node } = nodeOver([endpoint], MULTICALL);

    await node.call(calls.slice(0, 1), 16n, never);

    expect(params).toEqual([[{ to: other, data: "0x01", gas: "0x7a120" }, "0x10"]]);
  });

  test.each([
    ["no ABI", "0x1234"],
    ["another number of results", encodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", result: [] })],
    ["no hex", 12],
  ])("answered with %s are sent to another endpoint", async (_what, result) => {
    const liar = fakeEndpoint("liar", but("eth_call", { result }));
    const { node } = nodeOver(
      [
        liar,
        fakeEndpoint(
          "good",
          withMulticall((data) => data),
        ),
      ],
      MULTICALL,
    );

    expect(await node.call(calls, 1n, never)).toEqual([returns(1), returns(2), returns(3)]);
    expect(liar.asked).toHaveLength(1);
  });

  test("are cached by block", async () => {
    const endpoint = fakeEndpoint("a", honest());
    const { node } = nodeOver([endpoint]);

    await node.call(calls, 1n, never);
    await node.call([...calls, ...calls], 1n, never);
    expect(endpoint.asked).toHaveLength(1);
    await node.call(calls, 2n, never);
    expect(endpoint.asked).toHaveLength(2);
  });

  test("that return more than 64 KiB count as failed", async () => {
    const of = (bytes: number) => ({ result: `0x${"00".repeat(bytes)}` });
    const { node } = nodeOver([fakeEndpoint("a", but("eth_call", of(65_536)))]);
    const { node: more } = nodeOver([fakeEndpoint("a", but("eth_call", of(65_537)))]);

    expect(await node.call(calls.slice(0, 1), 1n, never)).toEqual([{ ok: true, data: new Uint8Array(65_536) }]);
    expect(await more.call(calls.slice(0, 1), 1n, never)).toEqual([{ ok: false }]);
  });

  test.each([
    [3, "execution reverted: no"],
    [-32015, "VM execution error."],
    [-32000, "execution reverted"],
    [-32000, "invalid opcode: INVALID"],
    [-32000, "invalid jump destination"],
    [-32000, "out of gas"],
    [-32000, "stack underflow (0 <=> 1)"],
    [-32603, "EVM error InvalidFEOpcode"],
    [-32603, "EVM error OutOfGas"],
    [-32603, "EVM error StackUnderflow"],
    [-32603, "EVM error InvalidJump"],
  ])("%d %s is a failure of the called code", async (errorCode, message) => {
    const { node } = nodeOver([fakeEndpoint("a", but("eth_call", { failure: { code: errorCode, message } }))]);

    expect(await node.call(calls.slice(0, 1), 1n, never)).toEqual([{ ok: false }]);
  });

  test.each([
    [-32005, "limit exceeded"],
    [-32601, "method not found"],
    [-32603, "internal error"],
    [0, "no message"],
  ])("%d %s is a failure of the node", async (errorCode, message) => {
    const { node } = nodeOver([fakeEndpoint("a", but("eth_call", { failure: { code: errorCode, message } }))]);

    await expect(node.call(calls.slice(0, 1), 1n, never)).rejects.toEqual(
      new NodeUnavailableError(`no endpoint of chain 1 answers: a: it refuses: ${errorCode} ${message}`),
    );
  });
});

describe("an experiment", () => {
  const from = `0x${"33".repeat(20)}`;
  const key = `0x${"0".repeat(63)}5`;
  const experiment = {
    from,
    to: address,
    data: "0x1234",
    overrides: [
      { address, code: "0xfe", balance: 256n },
      { address: other, words: { [key]: key } },
    ],
  };

  test("is a call with gas for some trades, with state overrides in geth's form", async () => {
    const params: unknown[] = [];
    const endpoint = fakeEndpoint("a", (request) => {
      if (request.method === "eth_call") params.push(request.params);
      return honest()(request);
    });
    const { node } = nodeOver([endpoint], MULTICALL);

    const results = await node.experiment([experiment, experiment], 256n, never);

    expect(results).toEqual([1, 2].map(() => ({ ok: true, data: new Uint8Array([0x12, 0x34]) })));
    const overrides = { [address]: { code: "0xfe", balance: "0x100" }, [other]: { stateDiff: { [key]: key } } };
    const call = [{ from, to: address, data: "0x1234", gas: "0xf42400" }, "0x100", overrides];
    expect(params).toEqual([call, call]);
  });

  test("that fails in the called code has failed, and one that no node runs has no result", async () => {
    const reverted = { failure: { code: 3, message: "execution reverted" } };
    const refusing = { failure: { code: -32602, message: "too many arguments, want at most 2" } };
    const { node } = nodeOver([fakeEndpoint("a", but("eth_call", reverted))]);
    const { node: older } = nodeOver([fakeEndpoint("b", but("eth_call", refusing))]);

    expect(await node.experiment([experiment], 256n, never)).toEqual([{ ok: false }]);
    await expect(older.experiment([experiment], 256n, never)).rejects.toThrow(NodeUnavailableError);
  });
});
