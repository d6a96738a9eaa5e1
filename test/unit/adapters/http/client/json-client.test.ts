import { lookup } from "node:dns";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { JsonClient } from "../../../../../src/adapters/http/client/json-client.ts";
import { MAX_ANSWER_BYTES } from "../../../../../src/adapters/http/client/read-body.ts";
import type { Lookup } from "../../../../../src/adapters/http/connection/checked-lookup.ts";
import { parseExact } from "../../../../../src/kernel/json.ts";
import { Secret } from "../../../../../src/kernel/secret.ts";
import { FakeClock } from "../../../../fakes/fake-clock.ts";
import { answering, deadUrl, listen, type Received, sendJson } from "../../../../support/http-server.ts";

const never = new AbortController().signal;

function clientOf(
  baseUrl: string,
  own: { readonly timeoutMs?: number; readonly lookup?: Lookup; readonly closes?: true } = {},
) {
  const client = new JsonClient({
    baseUrl: new Secret(baseUrl),
    setting: "TRON_RPC_URL",
    codec: { parse: parseExact, stringify: JSON.stringify },
    headers: () => ({ "TRON-PRO-API-KEY": "hunter2-hunter2" }),
    clock: new FakeClock(),
    lookup: own.lookup ?? lookup,
    connections: 2,
    timeoutMs: own.timeoutMs ?? 5_000,
  });
  if (own.closes !== true) onTestFinished(() => client.close());
  return client;
}

async function askOf(answer: (received: Received, response: ServerResponse) => void, timeoutMs = 5_000) {
  const received: Received[] = [];
  const client = clientOf(`${await listen(answering(answer, received))}/base`, { timeoutMs });
  return { asking: client.post("/wallet/getaccount", { address: "41" }, never), received };
}

test("numbers in an answer stay exact, and the request carries the key", async () => {
  const { asking, received } = await askOf((_request, response) => {
    response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end('{"balance":9007199254740993}');
  });

  expect(JSON.stringify(await asking)).toBe('{"balance":9007199254740993}');
  expect(received).toMatchObject([
    {
      method: "POST",
      url: "/base/wallet/getaccount",
      body: '{"address":"41"}',
      headers: { "tron-pro-api-key": "hunter2-hunter2", "accept-encoding": "identity" },
    },
  ]);
});

test("a redirect is not followed", async () => {
  const elsewhere: Received[] = [];
  const target = await listen(answering((_request, response) => sendJson(response, 200, {}), elsewhere));
  const { asking } = await askOf((_request, response) => response.writeHead(307, { location: target }).end());

  await expect(asking).rejects.toMatchObject({ code: "UNAVAILABLE", message: "answered 307" });
  expect(elsewhere).toEqual([]);
});

test.each<[string, (response: ServerResponse) => void, object]>([
  ["a refused key", (response) => sendJson(response, 403, {}), { code: "UNAUTHORIZED", message: "answered 403" }],
  [
    "a limit",
    (response) => sendJson(response, 429, {}, { "retry-after": "7" }),
    { code: "RATE_LIMITED", retryAfterMs: 7_000 },
  ],
  ["a failure", (response) => sendJson(response, 500, {}), { code: "UNAVAILABLE", message: "answered 500" }],
  [
    "no JSON",
    (response) => response.writeHead(200, { "content-type": "application/json" }).end("<html>"),
    { code: "ANSWER_INVALID", message: "the answer is not valid JSON" },
  ],
  [
    "a web page",
    (response) => response.writeHead(200, { "content-type": "text/html" }).end("{}"),
    { code: "ANSWER_INVALID", message: "the answer is not application/json" },
  ],
  [
    "another type whose name begins alike",
    (response) => response.writeHead(200, { "content-type": "application/json-patch+json" }).end("{}"),
    { code: "ANSWER_INVALID", message: "the answer is not application/json" },
  ],
  [
    "a text that is not UTF-8",
    (response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(Buffer.from('{"name":"\xe9"}', "latin1")),
    { code: "ANSWER_INVALID", message: "the answer is not valid UTF-8" },
  ],
  [
    "a packed answer",
    (response) =>
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(gzipSync("{}")),
    { code: "ANSWER_INVALID", message: /packed/ },
  ],
  [
    "an endless one",
    (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end("1".repeat(MAX_ANSWER_BYTES + 1));
    },
    { code: "ANSWER_INVALID", message: `the answer is larger than ${MAX_ANSWER_BYTES} bytes` },
  ],
  [
    "one of too many values",
    (response) => response.writeHead(200, { "content-type": "application/json" }).end(`[${"0,".repeat(500_000)}0]`),
    { code: "ANSWER_INVALID", message: "the answer has more than 500000 values" },
  ],
  [
    "a deep one",
    (response) => response.writeHead(200, { "content-type": "application/json" }).end("[".repeat(40) + "]".repeat(40)),
    { code: "ANSWER_INVALID", message: "the answer is nested too deeply" },
  ],
])("%s gives its own error", async (_what, answer, error) => {
  const { asking } = await askOf((_request, response) => void answer(response));

  await expect(asking).rejects.toMatchObject(
    "message" in error && error.message instanceof RegExp ? { message: expect.stringMatching(error.message) } : error,
  );
});

test("an answer that takes too long is aborted, whether it never begins or never ends", async () => {
  const silent = await askOf(() => undefined, 50);
  const dripping = await askOf((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).write("{");
  }, 50);

  await expect(silent.asking).rejects.toThrow("no answer: no answer within 50 ms");
  await expect(dripping.asking).rejects.toThrow("no answer: no answer within 50 ms");
});

test("an unreachable server gives an error with the host and no path", async () => {
  const client = clientOf(`${await deadUrl()}/secret-in-a-path`);

  expect(client.name).toMatch(/^127\.0\.0\.1:\d+$/);
  await expect(client.post("/wallet/getaccount", {}, never)).rejects.toThrow(/^no answer: ECONNREFUSED (?!.*secret)/);
});

test("a name that resolves to cloud metadata is not connected to", async () => {
  const client = clientOf("http://node.example", {
    lookup: (_host, _options, done) => done(null, [{ address: "169.254.169.254", family: 4 }]),
  });

  await expect(client.post("/wallet/getaccount", {}, never)).rejects.toThrow(
    "the host of TRON_RPC_URL, resolves to 169.254",
  );
});

test("a close aborts the requests in flight", async () => {
  const client = clientOf(await listen(() => undefined), { closes: true });
  const asking = client.post("/wallet/getaccount", {}, never);
  const rejected = expect(asking).rejects.toThrow("no answer: closing");
  await client.close();

  await rejected;
});

test("an aborted caller gets the reason of its signal", async () => {
  const caller = new AbortController();
  const client = clientOf(await listen(() => caller.abort(new Error("enough"))));

  await expect(client.post("/wallet/getaccount", {}, caller.signal)).rejects.toThrow(new Error("enough"));
});

test("by default, numbers are those of JavaScript and answers have the usual limit", async () => {
  const url = await listen(answering(({ body }, response) => sendJson(response, 200, JSON.parse(body))));
  const options = {
    baseUrl: new Secret(url),
    setting: "SOLANA_RPC_URL",
    clock: new FakeClock(),
    lookup,
    connections: 1,
    timeoutMs: 5_000,
  } as const;
  const [plain, narrow] = [new JsonClient(options), new JsonClient({ ...options, maxBytes: 5 })];
  onTestFinished(async () => void (await Promise.all([plain.close(), narrow.close()])));

  expect(await plain.post("/", [9007199254740992], never)).toEqual([9007199254740992]);
  expect(await narrow.post("/", [1, 2], never)).toEqual([1, 2]);
  await expect(narrow.post("/", [1, 22], never)).rejects.toThrow("the answer is larger than 5 bytes");
});
