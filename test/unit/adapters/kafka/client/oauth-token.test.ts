import { describe, expect, test } from "vitest";
import { oauthTokens, TokenError } from "../../../../../src/adapters/kafka/client/oauth-token.ts";
import { connectionFailure } from "../../../../../src/adapters/kafka/consumer/connection-failure.ts";
import { Secret } from "../../../../../src/kernel/secret.ts";
import { VirtualClock } from "../../../../fakes/virtual-clock.ts";

const endpoint = "https://login.example/token";
const token = (n: number, seconds?: number) => ({ access_token: `token-${n}`, expires_in: seconds });

/** A token endpoint that gives these answers in turn, and the requests to it. */
function asking(answers: readonly (Response | Error)[], scope?: string) {
  const clock = new VirtualClock(0);
  const asked: (readonly [url: string, init: RequestInit])[] = [];
  const fetch = async (url: unknown, init: RequestInit = {}) => {
    const answer = answers[asked.push([String(url), init]) - 1];
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error("asked once too often");
    return answer;
  };
  const readFile = async () => "";
  const clientSecret = async () => new Secret("hunter2:é");
  const source = { endpoint, clientId: "weir", clientSecret, ...(scope === undefined ? {} : { scope }) };
  return { clock, asked, next: oauthTokens(source, { clock, fetch: fetch as typeof globalThis.fetch, readFile }) };
}

const json = (value: unknown, status = 200) => new Response(JSON.stringify(value), { status });

describe("a token endpoint", () => {
  test("is called with client credentials, in the form of OAuth 2.0", async () => {
    const { asked, next } = asking([json(token(1))], "kafka read");

    expect(await next()).toEqual({ value: "token-1" });
    const [[url, init] = ["", {}]] = asked;
    expect([url, init.method, init.redirect, String(init.body)]).toEqual([
      endpoint,
      "POST",
      "error",
      "grant_type=client_credentials&scope=kafka+read",
    ]);
    const credentials = Buffer.from("weir:hunter2%3A%C3%A9").toString("base64");
    expect(init.headers).toMatchObject({ authorization: `Basic ${credentials}` });
  });

  test("gives one token to all connections until four fifths of its life have passed", async () => {
    const { clock, asked, next } = asking([json(token(1, 100)), json(token(2, 100))]);

    expect(await Promise.all([next(), next(), next()])).toEqual(Array(3).fill({ value: "token-1" }));
    await clock.advance(79_999);
    expect([await next(), asked.length]).toEqual([{ value: "token-1" }, 1]);
    await clock.advance(1);
    expect([await next(), asked.length]).toEqual([{ value: "token-2" }, 2]);
  });

  test("gives no token with less than 15 s left", async () => {
    const { clock, asked, next } = asking([
      json(token(1, 20)),
      json(token(2, 20)),
      json(token(3, 12)),
      json(token(4, 12)),
    ]);

    await next();
    await clock.advance(4_999);
    expect([await next(), asked.length]).toEqual([{ value: "token-1" }, 1]);
    await clock.advance(1);
    expect([await next(), asked.length]).toEqual([{ value: "token-2" }, 2]);
    await clock.advance(10_000);
    expect([await next(), await next()]).toEqual([{ value: "token-3" }, { value: "token-4" }]);
  });

  test("is called each time where it reports no token lifetime", async () => {
    const { next } = asking([json(token(1)), json(token(2))]);

    expect([await next(), await next()]).toEqual([{ value: "token-1" }, { value: "token-2" }]);
  });

  test("may be down as long as the previous token is valid", async () => {
    const { clock, next } = asking([json(token(1, 100)), json({}, 503), new Error("reset"), json(token(4, 100))]);
    await next();
    await clock.advance(90_000);
    expect(await next()).toEqual({ value: "token-1" });
    await clock.advance(10_000);
    await expect(next()).rejects.toThrow("the token endpoint does not answer: reset");
    expect(await next()).toEqual({ value: "token-4" });
  });

  test.each<[string, Response | Error, string, boolean]>([
    ["is down", json({}, 503), "the token endpoint answers 503", true],
    ["is asked too much", json({ error: "slow_down" }, 429), "the token endpoint answers 429 slow_down", true],
    [
      "does not know the client",
      json({ error: "invalid_client", error_description: "hunter2" }, 401),
      "the token endpoint answers 401 invalid_client",
      false,
    ],
    ["answers with a page", new Response("<html>hunter2", { status: 404 }), "the token endpoint answers 404", false],
    ["says no word of RFC 6749", json({ error: "hunter2 is wrong" }, 400), "the token endpoint answers 400", false],
    ["gives no token", json({ token: "hunter2" }), "the token endpoint answers without an access_token", false],
    [
      "gives one that steers",
      json({ access_token: "a\u0001b=hunter2" }),
      "the token endpoint answers without an access_token",
      false,
    ],
    [
      "answers without end",
      new Response("x".repeat(65_537)),
      "the token endpoint does not answer: its answer is longer than 65536 bytes",
      true,
    ],
    [
      "cannot be reached",
      new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") }),
      "the token endpoint does not answer: connect ECONNREFUSED",
      true,
    ],
  ])("that %s is reported, without the content of its answer", async (_, answer, message, retriable) => {
    const thrown: unknown = await asking([answer])
      .next()
      .catch((each: unknown) => each);

    expect(thrown).toBeInstanceOf(TokenError);
    expect(thrown).toMatchObject({ message, retriable, retryable: retriable });
    expect(connectionFailure(new Error("in vain", { cause: thrown })).detail).toBe(message);
    expect(JSON.stringify(thrown)).not.toContain("hunter2");
  });
});

describe("a token file", () => {
  const reading = (...contents: readonly (string | Error)[]) => {
    const left = [...contents];
    const readFile = async () => {
      const content = left.shift();
      if (content === undefined || content instanceof Error) throw content ?? new Error("read once too often");
      return content;
    };
    return oauthTokens({ tokenFile: "/run/token" }, { clock: new VirtualClock(0), fetch, readFile });
  };

  test("is read again each time", async () => {
    const next = reading("token-1\n", "token-2");

    expect([await next(), await next()]).toEqual([{ value: "token-1" }, { value: "token-2" }]);
  });

  test.each([
    ["is gone", new Error("ENOENT: no such file"), "the token file cannot be read: ENOENT: no such file"],
    ["is empty", "\n", "the token file /run/token holds no token"],
    ["holds two lines", "hunter2\nhunter2", "the token file /run/token holds no token"],
  ])("that %s is reported, and may be written again", async (_, content, message) => {
    await expect(reading(content)()).rejects.toMatchObject({ message, retriable: true });
  });
});
