import { lookup } from "node:dns";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Lookup } from "../../../../src/adapters/http/checked-lookup.ts";
import { RpcEndpoints } from "../../../../src/adapters/http/rpc-endpoints.ts";
import { Secret } from "../../../../src/kernel/secret.ts";
import { UnavailableError } from "../../../../src/worker/service-errors.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { answering, deadUrl, listen, type Received, sendJson } from "../../../support/http-server.ts";

const never = new AbortController().signal;

function over(urls: readonly string[], more: { readonly timeoutMs?: number; readonly lookup?: Lookup } = {}) {
  const clock = new FakeClock();
  const failures: string[] = [];
  const endpoints = new RpcEndpoints({
    urls: urls.map((url) => new Secret(url)),
    setting: "SOLANA_RPC_URL",
    lookup,
    timeoutMs: 5_000,
    clock,
    onFailure: (place, reason) => failures.push(`${place} ${reason}`),
    ...more,
  });
  onTestFinished(() => endpoints.close());
  return { endpoints, clock, failures };
}

const says = (text: string, received: Received[] = []) =>
  listen(answering((_, response) => sendJson(response, 200, text), received));
const same = (text: string) => text;

test("the question is posted as it is, path and query included, and the answer read", async () => {
  const received: Received[] = [];
  const { endpoints } = over([`${await says("yes", received)}/path?key=1`]);

  expect(await endpoints.ask("[1]", (text) => JSON.parse(text), never)).toBe("yes");
  expect(received).toMatchObject([{ method: "POST", url: "/path?key=1", body: "[1]" }]);
});

describe("the next node is asked after", () => {
  test.each([
    ["HTTP 500", answering((_, response) => sendJson(response, 500, {})), "0 the node answered HTTP 500"],
    ["HTTP 429", answering((_, response) => sendJson(response, 429, {})), "0 the node answered HTTP 429"],
    [
      "a redirect",
      answering((_, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()),
      "0 the node answered HTTP 302",
    ],
    [
      "a packed answer",
      answering((_, response) => sendJson(response, 200, "x", { "content-encoding": "gzip" })),
      "0 the node's answer is packed (content-encoding), though it was asked for as it is",
    ],
  ])("%s", async (_what, broken, failure) => {
    const { endpoints, failures } = over([await listen(broken), await says("second")]);

    expect(await endpoints.ask("{}", same, never)).toBe('"second"');
    expect(failures).toEqual([failure]);
  });

  test("one that nobody runs", async () => {
    const { endpoints, failures } = over([await deadUrl(), await says("second")]);

    expect(await endpoints.ask("{}", same, never)).toBe('"second"');
    expect(failures).toEqual([expect.stringMatching(/^0 no answer from the node: .*ECONNREFUSED/)]);
  });

  test("an answer that its reader takes for a failure", async () => {
    const { endpoints, failures } = over([await says("behind"), await says("second")]);
    const read = (text: string) => {
      if (text === '"behind"') throw new UnavailableError("it is behind");
      return text;
    };

    expect(await endpoints.ask("{}", read, never)).toBe('"second"');
    expect(failures).toEqual(["0 it is behind"]);
  });

  test("one that takes too long", async () => {
    const { endpoints, failures } = over([await listen(() => {}), await says("second")], { timeoutMs: 1_000 });

    expect(await endpoints.ask("{}", same, never)).toBe('"second"');
    expect(failures).toEqual(["0 no answer from the node: no answer within 1000 ms"]);
  });
});

test("a node that failed is asked last for ten seconds", async () => {
  const received: Received[] = [];
  let isDown = true;
  const first = await listen(answering((_, response) => sendJson(response, isDown ? 503 : 200, "first"), received));
  const { endpoints, clock } = over([first, await says("second")]);

  await endpoints.ask("{}", same, never);
  isDown = false;
  expect(await endpoints.ask("{}", same, never)).toBe('"second"');
  expect(received).toHaveLength(1);
  await clock.sleep(10_000);
  expect(await endpoints.ask("{}", same, never)).toBe('"first"');
});

test("when none answers the last failure stands, and says whether it was too late", async () => {
  const down = over([await deadUrl()]);
  const slow = over([await listen(() => {})], { timeoutMs: 50 });

  await expect(down.endpoints.ask("{}", same, never)).rejects.toMatchObject({ code: "UNAVAILABLE", isTimeout: false });
  await expect(slow.endpoints.ask("{}", same, never)).rejects.toMatchObject({ code: "UNAVAILABLE", isTimeout: true });
});

test("an asker that gives up is told so, and no other node is bothered", async () => {
  const received: Received[] = [];
  const { endpoints, failures } = over([await listen(() => {}), await says("second", received)]);
  const reason = new Error("enough");
  const controller = new AbortController();
  const asked = endpoints.ask("{}", same, controller.signal);
  controller.abort(reason);

  await expect(asked).rejects.toBe(reason);
  expect([failures, received]).toEqual([[], []]);
});

test("a name that resolves to where no node is, is not connected to", async () => {
  const metadata: Lookup = (_host, _options, done) => done(null, [{ address: "169.254.169.254", family: 4 }]);
  const { endpoints, failures } = over(["https://node.example/hunter2"], { lookup: metadata });

  await expect(endpoints.ask("{}", same, never)).rejects.toThrow(UnavailableError);
  expect(failures.join()).toContain("SOLANA_RPC_URL, resolves to 169.254.169.254, where no service is asked");
  expect(failures.join()).not.toContain("hunter2");
});
