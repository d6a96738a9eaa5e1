import { lookup } from "node:dns";
import { expect, onTestFinished, test } from "vitest";
import { openTokenIndex, tokenIndexUrl } from "../../../../src/adapters/http/token-index.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { answering, deadUrl, listen, type Received, sendJson } from "../../../support/http-server.ts";

const address = `0x${"ab".repeat(20)}`;
const whole = {
  holders_count: 12,
  top1_eoa_concentration: 7.25,
  top5_eoa_concentration: 40,
  deployed_at: 1_700_000_000,
};

function indexAt(baseUrl: string) {
  const log = new FakeLog();
  const index = openTokenIndex({ baseUrl, log, lookup, timeoutMs: 5_000 });
  onTestFinished(() => index.close());
  return { log, ask: (signal = new AbortController().signal) => index.recordOf("10", address, signal) };
}

async function indexThat(status: number, body: unknown) {
  const received: Received[] = [];
  const url = await listen(answering((_request, response) => sendJson(response, status, body), received));
  return { ...indexAt(url), received };
}

test.each([
  [200, whole, { holders: 12, top1Percent: 7.25, top5Percent: 40, deployedAtSec: 1_700_000_000 }],
  [200, { holders_count: 0, more: 1 }, { holders: 0 }],
  [
    200,
    { ...whole, holders_count: "12", top1_eoa_concentration: 100.1, top5_eoa_concentration: -1, deployed_at: 1.5 },
    {},
  ],
  [200, { ...whole, holders_count: 1.5, deployed_at: 1_700_000_000_000 }, { top1Percent: 7.25, top5Percent: 40 }],
  [200, [], {}],
  [200, null, {}],
  [404, { error: "not known" }, {}],
])("%d %j gives the facts %j", async (status, body, record) => {
  const { ask, received, log } = await indexThat(status, body);

  expect(await ask()).toEqual(record);
  expect(received.map(({ url }) => url)).toEqual([`/10/${address}`]);
  expect(log.lines).toEqual([]);
});

test("an index that fails or is down gives no facts, and is logged without the request", async () => {
  const failing = await indexThat(500, whole);
  const away = indexAt(await deadUrl());

  expect([await failing.ask(), await away.ask()]).toEqual([{}, {}]);
  for (const { log } of [failing, away]) {
    expect(log.messages("warn")).toEqual(["the token index does not answer"]);
    expect(JSON.stringify(log.lines)).not.toContain(address);
  }
});

test("an aborted query ends with the reason of its signal", async () => {
  const { ask } = await indexThat(200, whole);
  const reason = new Error("enough");

  await expect(ask(AbortSignal.abort(reason))).rejects.toBe(reason);
});

test("the URL must be https, except on this machine", () => {
  expect(tokenIndexUrl("http://127.0.0.1:8080/tokens/")).toBe("http://127.0.0.1:8080/tokens");
  expect(() => tokenIndexUrl("http://index.example")).toThrow(/EVM_TOKEN_INDEX_URL/);
});
