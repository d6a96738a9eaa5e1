/** A run with a service that has other chain names, fewer operations and smaller requests than the interface. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Verdict } from "../../src/messages/verdict.ts";
import { answering, listen, type Received, sendJson } from "../support/http-server.ts";
import { evm } from "../support/poisoning-parts.ts";
import { inputOf, lookalike, ndjson } from "../support/screening.ts";
import { KEY, service } from "../support/service.ts";
import { run } from "../support/weir.ts";

const MAX_ITEMS = 20;
const dialect = `
schema: weir.dialect/1
auth: { header: Authorization, scheme: Bearer }
paths: { address-poisoning: /v1/poisoning }
operations: [address-poisoning]
chains: { eth: main }
limits: { items: ${MAX_ITEMS} }
`;

/** A service that knows chain 1 as "main" only, and refuses requests that are too large. */
async function vendor(received: Received[]): Promise<string> {
  const app = service();
  onTestFinished(() => app.close());
  return listen(
    answering(({ method, url, headers, body }, response) => {
      const isKnown = url.startsWith("/v1/poisoning") && headers.authorization === `Bearer ${KEY}`;
      const named = [...`${url} ${body}`.matchAll(/chain_id"?[:=]"?(\w+)/g)].map(([, word]) => word);
      if (!isKnown || named.some((word) => word !== "main") || itemsIn(body) > MAX_ITEMS) {
        sendJson(response, 400, { code: "-1", status: "invalid request", detail: "not asked as the vendor wants" });
        return;
      }
      const asked = url.replace("/v1/poisoning", "/v2/svc/address-poisoning").replace("chain_id=main", "chain_id=1");
      const options = {
        method: method as "GET" | "POST",
        url: asked,
        headers: { "x-api-key": KEY, "content-type": "application/json" },
      };
      const payload = body.replaceAll('"chain_id":"main"', '"chain_id":"1"');
      void app.inject(body === "" ? options : { ...options, payload }).then(({ statusCode, payload: answer }) => {
        sendJson(response, statusCode, JSON.parse(answer.replaceAll('"chain_id":"1"', '"chain_id":"MAIN"')));
      });
    }, received),
  );
}

function itemsIn(body: string): number {
  const { user_addresses = [], target_addresses = [], token_addresses = [] } = JSON.parse(body === "" ? "{}" : body);
  return user_addresses.length + target_addresses.length + token_addresses.length;
}

test("a run sends requests in the dialect, and reports for each event which questions the service cannot answer", async () => {
  const received: Received[] = [];
  const own = Array.from({ length: 40 }, (_, i) => ({
    type: "address",
    chain_id: "1",
    address: evm(i + 1),
    user_addresses: [evm(1_000 + i)],
  }));
  const ofToken = { ...own[0], token_address: "0xdAC17F958D2ee523a2206206994597C13D831ec7" };
  const { folder, file, out } = await inputOf("events.ndjson", ndjson(...own, lookalike, ofToken));
  const named = path.join(folder, "vendor.yaml");
  await writeFile(named, dialect);
  const env = { SERVICE_URL: await vendor(received), SERVICE_API_KEY: KEY, SERVICE_DIALECT: named };

  const { status, stderr } = await run(["screen", file, "--out", out], env);
  const verdicts = (await readFile(path.join(out, "verdicts.ndjson"), "utf8"))
    .trimEnd()
    .split("\n")
    .map((line): Verdict => JSON.parse(line));
  const decisions = Map.groupBy(verdicts, ({ decision }) => decision);

  expect([status, stderr]).toEqual([2, ""]);
  expect([decisions.get("ALLOW")?.length, decisions.get("BLOCK")?.length, decisions.get("UNKNOWN")?.length]).toEqual([
    40, 1, 1,
  ]);
  const [unknown] = decisions.get("UNKNOWN") ?? [];
  expect(unknown?.checks.map(({ check, outcome, error }) => [check, outcome, error?.detail])).toContainEqual([
    "token-security",
    "failed",
    "the service has no operation token-security: SERVICE_DIALECT or SERVICE_ADAPTER leaves it out",
  ]);
  const sizes = received.map(({ body }) => itemsIn(body));
  expect(Math.max(...sizes)).toBe(MAX_ITEMS);
  expect(received.every(({ url }) => url.startsWith("/v1/poisoning"))).toBe(true);
});
