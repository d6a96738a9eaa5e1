import { lookup } from "node:dns";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Lookup } from "../../../../../src/adapters/http/connection/checked-lookup.ts";
import { openSolanaEndpoints } from "../../../../../src/adapters/solana/node/endpoints.ts";
import { rpcTransport } from "../../../../../src/adapters/solana/node/rpc-transport.ts";
import { Secret } from "../../../../../src/kernel/secret.ts";
import { FakeClock } from "../../../../fakes/fake-clock.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";
import { answering, deadUrl, listen, type Received, sendJson } from "../../../../support/http-server.ts";

const never = new AbortController().signal;
const payload = { jsonrpc: "2.0", id: "7", method: "getSlot", params: [9007199254740993n] };

function over(urls: readonly string[], more: { readonly timeoutMs?: number; readonly lookup?: Lookup } = {}) {
  const [clock, log] = [new FakeClock(), new FakeLog()];
  const options = { clock, lookup, timeoutMs: 5_000, ...more };
  const endpoints = openSolanaEndpoints(
    urls.map((url) => new Secret(url)),
    options,
  );
  onTestFinished(async () => void (await Promise.all(endpoints.map((endpoint) => endpoint.close()))));
  const transport = rpcTransport({ endpoints, clock, log });
  const ask = (signal: AbortSignal | undefined = never) => transport({ payload, signal });
  const reasons = () => log.lines.map(({ fields }) => fields?.["reason"]);
  return { ask, clock, log, reasons };
}

const says = (member: object, received: Received[] = []) =>
  listen(answering(({ body }, response) => sendJson(response, 200, { id: JSON.parse(body).id, ...member }), received));
const second = { jsonrpc: "2.0", id: "7", result: "second" };

test("a request keeps path, query and big numbers, and the answer has the request's id", async () => {
  const received: Received[] = [];
  const url = await listen(
    answering((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"id":1,"result":18446744073709551615}');
    }, received),
  );

  expect(await over([`${url}/path?key=1`]).ask()).toEqual({ jsonrpc: "2.0", id: "7", result: 18446744073709551615n });
  expect(received).toMatchObject([
    {
      method: "POST",
      url: "/path?key=1",
      body: '{"jsonrpc":"2.0","id":1,"method":"getSlot","params":[9007199254740993]}',
    },
  ]);
});

test("an answer of more than ten mebibytes is read, since accounts are that large", async () => {
  const result = "x".repeat(11 * 1024 * 1024);

  expect(await over([await says({ result })]).ask()).toEqual({ jsonrpc: "2.0", id: "7", result });
});

describe("the next node is called after", () => {
  test.each([
    ["HTTP 500", answering((_, response) => sendJson(response, 500, {})), "answered 500"],
    ["HTTP 429", answering((_, response) => sendJson(response, 429, {})), "answered 429"],
    ["HTTP 401", answering((_, response) => sendJson(response, 401, {})), "answered 401"],
    [
      "a redirect",
      answering((_, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()),
      "answered 302",
    ],
    [
      "a packed answer",
      answering((_, response) => sendJson(response, 200, "x", { "content-encoding": "gzip" })),
      "the answer is packed (content-encoding), though it was asked for as it is",
    ],
    [
      "no JSON-RPC",
      answering((_, response) => sendJson(response, 200, "x")),
      "the answer does not belong to the request",
    ],
    [
      "another's answer",
      answering((_, response) => sendJson(response, 200, { id: 2, result: 1 })),
      "the answer does not belong to the request",
    ],
  ])("%s", async (_what, broken, failure) => {
    const { ask, log, reasons } = over([await listen(broken), await says({ result: "second" })]);

    expect(await ask()).toEqual(second);
    expect(reasons()).toEqual([failure]);
    expect(log.lines).toMatchObject([
      {
        level: "warn",
        message: "an endpoint of SOLANA_RPC_URL gives no usable answer",
        fields: { method: "getSlot", endpoint: expect.stringMatching(/^127\.0\.0\.1:\d+ \(1\)$/) },
      },
    ]);
  });

  test("an unreachable node", async () => {
    const { ask, reasons } = over([await deadUrl(), await says({ result: "second" })]);

    expect(await ask()).toEqual(second);
    expect(reasons()).toEqual([expect.stringMatching(/^no answer: ECONNREFUSED connect ECONNREFUSED 127/)]);
  });

  test("an error about the node", async () => {
    const error = { code: -32005, message: "Node is behind by 42 slots" };
    const { ask, reasons } = over([await says({ error }), await says({ result: "second" })]);

    expect(await ask()).toEqual(second);
    expect(reasons()).toEqual(["it refuses: -32005 Node is behind by 42 slots"]);
  });

  test("a node that takes too long", async () => {
    const { ask, reasons } = over([await listen(() => {}), await says({ result: "second" })], { timeoutMs: 1_000 });

    expect(await ask()).toEqual(second);
    expect(reasons()).toEqual(["no answer: no answer within 1000 ms"]);
  });
});

test.each([-32602, -32003, -32006, -32013, -32015])(
  "the error %d is about the request, and is the answer",
  async (code) => {
    const error = { code, message: "invalid" };
    const { ask, log } = over([await says({ error }), await says({ result: "second" })]);

    expect(await ask()).toEqual({ jsonrpc: "2.0", id: "7", error });
    expect(log.lines).toEqual([]);
  },
);

test("a failed node comes last for ten seconds", async () => {
  const received: Received[] = [];
  let isDown = true;
  const first = await listen(
    answering((_, response) => sendJson(response, isDown ? 503 : 200, { id: 1, result: "first" }), received),
  );
  const { ask, clock } = over([first, await says({ result: "second" })]);

  await ask();
  isDown = false;
  await clock.sleep(9_999);
  expect(await ask()).toEqual(second);
  expect(received).toHaveLength(1);
  await clock.sleep(1);
  expect(await ask()).toEqual({ ...second, result: "first" });
});

test("when all nodes fail, the last failure counts, with its timeout flag", async () => {
  const down = over([await deadUrl()]);
  const slow = over([await listen(() => {})], { timeoutMs: 50 });
  const limited = over([await listen(answering((_, response) => sendJson(response, 429, {})))]);
  const none = over([]);

  await expect(down.ask()).rejects.toMatchObject({ code: "UNAVAILABLE", isTimeout: false });
  await expect(slow.ask()).rejects.toMatchObject({ code: "UNAVAILABLE", isTimeout: true });
  await expect(limited.ask()).rejects.toMatchObject({ code: "UNAVAILABLE", message: "answered 429" });
  await expect(none.ask()).rejects.toMatchObject({ code: "UNAVAILABLE", message: "there is no node to ask" });
});

test("an aborted caller gets the reason, and no other node is called", async () => {
  const received: Received[] = [];
  const { ask, log } = over([await listen(() => {}), await says({ result: "second" }, received)]);
  const reason = new Error("enough");
  const controller = new AbortController();
  const asked = ask(controller.signal);
  controller.abort(reason);

  await expect(asked).rejects.toBe(reason);
  expect([log.lines, received]).toEqual([[], []]);
});

test("a name that resolves to a refused address is not connected to", async () => {
  const metadata: Lookup = (_host, _options, done) => done(null, [{ address: "169.254.169.254", family: 4 }]);
  const { ask, log, reasons } = over(["https://node.example/hunter2"], { lookup: metadata });

  await expect(ask()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(reasons().join()).toContain("SOLANA_RPC_URL, resolves to 169.254.169.254, where no service is asked");
  expect(JSON.stringify(log.lines)).not.toContain("hunter2");
});
