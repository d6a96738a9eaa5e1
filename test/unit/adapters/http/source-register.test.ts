import { lookup } from "node:dns";
import { describe, expect, onTestFinished, test } from "vitest";
import { openSourceRegister, type RegisterKind, registerUrl } from "../../../../src/adapters/http/source-register.ts";
import { Secret } from "../../../../src/kernel/secret.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { VirtualClock } from "../../../fakes/virtual-clock.ts";
import { answering, deadUrl, listen, type Received, sendJson } from "../../../support/http-server.ts";

const never = new AbortController().signal;
const address = `0x${"ab".repeat(20)}`;

function registerAt(kind: RegisterKind, baseUrl: string, apiKey?: string) {
  const clock = new VirtualClock();
  const log = new FakeLog();
  const secret = apiKey === undefined ? undefined : new Secret(apiKey);
  const register = openSourceRegister({ kind, baseUrl, apiKey: secret, clock, log, lookup, timeoutMs: 5_000 });
  onTestFinished(() => register.close());
  return { clock, log, ask: () => register.verificationOf("10", address, never) };
}

async function registerThat(kind: RegisterKind, status: number, body: unknown, apiKey?: string) {
  const received: Received[] = [];
  const url = await listen(answering((_request, response) => sendJson(response, status, body), received));
  return { ...registerAt(kind, url, apiKey), received };
}

describe("sourcify", () => {
  const match = (text: string | null) => ({ match: text, chainId: "10", address: `0x${"AB".repeat(20)}` });

  test.each([
    [200, match("exact_match"), "verified"],
    [200, match("match"), "verified"],
    [404, match(null), "unverified"],
    [200, match(null), "unknown"],
    [200, match("sort_of"), "unknown"],
    [404, match("match"), "unknown"],
    [404, { error: "not found" }, "unknown"],
    [200, { ...match("match"), address: `0x${"00".repeat(20)}` }, "unknown"],
    [500, match("match"), "unknown"],
    [200, [], "unknown"],
    [200, null, "unknown"],
  ])("%d %j is %s", async (status, body, expected) => {
    const { ask, received } = await registerThat("sourcify", status, body);

    expect(await ask()).toBe(expected);
    expect(received.map(({ url }) => url)).toEqual([`/v2/contract/10/${address}`]);
  });
});

describe("etherscan", () => {
  test.each([
    [200, { status: "1", message: "OK", result: "[]" }, "verified"],
    [200, { status: "0", message: "NOTOK", result: "Contract source code not verified" }, "unverified"],
    [200, { status: "0", message: "NOTOK", result: "Max rate limit reached" }, "unknown"],
    [200, { status: "1", message: "OK", result: "Contract source code not verified" }, "unknown"],
    [200, { status: "1", message: "OK", result: [] }, "unknown"],
    [403, { status: "1", message: "OK", result: "[]" }, "unknown"],
  ])("%d %j is %s", async (status, body, expected) => {
    const { ask, received } = await registerThat("etherscan", status, body, "a-key");

    expect(await ask()).toBe(expected);
    expect(received.map(({ url }) => url)).toEqual([
      `/?chainid=10&module=contract&action=getabi&address=${address}&apikey=a-key`,
    ]);
  });
});

test.each([
  ["verified", { status: "1", result: "[]" }, 86_400_000],
  ["unverified", { status: "0", result: "Contract source code not verified" }, 300_000],
])("the answer %s is cached for its time", async (_what, body, ms) => {
  const { ask, clock, received } = await registerThat("etherscan", 200, body);

  await ask();
  await clock.advance(ms - 1);
  await ask();
  expect(received).toHaveLength(1);
  await clock.advance(1);
  await ask();
  expect(received).toHaveLength(2);
});

test("an unknown answer is not cached, and is logged", async () => {
  const { ask, log, received } = await registerThat("sourcify", 500, {});

  await ask();
  await ask();

  expect(received).toHaveLength(2);
  expect(log.messages("warn")).toEqual(Array(2).fill("the register of verified sources gives no usable answer"));
});

test("an unreachable register gives an unknown answer", async () => {
  const { ask, log } = registerAt("sourcify", await deadUrl());

  expect(await ask()).toBe("unknown");
  expect(log.messages("warn")).toEqual(["the register of verified sources does not answer"]);
});

test("an aborted caller gets the reason of its signal", async () => {
  const caller = new AbortController();
  const url = await listen(answering(() => caller.abort(new Error("enough"))));
  const { clock, log } = { clock: new VirtualClock(), log: new FakeLog() };
  const register = openSourceRegister({
    kind: "sourcify",
    baseUrl: url,
    apiKey: undefined,
    clock,
    log,
    lookup,
    timeoutMs: 5_000,
  });
  onTestFinished(() => register.close());

  await expect(register.verificationOf("1", address, caller.signal)).rejects.toThrow(new Error("enough"));
  expect(log.lines).toEqual([]);
});

test("the URL must be https, except on this machine", () => {
  expect(registerUrl("https://sourcify.dev/server/")).toBe("https://sourcify.dev/server");
  expect(() => registerUrl("http://sourcify.dev/server")).toThrow(
    "EVM_VERIFIER_URL is http, so the network can change the answers: use https",
  );
});
