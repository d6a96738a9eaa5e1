import { lookup } from "node:dns";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { MAX_ANSWER_BYTES, MAX_ANSWER_VALUES } from "../../../../../src/adapters/http/client/read-body.ts";
import type { Lookup } from "../../../../../src/adapters/http/connection/checked-lookup.ts";
import { type Dialect, dialectOf } from "../../../../../src/adapters/http/service/dialect.ts";
import { ServiceClient } from "../../../../../src/adapters/http/service/service-client.ts";
import { failureBody } from "../../../../../src/api/failures.ts";
import { shapeOf } from "../../../../../src/kernel/json.ts";
import { Secret } from "../../../../../src/kernel/secret.ts";
import { RateLimitedError, UnavailableError } from "../../../../../src/worker/answers/service-errors.ts";
import { clean } from "../../../../fakes/evidence.ts";
import { FakeClock } from "../../../../fakes/fake-clock.ts";
import { answering, deadUrl, listen, type Received, sendJson } from "../../../../support/http-server.ts";

const KEY = "hunter2-hunter2";
const NOW = Date.UTC(2026, 10, 21, 12);
const never = new AbortController().signal;
const request = { chain_id: "1", address: "0xd9a1c3788d81257612e2581a6ea0ada244853a91" };
const data = {
  target_address: clean.target,
  token_address: {},
  target_address_input: request.address,
  user_address_input: "",
  token_address_input: "",
};
const success = { code: "0", status: "ok", data };

interface Own {
  readonly timeoutMs?: number;
  readonly concurrency?: number;
  readonly key?: () => string;
  readonly lookup?: Lookup;
  readonly dialect?: Dialect;
}

function clientOf(baseUrl: string, own: Own = {}) {
  const statuses: number[] = [];
  const unread: string[] = [];
  const client = new ServiceClient({
    baseUrl,
    apiKey: () => new Secret(own.key?.() ?? KEY),
    clock: new FakeClock(NOW),
    lookup: own.lookup ?? lookup,
    concurrency: own.concurrency ?? 4,
    timeoutMs: own.timeoutMs ?? 5_000,
    onAnswer: (status) => statuses.push(status),
    onUnreadWait: (text) => unread.push(text),
    ...(own.dialect === undefined ? {} : { dialect: own.dialect }),
  });
  onTestFinished(() => client.close());
  return { client, statuses, unread };
}

/** Sends one request to a server with this answer. */
async function askOf(answer: (received: Received, response: ServerResponse) => void, own: { timeoutMs?: number } = {}) {
  const received: Received[] = [];
  const { client, statuses, unread } = clientOf(await listen(answering(answer, received)), own);
  return { asking: client.ask("poisoningSingle", request, never), statuses, received, unread };
}

describe("a service with a dialect", () => {
  const dialect = dialectOf({
    auth: { header: "Authorization", scheme: "Bearer" },
    paths: { "address-poisoning": "/v1/poisoning" },
  });

  test("is called at its own path, with the key in its own header", async () => {
    const received: Received[] = [];
    const url = await listen(answering((_request, response) => sendJson(response, 200, success), received));
    const { client } = clientOf(url, { dialect });

    expect(await client.ask("poisoningSingle", request, never)).toEqual(success);
    expect(received).toMatchObject([{ url: "/v1/poisoning", headers: { authorization: `Bearer ${KEY}` } }]);
    expect(received[0]?.headers).not.toHaveProperty("x-api-key");
  });

  test("gets and returns its own names for chains", async () => {
    const received: Received[] = [];
    const batch = {
      ...success,
      data: { target_addresses: [{ ...request, chain_id: "Main", ...clean.target }], token_addresses: [] },
    };
    const url = await listen(
      answering(
        ({ body }, response) => sendJson(response, 200, body.includes("target_addresses") ? batch : success),
        received,
      ),
    );
    const { client } = clientOf(url, { dialect: dialectOf({ chains: { eth: "main" } }) });
    const items = { user_addresses: [request], target_addresses: [request], token_addresses: [] };

    await client.ask("poisoningQuery", request, never);
    const answer = await client.ask("poisoningBatch", items, never);
    expect(received[0]?.url).toContain("?chain_id=main&");
    expect(JSON.parse(received[1]?.body ?? "")).toEqual({
      user_addresses: [{ ...request, chain_id: "main" }],
      target_addresses: [{ ...request, chain_id: "main" }],
      token_addresses: [],
    });
    expect(answer.data.target_addresses).toEqual([{ ...request, ...clean.target }]);
  });

  test("an echoed key is not repeated", async () => {
    const url = await listen(
      answering(({ headers }, response) => sendJson(response, 400, { detail: `bad ${headers["authorization"]}` })),
    );
    const { client } = clientOf(url, { dialect });

    const thrown = await client.ask("poisoningSingle", request, never).catch((error: unknown) => String(error));
    expect(thrown).toContain("400: bad Bearer");
    expect(thrown).not.toContain(KEY);
  });
});

describe("a success", () => {
  test("is the parsed answer to the request that was sent", async () => {
    const { asking, statuses, received } = await askOf((_request, response) => sendJson(response, 200, success));

    expect(await asking).toEqual(success);
    expect(statuses).toEqual([200]);
    expect(received).toEqual([
      {
        method: "POST",
        url: "/v2/svc/address-poisoning",
        headers: expect.objectContaining({
          "x-api-key": KEY,
          "content-type": "application/json",
          accept: "application/json",
          "accept-encoding": "identity",
        }),
        body: JSON.stringify(request),
      },
    ]);
  });

  test("sends a query in the URL, escaped, without undefined values", async () => {
    const received: Received[] = [];
    const answer = { code: "0", status: "ok", data: clean.classification };
    const url = await listen(answering((_request, response) => sendJson(response, 200, answer), received));
    const { client } = clientOf(url);

    await client.ask("classifyQuery", { chain_id: "1", address: "0x a&b=c", strict: undefined }, never);

    expect(received[0]).toMatchObject({
      method: "GET",
      url: "/v2/svc/address-classify?chain_id=1&address=0x+a%26b%3Dc",
      body: "",
    });
    expect(received[0]?.headers).toMatchObject({ "x-api-key": KEY });
    expect(received[0]?.headers).not.toHaveProperty("content-type");
  });

  test("may hold one key in several objects, and colons and quotes in its texts", async () => {
    const trace = { code: '"code":"0","code":"1"', trace: [{ code: "\\" }, { code: '{\\":' }, {}], "a:b": ":" };
    const { asking } = await askOf((_request, response) => sendJson(response, 200, { ...success, trace }));

    expect(await asking).toEqual({ ...success, trace });
  });

  test("may name a charset, and have new fields", async () => {
    const { asking } = await askOf((_request, response) =>
      sendJson(response, 200, { ...success, trace: 7 }, { "content-type": "application/json; charset=utf-8" }),
    );

    expect(await asking).toEqual({ ...success, trace: 7 });
  });
});

const failure = (status: number, detail = "why") => [status, { code: "-1", status: "error", detail }] as const;

describe("a failure", () => {
  test.each<[number, string, boolean]>([
    [201, "UNAVAILABLE", true],
    [204, "UNAVAILABLE", true],
    [300, "UNAVAILABLE", true],
    [304, "UNAVAILABLE", true],
    [400, "REJECTED", false],
    [401, "UNAUTHORIZED", false],
    [403, "UNAUTHORIZED", false],
    [404, "UNAVAILABLE", true],
    [408, "UNAVAILABLE", true],
    [413, "REJECTED", false],
    [422, "REJECTED", false],
    [429, "RATE_LIMITED", true],
    [500, "UNAVAILABLE", true],
    [502, "UNAVAILABLE", true],
    [503, "UNAVAILABLE", true],
    [504, "UNAVAILABLE", true],
  ])("%i gives %s with the retryable flag %s", async (status, code, retryable) => {
    const { asking, statuses } = await askOf((_request, response) => sendJson(response, ...failure(status)));

    await expect(asking).rejects.toMatchObject({ code, retryable });
    await expect(asking).rejects.toThrow(new RegExp(`^the service answered ${status}: `));
    expect(statuses).toEqual([status]);
  });

  test("does not repeat the key that a proxy echoes", async () => {
    const { asking } = await askOf((received, response) =>
      sendJson(response, ...failure(400, `bad request: x-api-key: ${received.headers["x-api-key"]}`)),
    );

    await expect(asking).rejects.toThrow(
      "the service answered 400: bad request: x-api-key: [key] (code -1, status error)",
    );
  });

  test("quotes the reason in its body", async () => {
    const bodies: readonly (readonly [unknown, string])[] = [
      [
        { code: "-1", status: "invalid request", detail: "chain_id: field required" },
        "chain_id: field required (code -1, status invalid request)",
      ],
      [{ code: "-1", status: "error", message: "Rate limit exceeded" }, "Rate limit exceeded (code -1, status error)"],
      [{ code: "-1", status: "not found" }, "not found (code -1)"],
      [{ code: "-1", status: "x", detail: "y".repeat(300) }, `${"y".repeat(200)} (code -1, status x)`],
      [{ code: -2, status: 500, detail: "why" }, "why (code -2, status 500)"],
      [{ status: "z".repeat(300), message: "why" }, `why (status ${"z".repeat(40)})`],
      [{ detail: "a\r\nb\u0000\u001b[31mc\u202ed\u2028e" }, "a b [31mc d e"],
      [{ detail: ["why"] }, "no readable reason"],
      [{ code: 4029, msg: "too often" }, "too often (code 4029)"],
      [{ success: false, error: "why" }, "why"],
      [{ error: { code: 429, message: "why" } }, "why (code 429)"],
      [{ error: ["why"] }, "no readable reason"],
      ["text", "no readable reason"],
      [null, "no readable reason"],
    ];

    for (const [body, detail] of bodies) {
      const { asking } = await askOf((_request, response) => sendJson(response, 422, body));
      await expect(asking).rejects.toHaveProperty("message", `the service answered 422: ${detail}`);
    }
  });

  test.each<[string, object, number | undefined]>([
    ["says nothing", {}, undefined],
    ["names seconds", { "retry-after": "7" }, 7_000],
    ["names a date", { "retry-after": "Sat, 21 Nov 2026 12:00:30 GMT" }, 30_000],
    ["names a date that has passed", { "retry-after": "Sat, 21 Nov 2026 11:59:59 GMT" }, undefined],
    ["names a year", { "retry-after": "31536000" }, 31_536_000_000],
    ["says something else", { "retry-after": "soon" }, undefined],
    ["says two things", { "retry-after": ["1", "2"] }, undefined],
  ])("for too many requests that %s has the wait of its headers", async (_name, headers, retryAfterMs) => {
    const date = new Date(NOW).toUTCString();
    const { asking } = await askOf((_request, response) => sendJson(response, ...failure(429), { date, ...headers }));

    const error = await asking.catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error).toMatchObject({ retryAfterMs, context: retryAfterMs === undefined ? {} : { retryAfterMs } });
  });

  test.each<[string, readonly string[]]>([
    ["soon", ["soon"]],
    ["Sun, 06 Nov 2994 08:49:37 CST", ["Sun, 06 Nov 2994 08:49:37 CST"]],
    [`${KEY} ${"x".repeat(99)}`, [`[key] ${"x".repeat(54)}`]],
    ["7", []],
    ["Sat, 21 Nov 2026 11:59:59 GMT", []],
    ["", []],
  ])("reports a wait %j that cannot be read", async (header, told) => {
    const { asking, unread } = await askOf((_request, response) =>
      sendJson(response, ...failure(429), { "retry-after": header }),
    );
    await asking.catch(() => undefined);

    expect(unread).toEqual(told);
  });

  test.each<[number, unknown]>([
    [200, { code: "429", status: "error", message: "Rate limit exceeded" }],
    [200, { code: 429, status: "error" }],
    [200, { code: "-1", status: "Too Many Requests" }],
    [200, { code: "RATE_LIMITED", status: "error" }],
    [200, { code: "0", status: "rate limit exceeded", data: {} }],
    [200, { code: "-2", status: "throttled" }],
    [400, { code: "429", status: "error" }],
    [403, { code: "429", status: "error" }],
    [503, { code: "-2", status: "too many requests" }],
    [200, { code: "4029", status: "error", data: null }],
    [200, { code: 4029, message: "Request limit reached", data: null }],
    [200, { code: 429000, msg: "too frequent", data: null }],
    [200, { code: "429002", status: "api request is limited", data: null }],
    [200, { code: "-1", status: "qps limit reached", data: null }],
    [200, { code: "-2", status: "request frequency exceeded", data: null }],
    [200, { code: "-1", status: "Quota exceeded", data: null }],
    [200, { code: "RequestLimitExceeded", status: "error", data: null }],
    [200, { code: "Throttling.User", status: "error", data: null }],
    [200, { code: "TOO_MANY_REQUESTS", status: "error", data: null }],
    [200, { code: "-1", status: "requests too frequent", data: null }],
    [200, { code: "-1", status: "slow down", data: null }],
    [200, { code: "SlowDown", status: "error", data: null }],
    [503, { code: "SlowDown", message: "Please reduce your request rate." }],
    [200, { code: "TOO_MANY_REQUEST", status: "error", data: null }],
    [200, { code: "TooManyRequest", status: "error", data: null }],
    [200, { code: "-1", status: "request too fast", data: null }],
    [200, { code: "-1", status: "throughput exceeded", data: null }],
    [200, { code: "ProvisionedThroughputExceeded", status: "error", data: null }],
    [200, { code: "-1", status: "concurrent request limit", data: null }],
    [200, { code: "-1", status: "You have reached the request limit", data: null }],
    [200, { code: "-1", status: "Too many pending requests", data: null }],
    [200, { error: { code: 429, message: "slowly" } }],
    [200, { error: { code: -32_005, status: "RATE_LIMIT_EXCEEDED" } }],
  ])("%i with the envelope %j is a rate limit", async (status, body) => {
    const { asking } = await askOf((_request, response) => sendJson(response, status, body, { "retry-after": "2" }));

    await expect(asking).rejects.toMatchObject({ code: "RATE_LIMITED", retryAfterMs: 2_000, status });
  });

  test.each<[Record<string, string>, number | undefined]>([
    [{ "retry-after": "60" }, 60_000],
    [{ "x-ratelimit-remaining": "0" }, undefined],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "30" }, 30_000],
    [{ "x-ratelimit-remaining": "12", "retry-after": "5" }, 5_000],
  ])("403 with %j refuses for load", async (headers, retryAfterMs) => {
    const { asking } = await askOf((_request, response) => sendJson(response, ...failure(403), headers));

    await expect(asking).rejects.toMatchObject({ code: "RATE_LIMITED", retryAfterMs, status: 403 });
  });

  test.each<[number, Record<string, string>]>([
    [403, {}],
    [403, { "x-ratelimit-remaining": "12", "x-ratelimit-reset": "30" }],
    [403, { "x-ratelimit-reset": "30" }],
    [403, { "retry-after": "soon" }],
    [401, { "retry-after": "60", "x-ratelimit-remaining": "0" }],
  ])("%i with %j refuses the key", async (status, headers) => {
    const { asking } = await askOf((_request, response) => sendJson(response, ...failure(status), headers));

    await expect(asking).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  test.each<[number, unknown, string]>([
    [400, { code: "-1", status: "invalid request", detail: "too many requests" }, "REJECTED"],
    [200, { code: "-1", status: "invalid request", message: "too many requests" }, "UNAVAILABLE"],
    [200, { code: "-2", status: "internal server error" }, "UNAVAILABLE"],
    [200, { code: "-2", status: "gas limit exceeded" }, "UNAVAILABLE"],
    [200, { code: "-2", status: "deadline exceeded" }, "UNAVAILABLE"],
    [200, { code: "14290", status: "error" }, "UNAVAILABLE"],
  ])("%i with the envelope %j is no rate limit, since free text may quote the request", async (status, body, code) => {
    const { asking } = await askOf((_request, response) => sendJson(response, status, body));

    await expect(asking).rejects.toMatchObject({ code });
  });

  test.each([420, 503, 509, 529])("%i may refuse for load, and has a wait", async (status) => {
    const { asking } = await askOf((_request, response) => sendJson(response, status, {}, { "retry-after": "2" }));

    await expect(asking).rejects.toMatchObject({ code: "UNAVAILABLE", mayBeLoad: true, status, retryAfterMs: 2_000 });
  });

  test.each<[unknown, boolean]>([
    [{ code: "-1", status: "error", message: "qps limit reached", data: null }, true],
    [{ code: "-2", status: "error", message: "Too many requests!", data: null }, true],
    [{ code: "-2", status: "error", detail: "Rate limit exceeded.", data: null }, true],
    [{ code: "0", status: "ok", message: "Max rate limit reached", data: null }, true],
    [{ code: "-1", status: "error", msg: "You exceeded your current quota", data: null }, true],
    [{ code: "-1", status: "exceeded", data: null }, true],
    [{ code: "-1", status: "limit reached", data: null }, true],
    [{ code: "-1", status: "frequency", data: null }, true],
    [{ code: "RESOURCE_EXHAUSTED", status: "error", data: null }, true],
    [{ code: "-1", status: "system busy", data: null }, true],
    [{ code: "ServiceBusy", status: "error", data: null }, true],
    [{ code: "-1", status: "error", message: "The server is too busy, try again later", data: null }, true],
    [{ success: false, error: "Too many requests" }, true],
    [{ error: { message: "Please slow down" } }, true],
    [{ code: "-1", status: "error", error: "token busy-bee is unknown" }, false],
    [{ code: "-1", status: "slow node", data: null }, false],
    [{ code: "-2", status: "error", message: "upstream failed", data: null }, false],
    [{ code: "-2", status: "error", message: "gas limit exceeded", data: null }, false],
    [{ code: "-2", status: "timeout exceeded", data: null }, false],
    [{ code: "-2", status: "error", message: "the exchange rate is unlimited", data: null }, false],
  ])("200 with the envelope %j may refuse for load: %j", async (body, mayBeLoad) => {
    const { asking } = await askOf((_request, response) => sendJson(response, 200, body, { "retry-after": "2" }));

    const error = await asking.catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ code: "UNAVAILABLE", mayBeLoad });
    expect(error).toHaveProperty("retryAfterMs", mayBeLoad ? 2_000 : undefined);
  });

  test("with a success status is quoted by its envelope", async () => {
    const body = { code: "-2", status: "bad gateway", detail: "upstream failed", data };
    const { asking } = await askOf((_request, response) => sendJson(response, 200, body));

    await expect(asking).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: "the service answered 200: upstream failed (code -2, status bad gateway)",
    });
  });

  test.each<[number, object, object]>([
    [503, { "retry-after": "7" }, { status: 503, retryAfterMs: 7_000 }],
    [503, {}, { status: 503 }],
    [500, { "retry-after": "7" }, { status: 500 }],
  ])("%i with %j has a wait where the status is 503", async (status, headers, context) => {
    const { asking } = await askOf((_request, response) => sendJson(response, ...failure(status), headers));

    await expect(asking).rejects.toHaveProperty("context", context);
  });

  test("with an unreadable body is still the same failure", async () => {
    const { asking } = await askOf((_request, response) =>
      response.writeHead(401, { "content-type": "text/html" }).end("<html>"),
    );

    await expect(asking).rejects.toMatchObject({
      code: "UNAUTHORIZED",
      message: "the service answered 401: no readable reason",
    });
  });

  test.each([
    [401, "UNAUTHORIZED"],
    [403, "UNAUTHORIZED"],
    [429, "RATE_LIMITED"],
  ])("%i is reported before its body has arrived, however slowly it arrives", async (status, code) => {
    const { asking, statuses } = await askOf((_request, response) => {
      response.writeHead(status, { "content-type": "application/json" }).write('{"detail":"');
    });

    await expect(asking).rejects.toMatchObject({ code, message: `the service answered ${status}: no readable reason` });
    expect(statuses).toEqual([status]);
  });

  test("the body of a refusal of one request is waited for like an answer", async () => {
    const { asking } = await askOf((_request, response) => {
      response.writeHead(422, { "content-type": "application/json" }).write('{"code":"-1","status":"sl');
      setTimeout(() => response.end('ow"}'), 400);
    });

    await expect(asking).rejects.toHaveProperty("message", "the service answered 422: slow (code -1)");
  });

  test("by a service that calls every wrong key missing names the key", async () => {
    const { asking } = await askOf((_request, response) => sendJson(response, 401, failureBody("missingApiKey")));

    await expect(asking).rejects.toMatchObject({
      code: "UNAUTHORIZED",
      message: "the service answered 401: it does not know the API key that was sent",
    });
  });

  test("of a chain without a backend has its own code", async () => {
    const { asking } = await askOf((_request, response) =>
      sendJson(response, ...failure(400, "unsupported chainId: 1")),
    );

    await expect(asking).rejects.toMatchObject({ code: "CHAIN_UNSUPPORTED", retryable: false });
  });

  test.each([301, 302, 303, 307, 308])("a redirect with %i is not followed, and refuses nothing", async (status) => {
    const elsewhere: Received[] = [];
    const target = await listen(answering((_request, response) => sendJson(response, 200, success), elsewhere));
    const { asking, received } = await askOf((_request, response) =>
      response.writeHead(status, { location: `${target}/v2/svc`, "content-type": "text/html" }).end("<html>"),
    );

    await expect(asking).rejects.toMatchObject({
      code: "UNAVAILABLE",
      retryable: true,
      message: `the service answered ${status}: it redirects to ${target}, which is not followed: set SERVICE_URL to its base there, if that is the service`,
    });
    expect(received).toHaveLength(1);
    expect(elsewhere).toEqual([]);
  });

  test.each([
    ["https://ann:pass@portal.example:8443/session/token?key=secret#part", "to https://portal.example:8443"],
    ["HTTPS://Portal.Example", "to https://portal.example"],
    [["https://portal.example/", "https://other.example/"], "to https://portal.example"],
    [`https://${"a".repeat(300)}.example/`, `to https://${"a".repeat(192)}`],
    [`https://${KEY}.portal.example/`, "elsewhere"],
    ["/login?from=secret", "elsewhere"],
    ["mailto:secret@portal.example", "elsewhere"],
    ["not a URL", "elsewhere"],
  ])("a redirect to %s is reported by its host only", async (location, where) => {
    const { asking } = await askOf((_request, response) => sendJson(response, ...failure(302), { location }));

    await expect(asking).rejects.toHaveProperty(
      "message",
      `the service answered 302: it redirects ${where}, which is not followed: set SERVICE_URL to its base there, if that is the service`,
    );
  });

  test("a redirect is never read as an unsupported chain, whatever its body is", async () => {
    const { asking } = await askOf((_request, response) =>
      sendJson(response, ...failure(302, "unsupported chainId: 1")),
    );

    await expect(asking).rejects.toMatchObject({ code: "UNAVAILABLE", retryable: true });
  });
});

/** The successful answer with one of its texts replaced. */
const successWith = (text: string, other: string) => JSON.stringify(success).replace(text, other);

/** JSON.parse would keep the last value of each repeated key. */
const twice: readonly (readonly [string, string])[] = [
  ["a flag '1' and then '0'", successWith('"is_poisoning":"0"', '"is_poisoning":"1","is_poisoning":"0"')],
  ["a flag '0' and then '1'", successWith('"is_poisoning":"0"', '"is_poisoning":"0","is_poisoning":"1"')],
  ["a flag of the same value", successWith('"is_poisoning":"0"', '"is_poisoning":"0", "is_poisoning" : "0"')],
  ["spelled with an escape", successWith('"is_poisoning":"0"', '"is_poisoning":"1","is_\\u0070oisoning":"0"')],
  ["a whole target", successWith('"target_address":', '"target_address":{},"target_address":')],
  ["the data", successWith('"data":', '"data":null,"data":')],
  ["the status", successWith('"status":"ok"', '"status":"error","status":"ok"')],
  ["an error beside the data", successWith('"status":"ok"', '"error":{"code":"-2"},"error":null,"status":"ok"')],
  ["inside of a new field", successWith('"status":"ok"', '"trace":[{"id":[{"a":1,"a":1}]}],"status":"ok"')],
];

describe("a response outside of the interface is no answer", () => {
  test.each<[string, (response: ServerResponse) => void, string, code?: string]>([
    [
      "another content type",
      (response) => response.writeHead(200, { "content-type": "text/html" }).end(JSON.stringify(success)),
      "the answer is not application/json",
    ],
    [
      "no content type",
      (response) => response.writeHead(200).end(JSON.stringify(success)),
      "the answer is not application/json",
    ],
    [
      "garbage",
      (response) => response.writeHead(200, { "content-type": "application/json" }).end("<oops secret>"),
      "the answer is not valid JSON",
    ],
    ["an empty body", (response) => sendJsonText(response, ""), "the answer is not valid JSON"],
    [
      "half a body",
      (response) => sendJsonText(response, JSON.stringify(success).slice(0, 40)),
      "the answer is not valid JSON",
    ],
    [
      "packed bytes that nobody asked for",
      (response) =>
        response
          .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
          .end(gzipSync(JSON.stringify(success))),
      "the answer is packed (content-encoding), though it was asked for as it is",
    ],
    [
      "a deep nesting",
      (response) => sendJsonText(response, `${"[".repeat(1_000_000)}`),
      "the answer is nested too deeply",
    ],
    [
      "no data",
      (response) => sendJson(response, 200, { code: "0", status: "ok" }),
      "the answer does not read as the interface says, at data",
    ],
    [
      "a code other than success",
      (response) => sendJson(response, 200, { ...success, code: "-1" }),
      "the service answered 200: ok (code -1)",
      "UNAVAILABLE",
    ],
    [
      "a flag of another value",
      (response) =>
        sendJson(response, 200, {
          ...success,
          data: { ...data, target_address: { ...clean.target, is_poisoning: "maybe" } },
        }),
      "the answer does not read as the interface says, at data.target_address.is_poisoning",
    ],
    [
      "null",
      (response) => sendJson(response, 200, null),
      "the answer does not read as the interface says, at its root",
    ],
  ])("%s", async (_name, answer, message, code = "ANSWER_INVALID") => {
    const { asking, statuses } = await askOf((_request, response) => answer(response));

    await expect(asking).rejects.toMatchObject({ code, retryable: true, message });
    // Any answer of a proxy while the service is down is paced as an outage.
    await expect(asking).rejects.toBeInstanceOf(UnavailableError);
    expect(statuses).toEqual([200]);
  });

  test.each(twice)("a repeated key: %s", async (_name, text) => {
    const { asking, statuses } = await askOf((_request, response) => sendJsonText(response, text));

    await expect(asking).rejects.toMatchObject({
      code: "ANSWER_INVALID",
      retryable: true,
      message: "an object of the answer gives a key twice",
    });
    expect(statuses).toEqual([200]);
  });

  test("an answer is read up to 10 MiB and not beyond", async () => {
    const padded = (size: number) => {
      const text = JSON.stringify(success);
      return text + " ".repeat(size - text.length);
    };

    const fits = await askOf((_request, response) => sendJsonText(response, padded(MAX_ANSWER_BYTES)));
    expect(await fits.asking).toEqual(success);
    const exceeds = await askOf((_request, response) => sendJsonText(response, padded(MAX_ANSWER_BYTES + 1)));

    expect(MAX_ANSWER_BYTES).toBe(10_485_760);
    await expect(exceeds.asking).rejects.toMatchObject({
      code: "ANSWER_INVALID",
      message: "the answer is larger than 10485760 bytes",
    });
  });

  test("an answer of many small values is read up to 200,000 and not beyond", async () => {
    const { values } = shapeOf(JSON.stringify({ ...success, more: [0] }));
    const padded = (count: number) => ({ ...success, more: Array(count - values + 1).fill(0) });

    const fits = await askOf((_request, response) => sendJson(response, 200, padded(MAX_ANSWER_VALUES)));
    expect(await fits.asking).toMatchObject(success);
    const exceeds = await askOf((_request, response) => sendJson(response, 200, padded(MAX_ANSWER_VALUES + 1)));

    expect(MAX_ANSWER_VALUES).toBe(200_000);
    await expect(exceeds.asking).rejects.toMatchObject({
      code: "ANSWER_INVALID",
      message: "the answer has more than 200000 values",
    });
  });

  test.each(["gzip", "br", "deflate", "zstd", "gzip, identity", "aws-chunked"])("%s is packed", async (encoding) => {
    const { asking } = await askOf((_request, response) =>
      sendJson(response, 200, success, { "content-encoding": encoding }),
    );

    await expect(asking).rejects.toMatchObject({
      code: "ANSWER_INVALID",
      message: expect.stringMatching(/^the answer is packed/),
    });
  });

  test.each(["identity", "Identity", ""])("%j does not count as packed", async (encoding) => {
    const { asking } = await askOf((_request, response) =>
      sendJson(response, 200, success, { "content-encoding": encoding }),
    );

    expect(await asking).toEqual(success);
  });

  test("a packed failure is still the same failure", async () => {
    const { asking } = await askOf((_request, response) =>
      response
        .writeHead(401, { "content-type": "application/json", "content-encoding": "gzip" })
        .end(gzipSync(JSON.stringify({ code: "401", status: "error", message: "packed" }))),
    );

    await expect(asking).rejects.toMatchObject({
      code: "UNAUTHORIZED",
      message: "the service answered 401: no readable reason",
    });
  });

  test("an answer that is announced as too large is refused before its body arrives", async () => {
    const { asking } = await askOf((_request, response) => {
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": String(MAX_ANSWER_BYTES + 1),
      });
      response.flushHeaders();
    });

    await expect(asking).rejects.toMatchObject({
      code: "ANSWER_INVALID",
      message: "the answer is larger than 10485760 bytes",
    });
  });

  test("a body that breaks off is an outage", async () => {
    const { asking, statuses } = await askOf((_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"code":"0"', () => response.destroy());
    });

    await expect(asking).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(statuses).toEqual([200]);
  });

  test("a connection that is closed without an answer is an outage", async () => {
    const { asking, statuses } = await askOf((_request, response) => response.destroy());

    await expect(asking).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(asking).rejects.toThrow(/^no answer from the service: /);
    expect(statuses).toEqual([0]);
  });

  test("an address without a server is an outage", async () => {
    const url = await deadUrl();
    const { client, statuses } = clientOf(url);

    const asking = client.ask("poisoningSingle", request, never);

    await expect(asking).rejects.toMatchObject({ code: "UNAVAILABLE", retryable: true });
    await expect(asking).rejects.toThrow(/^no answer from the service: ECONNREFUSED /);
    expect(statuses).toEqual([0]);
  });

  test("headers that do not arrive in time are an outage", async () => {
    const { asking, statuses } = await askOf(() => {}, { timeoutMs: 50 });

    await expect(asking).rejects.toMatchObject({ code: "UNAVAILABLE", retryable: true });
    expect(statuses).toEqual([0]);
  });

  test.each([
    [200, "application/json", "UNAVAILABLE", "no answer from the service: no answer within 200 ms"],
    [200, "text/html", "ANSWER_INVALID", "the answer is not application/json"],
    [503, "application/json", "UNAVAILABLE", "the service answered 503: no readable reason"],
    [503, "text/html", "UNAVAILABLE", "the service answered 503: no readable reason"],
  ])("a body with a byte every 50 ms, at %i %s, ends at the deadline", async (status, type, code, message) => {
    const closed = Promise.withResolvers<void>();
    const { asking, statuses } = await askOf(
      (_request, response) => {
        response.writeHead(status, { "content-type": type });
        response.write("{");
        const timer = setInterval(() => response.write(" "), 50);
        response.on("close", () => {
          clearInterval(timer);
          closed.resolve();
        });
      },
      { timeoutMs: 200 },
    );

    await expect(asking).rejects.toMatchObject({ code, retryable: true, message });
    expect(statuses).toEqual([status]);
    await closed.promise;
  });
});

function sendJsonText(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "application/json" }).end(text);
}

describe("an aborted call", () => {
  const reason = new Error("stop");

  test("rejects with the signal's reason during the request", async () => {
    const stop = new AbortController();
    const { client } = clientOf(await listen(answering(() => stop.abort(reason))));

    await expect(client.ask("poisoningSingle", request, stop.signal)).rejects.toBe(reason);
  });

  test("rejects with the signal's reason while the body is read", async () => {
    const stop = new AbortController();
    const { client } = clientOf(
      await listen(
        answering((_request, response) => {
          response.writeHead(200, { "content-type": "application/json" });
          response.write("{", () => setTimeout(() => stop.abort(reason), 20));
        }),
      ),
    );

    await expect(client.ask("poisoningSingle", request, stop.signal)).rejects.toBe(reason);
  });

  test("sends nothing when it is aborted before the request or in the queue", async () => {
    const stop = new AbortController();
    const received: Received[] = [];
    const url = await listen(answering((_request, _response) => stop.abort(reason), received));
    const { client } = clientOf(url, { concurrency: 1 });

    const first = client.ask("poisoningSingle", request, stop.signal);
    const waiting = client.ask("poisoningSingle", request, stop.signal);

    await expect(first).rejects.toBe(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(client.ask("poisoningSingle", request, stop.signal)).rejects.toBe(reason);
    expect(received).toHaveLength(1);
  });
});

describe("the key", () => {
  test("is read when the request is sent", async () => {
    const received: Received[] = [];
    const url = await listen(answering((_request, response) => sendJson(response, 200, success), received));
    const keys = ["old", "new"];
    const { client } = clientOf(url, { concurrency: 1, key: () => keys.shift() ?? "none" });

    await Promise.all([client.ask("poisoningSingle", request, never), client.ask("poisoningSingle", request, never)]);

    expect(received.map(({ headers }) => headers["x-api-key"])).toEqual(["old", "new"]);
  });

  test.each([401, 500, 302])("is in no error, not even for %i", async (status) => {
    const { asking } = await askOf((_request, response) => sendJson(response, ...failure(status)));

    const error = await asking.catch((thrown: unknown) => thrown);
    expect(`${String(error)} ${JSON.stringify(error)} ${(error as Error).stack}`).not.toContain(KEY);
  });

  test("that cannot be sent is in no error either", async () => {
    const { client } = clientOf(await deadUrl(), { key: () => "hunter2\u0001ключ" });

    const error = await client.ask("poisoningSingle", request, never).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ code: "UNAVAILABLE" });
    expect(`${String(error)} ${(error as Error).stack} ${String((error as Error).cause)}`).not.toContain("hunter2");
  });
});

describe("a host name", () => {
  /** A resolver that returns these results, one after the other. */
  const resolving = (...answers: readonly (readonly string[])[]): Lookup => {
    const left = [...answers];
    return (_host, _options, done) => {
      const addresses = left.shift() ?? [];
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    };
  };
  const named = (url: string) => url.replace("127.0.0.1", "service.test");

  test("that later resolves to cloud metadata is not connected to", async () => {
    const received: Received[] = [];
    const url = await listen(
      answering((_request, response) => sendJson(response, 200, success, { connection: "close" }), received),
    );
    const lookups = resolving(["127.0.0.1"], ["169.254.169.254"]);
    const { client, statuses } = clientOf(named(url), { concurrency: 1, lookup: lookups });
    const first = await client.ask("poisoningSingle", request, never);

    const second = client.ask("poisoningSingle", request, never);

    await expect(second).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message:
        "service.test, the host of SERVICE_URL, resolves to 169.254.169.254, where no service is asked: it is a link-local address, as of cloud metadata",
    });
    expect(first).toEqual(success);
    expect(statuses).toEqual([200, 0]);
    expect(received).toHaveLength(1);
  });

  test("that also has refused addresses is used with the others", async () => {
    const received: Received[] = [];
    const url = await listen(answering((_request, response) => sendJson(response, 200, success), received));
    const { client } = clientOf(named(url), { lookup: resolving(["169.254.169.254", "fe80::1", "127.0.0.1"]) });

    expect(await client.ask("poisoningSingle", request, never)).toEqual(success);
    expect(received[0]?.headers.host).toBe(new URL(named(url)).host);
  });
});

describe("connections", () => {
  test("no more requests are in flight than allowed, and all connections are used", async () => {
    let open = 0;
    let most = 0;
    const url = await listen(
      answering((_request, response) => {
        open++;
        most = Math.max(most, open);
        setTimeout(() => {
          open--;
          sendJson(response, 200, success);
        }, 5);
      }),
    );
    const { client, statuses } = clientOf(url, { concurrency: 3 });

    await Promise.all(Array.from({ length: 30 }, () => client.ask("poisoningSingle", request, never)));

    expect(most).toBe(3);
    expect(statuses).toEqual(new Array(30).fill(200));
  });

  test("are kept for the next request", async () => {
    const ports = new Set<number | undefined>();
    const url = await listen((incoming, response) => {
      ports.add(incoming.socket.remotePort);
      incoming.resume().on("end", () => sendJson(response, 200, success));
    });
    const { client } = clientOf(url, { concurrency: 1 });

    for (let i = 0; i < 5; i++) await client.ask("poisoningSingle", request, never);

    expect(ports.size).toBe(1);
  });

  test.each([200, 500])("are free again after a large body of the wrong type at %i", async (status) => {
    let nth = 0;
    const url = await listen(
      answering((_request, response) => {
        if (++nth > 1) sendJson(response, 200, success);
        else response.writeHead(status, { "content-type": "text/html" }).end(Buffer.alloc(4 * 1024 * 1024));
      }),
    );
    const { client } = clientOf(url, { concurrency: 1, timeoutMs: 60_000 });

    await expect(client.ask("poisoningSingle", request, never)).rejects.toBeInstanceOf(UnavailableError);

    expect(await client.ask("poisoningSingle", request, never)).toEqual(success);
  });
});
