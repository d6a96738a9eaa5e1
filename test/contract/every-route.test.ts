/**
 * Laws for every row of the routes table. They follow the sections "Conventions" (envelope), "Authentication", "Errors"
 * and "Versioning" of the service's interface. Source: docs/decisions/0001-open-points.md, which lists the open points
 * of the interface.
 */
import { describe, expect, test } from "vitest";
import { type RouteName, routes } from "../../src/api/routes.ts";
import type { Log } from "../../src/kernel/log.ts";
import { Secret } from "../../src/kernel/secret.ts";
import { answer, refuse } from "../../src/service/answer.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { call, evm, KEY, mismatchOf, operationsThat, requestOf, send, service } from "../support/service.ts";
import { answers, furtherAnswers, requests } from "./samples.ts";

const names = Object.keys(routes) as RouteName[];
const posts = names.filter((name) => routes[name].method === "POST");
const app = service();
const allAnswered = operationsThat((_request, name) => answer(answers[name]));
const answering = service({ operations: allAnswered });

const unauthorized = { code: "401", status: "Missing API key", detail: "Missing API key" };
const malformedKey = {
  code: "401",
  status: "Malformed API key",
  detail: "X-API-KEY was sent twice, or holds a comma or characters beyond ASCII",
};
const unknownKey = { code: "401", status: "Unknown API key", detail: "the API key that was sent is not known" };
const internal = { code: "-2", status: "internal server error", detail: "internal server error" };

test("the paths are those of the interface", () => {
  const endpoints = new Set(names.map((name) => `${routes[name].method} ${routes[name].path}`));

  expect([...endpoints].sort()).toEqual([
    "GET /v2/svc/address-classify",
    "GET /v2/svc/address-poisoning",
    "POST /v2/svc/address-classify",
    "POST /v2/svc/address-poisoning",
    "POST /v2/svc/solana-emulate",
    "POST /v2/svc/token-security",
    "POST /v2/svc/transaction-security",
  ]);
});

describe.each(names)("the route %s", (name) => {
  const valid = requestOf(name, requests[name]);

  test("a success is sent unchanged, as JSON that must not be stored", async () => {
    const answered = await send(answering, valid);

    expect(answered).toMatchObject({ http: 200, body: answers[name] });
    expect(answered.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
  });

  test("the success fits the response schema", () => {
    expect(routes[name].response.parse(answers[name])).toEqual(answers[name]);
  });

  test.each([
    ["no key", undefined, unauthorized],
    ["an empty key", "", unauthorized],
    ["a wrong key", "wrong", unknownKey],
    ["a key with one character more", `${KEY}x`, unknownKey],
    ["a key in another case", KEY.toUpperCase(), unknownKey],
    ["two keys in one", `${KEY},${KEY}`, malformedKey],
    ["a key beyond ASCII", `${KEY}\u00e9`, malformedKey],
  ])("%s is 401, and the answer gives the reason where the interface leaves that open", async (_what, key, body) => {
    const { http, body: answered } = await send(app, { ...valid, key });

    expect(http).toBe(401);
    expect(answered).toEqual(name === "solanaEmulate" ? unauthorized : body);
  });

  test("a request over the quota is 429 with a message and no detail, until the window ends", async () => {
    const clock = new FakeClock();
    const limited = service({ clock, quota: { requests: 1, windowMs: 1_500 }, operations: allAnswered });

    const first = await send(limited, valid);
    const second = await send(limited, valid);
    await clock.sleep(1_500);
    const third = await send(limited, valid);

    expect([first.http, second.http, third.http]).toEqual([200, 429, 200]);
    expect(second.body).toEqual({ code: "429", status: "error", message: "Rate limit exceeded" });
    expect(second.headers).toMatchObject({ "retry-after": "2" });
  });

  test("an internal error is 500, reveals nothing and is logged", async () => {
    const logged: unknown[] = [];
    const keep = (message: string) => logged.push(message);
    const log: Log = { debug: keep, info: keep, warn: keep, error: keep };
    const operations = operationsThat(() => {
      throw new Error("connect ECONNREFUSED db.internal:5432 password=hunter2");
    });

    const answered = await send(service({ log, operations }), valid);

    expect(answered).toMatchObject({ http: 500 });
    expect(answered.body).toEqual(internal);
    expect(logged).toEqual(["a request failed"]);
  });

  test.each([
    ["an error that claims to be the client's", Object.assign(new Error("not found"), { statusCode: 404 })],
    ["a text", "text"],
    ["null", null],
    ["nothing", undefined],
  ])("%s thrown by the operation is 500 as well", async (_what, thrown) => {
    const operations = operationsThat(() => Promise.reject(thrown));

    expect(await send(service({ operations }), valid)).toMatchObject({ http: 500, body: internal });
  });

  test.each([
    ["invalidRequest", 400, "-1", "invalid request"],
    ["unsupportedChain", 400, "-1", "unsupported chain"],
    ["invalidAddress", 400, "-1", "invalid address"],
    ["schemaMismatch", 422, "-1", "invalid request"],
    ["internal", 500, "-2", "internal server error"],
    ["badGateway", 502, "-2", "bad gateway"],
    ["gatewayTimeout", 504, "-2", "gateway timeout"],
  ] as const)("an operation's %s is sent as %i", async (failure, http, code, status) => {
    const refusing = service({ operations: operationsThat(() => refuse(failure, "what went wrong")) });

    const answered = await send(refusing, valid);

    expect(answered).toMatchObject({ http });
    expect(answered.body).toEqual({ code, status, detail: "what went wrong" });
  });

  test("a path with a trailing slash is the same path", async () => {
    const [path, query] = valid.url.split("?");

    expect(await send(answering, { ...valid, url: `${path}/${query ? `?${query}` : ""}` })).toMatchObject({
      http: 200,
    });
  });

  test.each(["PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const)("%s has no operation", async (method) => {
    expect(await send(app, { ...valid, method })).toMatchObject({ http: 404 });
  });
});

test.each(furtherAnswers)("%s is an answer of %s", async (_what, name, further) => {
  const replaced = service({ operations: operationsThat(() => answer(further)) });

  const answered = await call(replaced, name, requests[name]);

  expect(answered.http).toBe(200);
  expect(answered.body).toEqual(further);
  expect(routes[name].response.parse(answered.body)).toEqual(further);
});

describe.each(posts)("the body of %s", (name) => {
  const url = routes[name].path;
  const refused = (detail: string) => ({ http: 400, body: { code: "-1", status: "invalid request", detail } });
  const malformed = refused("body is not valid JSON");

  test.each([
    ["text", "hello"],
    ["half an object", '{"chain_id":"1"'],
    ["two objects", "{}{}"],
    ["a comma too many", '{"chain_id":"1",}'],
    ["single quotes", "{'chain_id':'1'}"],
    ["NaN", '{"chain_id":NaN}'],
    ["a control character", '{"chain_id":"\u0001"}'],
    ["white space only", " \n"],
    ["a form", "chain_id=1&address=2"],
  ])("a body of %s is 400", async (_what, body) => {
    expect(await send(app, { url, body })).toMatchObject(malformed);
  });

  test("invalid UTF-8 is 400", async () => {
    const body = Buffer.from(JSON.stringify(requests[name])).fill(0xff, 10, 11);

    expect(await send(app, { url, body })).toMatchObject(refused("body is not valid UTF-8"));
  });

  test.each([
    ["no body", { type: "application/json" }],
    ["an empty body", { type: "application/json", body: "" }],
    ["neither body nor Content-Type", { type: undefined }],
  ])("a request with %s is 400", async (_what, sent) => {
    expect(await send(app, { url, ...sent })).toMatchObject(refused("body is empty"));
  });

  test.each([
    ["text/plain"],
    ["application/x-www-form-urlencoded"],
    ["multipart/form-data; boundary=x"],
    ["application/xml"],
    ["application/jsonp"],
    ["json"],
    [undefined],
  ])("Content-Type %s is 400", async (type) => {
    const body = JSON.stringify(requests[name]);

    expect(await send(app, { url, type, body })).toMatchObject(refused("Content-Type must be application/json"));
  });

  test.each(["application/json; charset=utf-8", "application/json;charset=UTF-8", "Application/JSON"])(
    "Content-Type %s is accepted",
    async (type) => {
      expect(await send(answering, { url, type, body: JSON.stringify(requests[name]) })).toMatchObject({ http: 200 });
    },
  );

  test.each(["[]", "null", "true", "1", '"text"', "[{}]"])("%s is refused", async (body) => {
    expect(await send(app, { url, body })).toMatchObject(
      mismatchOf(name === "poisoningBatch" ? "poisoningSingle" : name, "body: must be an object"),
    );
  });

  test.each([
    ["1 MiB - 1", (1 << 20) - 1],
    ["1 MiB", 1 << 20],
  ])("%s of JSON is accepted", async (_what, size) => {
    const body = JSON.stringify(requests[name]).padEnd(size);

    expect(await send(answering, { url, body })).toMatchObject({ http: 200 });
  });

  test("1 MiB + 1 is 413", async () => {
    const answered = await send(answering, { url, body: JSON.stringify(requests[name]).padEnd((1 << 20) + 1) });

    expect(answered).toMatchObject({
      http: 413,
      body: { code: "-1", status: "invalid request", detail: "the body is larger than 1048576 bytes" },
    });
  });

  test("64 levels are read, 65 are 400", async () => {
    const nested = (levels: number) =>
      JSON.stringify(requests[name]).replace(/}$/, `,"x":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`);

    expect(await send(answering, { url, body: nested(64) })).toMatchObject({ http: 200 });
    expect(await send(answering, { url, body: nested(65) })).toMatchObject(
      refused("body is nested deeper than 64 levels"),
    );
  });

  test.each([
    ["malformed JSON", { body: "{" }],
    ["a body that is too large", { body: " ".repeat((1 << 20) + 1) }],
    ["a wrong Content-Type", { body: "{}", type: "text/plain" }],
    ["no body", {}],
  ])("without a key %s is 401, because the key is checked first", async (_what, sent) => {
    expect(await send(app, { url, key: undefined, ...sent })).toMatchObject({ http: 401, body: unauthorized });
  });
});

describe("other URLs", () => {
  test.each([
    ["/"],
    ["/v2"],
    ["/v2/svc"],
    ["/v2/svc/unknown"],
    ["/v1/svc/token-security"],
    ["/svc/token-security"],
    ["/v2/svc/Token-Security"],
    ["/v2/svc/token-security/more"],
    ["/openapi.json/../etc/passwd"],
  ])("the URL %s is 404", async (url) => {
    expect(await send(app, { url, body: "{}" })).toMatchObject({
      http: 404,
      body: { code: "-1", status: "not found", detail: "no such operation" },
    });
  });

  test("a URL that cannot be decoded is 400", async () => {
    expect(await send(app, { method: "GET", url: "/v2/svc/%zz" })).toMatchObject({
      http: 400,
      body: { code: "-1", status: "invalid request", detail: "the URL is not valid" },
    });
  });

  test.each(["/livez", "/readyz"])("%s needs no key", async (url) => {
    expect(await send(app, { method: "GET", url, key: undefined })).toMatchObject({
      http: 200,
      body: { status: "ok" },
    });
  });
});

describe("keys", () => {
  test("each of several keys is valid, with its own quota", async () => {
    const several = service({
      apiKeys: [new Secret("old"), new Secret("new")],
      quota: { requests: 1, windowMs: 1_000 },
    });
    const request = requestOf("poisoningSingle", { chain_id: "1", address: evm.real });

    const asked = ["old", "new", "old", "new", "other"].map((key) => send(several, { ...request, key }));

    expect((await Promise.all(asked)).map(({ http }) => http)).toEqual([200, 200, 429, 429, 401]);
  });

  test("a refused key uses up no quota, and a refused request uses up its own key's quota", async () => {
    const limited = service({ quota: { requests: 2, windowMs: 1_000 } });
    const request = requestOf("poisoningSingle", { chain_id: "1", address: evm.real });

    for (let i = 0; i < 5; i++) await send(limited, { ...request, key: "wrong" });
    const answered = [await send(limited, { ...request, body: "{" }), await send(limited, request)];

    expect([...answered, await send(limited, request)].map(({ http }) => http)).toEqual([400, 200, 429]);
  });

  test("without a quota requests are not limited", async () => {
    const request = requestOf("poisoningSingle", { chain_id: "1", address: evm.real });

    const asked = Array.from({ length: 200 }, () => send(app, request));

    expect(new Set((await Promise.all(asked)).map(({ http }) => http))).toEqual(new Set([200]));
  });
});
