import { lookup } from "node:dns";
import type { ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { openRpcEndpoint, type RpcEndpointOptions } from "../../../../../src/adapters/http/client/json-rpc-endpoint.ts";
import { Secret } from "../../../../../src/kernel/secret.ts";
import { RateLimitedError } from "../../../../../src/worker/answers/service-errors.ts";
import { answering, deadUrl, listen, type Received, sendJson } from "../../../../support/http-server.ts";

const never = new AbortController().signal;
const request = (method: string) => ({ method, params: [] });

interface Sent {
  readonly id: number;
  readonly method: string;
}

function endpointAt(url: string, replaced: Partial<Omit<RpcEndpointOptions, "url">> = {}) {
  const endpoint = openRpcEndpoint({
    name: "node (1)",
    setting: "EVM_RPC_URLS",
    url: new Secret(url),
    clock: { now: () => 0 },
    lookup,
    concurrency: 4,
    timeoutMs: 5_000,
    ...replaced,
  });
  onTestFinished(() => endpoint.close());
  return endpoint;
}

/** An endpoint with a server that runs `answer` on each parsed request. */
async function endpointThat(answer: (body: unknown, response: ServerResponse) => void, received: Received[] = []) {
  const url = await listen(answering(({ body }, response) => answer(JSON.parse(body), response), received));
  return endpointAt(url);
}

const echo = ({ id, method }: Sent) => ({ jsonrpc: "2.0", id, result: method });

describe("several requests", () => {
  test("travel as one batch, and answers are matched by id, not by order", async () => {
    const received: Received[] = [];
    const endpoint = await endpointThat(
      (body, response) => sendJson(response, 200, (body as Sent[]).map(echo).reverse()),
      received,
    );

    expect(await endpoint.ask([request("a"), request("b"), request("c")], never)).toEqual([
      { result: "a" },
      { result: "b" },
      { result: "c" },
    ]);
    expect(received).toHaveLength(1);
  });

  test("are cut into batches of ten, and a single request is no batch", async () => {
    const sizes: (number | "alone")[] = [];
    const endpoint = await endpointThat((body, response) => {
      sizes.push(Array.isArray(body) ? body.length : "alone");
      sendJson(response, 200, Array.isArray(body) ? body.map(echo) : echo(body as Sent));
    });
    const methods = Array.from({ length: 21 }, (_, i) => `m${i}`);

    const answers = await endpoint.ask(methods.map(request), never);

    expect(answers).toEqual(methods.map((result) => ({ result })));
    expect(sizes.sort()).toEqual([10, 10, "alone"]);
  });

  test("are sent one by one, now and later, to an endpoint that refuses batches", async () => {
    const received: Received[] = [];
    const endpoint = await endpointThat((body, response) => {
      if (Array.isArray(body))
        sendJson(response, 200, { jsonrpc: "2.0", id: null, error: { code: -32600, message: "no" } });
      else sendJson(response, 200, echo(body as Sent));
    }, received);

    expect(await endpoint.ask([request("a"), request("b")], never)).toEqual([{ result: "a" }, { result: "b" }]);
    expect(await endpoint.ask([request("c"), request("d")], never)).toEqual([{ result: "c" }, { result: "d" }]);
    expect(received.map(({ body }) => body.startsWith("["))).toEqual([true, false, false, false, false]);
  });

  test("fail one by one", async () => {
    const endpoint = await endpointThat((body, response) => {
      const [first, second] = body as Sent[];
      const failed = {
        jsonrpc: "2.0",
        id: second?.id,
        error: { code: 3, message: `execution reverted${"x".repeat(500)}` },
      };
      sendJson(response, 200, [echo(first as Sent), failed]);
    });

    expect(await endpoint.ask([request("a"), request("b")], never)).toEqual([
      { result: "a" },
      { failure: { code: 3, message: `execution reverted${"x".repeat(182)}` } },
    ]);
  });
});

describe("an answer is invalid", () => {
  const wrong = "the answer does not belong to the request";
  const answers: readonly (readonly [string, (sent: Sent[]) => unknown])[] = [
    ["that lacks one", ([first]) => [echo(first as Sent)]],
    ["that has one twice", ([first]) => [echo(first as Sent), echo(first as Sent)]],
    ["that has one more", ([first, second]) => [echo(first as Sent), echo(second as Sent), { id: 9, result: 1 }]],
    ["with somebody else's id", ([first]) => [echo(first as Sent), { id: 77, result: "b" }]],
    ["with ids as text", (sent) => sent.map(({ id, method }) => ({ id: String(id), result: method }))],
    ["without results", (sent) => sent.map(({ id }) => ({ id }))],
    ["of nulls", () => [null, null]],
    ["of numbers", () => [1, 2]],
  ];

  test.each(answers)("%s", async (_what, answer) => {
    const endpoint = await endpointThat((body, response) => sendJson(response, 200, answer(body as Sent[])));

    await expect(endpoint.ask([request("a"), request("b")], never)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: wrong,
    });
  });

  test.each([
    ["a page", "text/html", "<html>", "the answer is not application/json"],
    ["cut off", "application/json", '{"jsonrpc":"2.0","id":1,"res', "the answer is not valid JSON"],
    ["deep", "application/json", "[".repeat(40), "the answer is nested too deeply"],
  ])("a batch answer that is %s", async (_what, type, text, message) => {
    const endpoint = await endpointThat((_body, response) =>
      response.writeHead(200, { "content-type": type }).end(text),
    );

    await expect(endpoint.ask([request("a")], never)).rejects.toMatchObject({ code: "ANSWER_INVALID", message });
  });

  test("an answer that does not end after ten mebibytes", async () => {
    const endpoint = await endpointThat((_body, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const chunk = "0".repeat(1 << 20);
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", more);
      more();
    });

    await expect(endpoint.ask([request("a")], never)).rejects.toMatchObject({
      code: "ANSWER_INVALID",
      message: "the answer is larger than 10485760 bytes",
    });
  });
});

test("a 429 with a wait gives an error with that wait", async () => {
  const endpoint = await endpointThat((_body, response) => sendJson(response, 429, {}, { "retry-after": "7" }));

  const thrown = await endpoint.ask([request("a")], never).catch((error: unknown) => error);

  expect(thrown).toBeInstanceOf(RateLimitedError);
  expect(thrown).toMatchObject({ retryAfterMs: 7_000, message: "answered 429" });
});

test("a redirect is not followed", async () => {
  const elsewhere: Received[] = [];
  const target = await listen(
    answering((_request, response) => sendJson(response, 200, echo({ id: 1, method: "a" })), elsewhere),
  );
  const endpoint = await endpointThat((_body, response) => response.writeHead(307, { location: target }).end());

  await expect(endpoint.ask([request("a")], never)).rejects.toMatchObject({ message: "answered 307" });
  expect(elsewhere).toEqual([]);
});

test("an unreachable endpoint is named by its address, without the key in its URL", async () => {
  const url = await deadUrl();

  const thrown = await endpointAt(`${url}/v2/a-secret-key`)
    .ask([request("a")], never)
    .catch((error: unknown) => error);

  expect(thrown).toMatchObject({
    code: "UNAVAILABLE",
    message: `no answer: ECONNREFUSED connect ECONNREFUSED ${url.slice("http://".length)}`,
  });
});

test("the key of a URL is removed from the quoted text of an endpoint", async () => {
  const message = "project hunter2-in-path has no access, nor has hunter2-in-query";
  const url = await listen(
    answering((_request, response) => sendJson(response, 200, { id: 1, error: { code: -32000, message } })),
  );

  expect(await endpointAt(`${url}/v3/hunter2-in-path?dkey=hunter2-in-query`).ask([request("a")], never)).toEqual([
    { failure: { code: -32000, message: "project [key] has no access, nor has [key]" } },
  ]);
});

test("a name that resolves to cloud metadata is not connected to", async () => {
  const endpoint = endpointAt("https://node.example/key", {
    lookup: (_host, _options, done) => done(null, [{ address: "169.254.169.254", family: 4 }]),
  });

  await expect(endpoint.ask([request("a")], never)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message:
      "node.example, the host of EVM_RPC_URLS, resolves to 169.254.169.254, where no service is asked: it is a link-local address, as of cloud metadata",
  });
});

test("an aborted caller gets the reason of its signal, and the endpoint does not count as failed", async () => {
  const caller = new AbortController();
  const endpoint = await endpointThat(() => caller.abort(new Error("enough")));

  await expect(endpoint.ask([request("a")], caller.signal)).rejects.toThrow(new Error("enough"));
});

test("an endpoint without an answer is given up after its timeout", async () => {
  const url = await listen(answering(() => {}));

  await expect(endpointAt(url, { timeoutMs: 50 }).ask([request("a")], never)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: "no answer: no answer within 50 ms",
  });
});
