import path from "node:path";
import { expect, test } from "vitest";
import { batchVendor, exampleVendor } from "../fakes/example-vendor.ts";
import { answering, listen, type Received, sendJson } from "../support/http-server.ts";
import { FAKE, inputOf, ndjson, REAL } from "../support/screening.ts";
import { outcomesIn, verdictsIn } from "../support/verdicts.ts";
import { run } from "../support/weir.ts";

const KEY = "vendor-key-1234";
const SERVICE_ADAPTER = path.resolve("examples/service-adapter/adapter.mjs");
const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const [PHISHER, MIXED, TRAP, NEVER_SEEN, NEW_WORD] = [2, 3, 4, 5, 6].map(
  (digit) => `0x${String(digit).repeat(40)}`,
) as [string, string, string, string, string];
const quiet = { score: 3, categories: ["wallet"] };
const flags = { verified: true, honeypot: false, bad_creator: false, hidden_owner: false, can_destroy: false };
const token = (address: string, own: object, risk = "low") => ({
  ...{ state: "ready", address, name: "Token", symbol: "T", risk },
  flags: { ...flags, can_mint: false, can_pause: false, has_blacklist: false, ...own },
  tax: { sell_percent: 0, transfer_percent: 0 },
});
const data = {
  risks: {
    [REAL.toLowerCase()]: quiet,
    [FAKE.toLowerCase()]: quiet,
    [PHISHER]: { score: 91, categories: ["phishing"] },
    [MIXED]: { score: 55, categories: ["wallet"] },
    [NEW_WORD]: { score: 3, categories: ["mixer"] },
  },
  tokens: { [USDT]: token(USDT, {}), [TRAP]: token(TRAP, { honeypot: true }, "high") },
};
const scales = { SERVICE_LEVELS: "low=INFO,high=BLOCK", SERVICE_TAXES: "percent" };
const about = (address: string, own: object = {}) => ({
  ...{ type: "address", chain_id: "1", address, user_addresses: [REAL] },
  ...own,
});

async function vendor(received: Received[] = []) {
  const SERVICE_URL = await listen(answering(exampleVendor(data, KEY), received));
  return { SERVICE_URL, SERVICE_API_KEY: KEY, SERVICE_ADAPTER, ...scales };
}

test("events are screened by a service of another shape, and nothing that it does not know is allowed", async () => {
  const received: Received[] = [];
  const events = [
    about(REAL),
    about(FAKE),
    about(PHISHER),
    about(MIXED),
    about(NEVER_SEEN),
    about(NEW_WORD),
    about(REAL, { chain_id: "10" }),
    about(REAL, { token_address: USDT }),
    about(REAL, { token_address: TRAP }),
    about(REAL, { checks: ["classification"] }),
    { type: "transaction", chain_id: "1", transaction: { from: REAL, to: `0x${"1".repeat(40)}`, data: "0xdeadbeef" } },
  ];
  const { file, out } = await inputOf("events.ndjson", ndjson(...events));

  const env = await vendor(received);

  const { status, stderr } = await run(["screen", file, "--out", out], env);

  expect(await outcomesIn(out)).toEqual([
    "1 ALLOW",
    "2 BLOCK mimics_user",
    "3 BLOCK is_poisoning",
    "4 UNKNOWN unknown",
    "5 UNKNOWN ITEM_FAILED",
    "6 UNKNOWN unknown",
    "7 UNKNOWN CHECK_UNSUPPORTED",
    "8 ALLOW",
    "9 BLOCK is_honeypot level_high",
    "10 UNKNOWN CHECK_UNSUPPORTED",
    "11 BLOCK CALLDATA_UNDECODED ITEM_FAILED action_block",
  ]);
  // Events without an answer of the service have their verdicts, so the next run sends no request.
  expect(status, stderr).toBe(2);
  const asksBefore = received.length;
  expect((await run(["screen", file, "--out", out], env)).status).toBe(2);
  expect(received.length).toBe(asksBefore);
  const verdicts = await verdictsIn(out);
  expect(verdicts[9]?.reasons.map(({ detail }) => detail).join()).toContain(
    "the service has no operation address-classify: SERVICE_DIALECT or SERVICE_ADAPTER leaves it out",
  );
  // One address per request, and never an invented one.
  const known = new Set([...Object.keys(data.risks), NEVER_SEEN, `0x${"1".repeat(40)}`]);
  const asked = received.filter(({ url }) => url.startsWith("/risk/"));
  expect(asked.every(({ url }) => known.has(url.split(/[/?]/)[3] ?? ""))).toBe(true);
  expect((await run(["audit", "--dir", out])).status).toBe(0);
});

test("each of many events costs one request, without a canary", async () => {
  const received: Received[] = [];
  const users = Array.from({ length: 40 }, (_, i) => `0x${String(1000 + i).repeat(10)}`);
  const { file, out } = await inputOf(
    "events.ndjson",
    ndjson(...users.map((user) => about(REAL, { user_addresses: [user] }))),
  );

  const { status } = await run(["screen", file, "--out", out], await vendor(received));

  expect([status, received.length]).toEqual([0, 40]);
  expect((await outcomesIn(out)).every((each) => each.endsWith("ALLOW"))).toBe(true);
});

test("an adapter that accepts many addresses per request gets batches, and a lookalike among them is found", async () => {
  const received: Received[] = [];
  const SERVICE_URL = await listen(answering(batchVendor, received));
  const users = Array.from({ length: 60 }, (_, i) => `0x${String(1000 + i).repeat(10)}`);
  const events = users.map((user) => about(user, { user_addresses: [user] }));
  const { file, out } = await inputOf("events.ndjson", ndjson(about(FAKE), ...events));
  const adapter = { SERVICE_ADAPTER: path.resolve("test/fixtures/adapters/batch.mjs"), SERVICE_API_KEY: KEY };

  const { status, stderr } = await run(["screen", file, "--out", out], { SERVICE_URL, ...adapter });

  expect(status, stderr).toBe(0);
  const outcomes = await outcomesIn(out);
  expect(outcomes[0]).toBe("1 BLOCK mimics_user");
  expect(outcomes.slice(1).every((each) => each.endsWith(" ALLOW"))).toBe(true);
  expect(received.length).toBeLessThan(20);
});

test("while the service fails nothing is allowed, and a wrong key is reported", async () => {
  const { file, out } = await inputOf("events.ndjson", ndjson(about(REAL)));
  const env = await vendor();
  const wrongKey = await run(["screen", file, "--out", out], { ...env, SERVICE_API_KEY: "another-key-5678" });
  expect(wrongKey.status).toBe(1);
  expect(wrongKey.stderr).toContain("check SERVICE_API_KEY");

  const SERVICE_URL = await listen(answering((_request, response) => sendJson(response, 500, { score: 0 })));
  const down = await run(["screen", file, "--out", out], { ...env, SERVICE_URL, SERVICE_PATIENCE: "1s" });
  expect(down.status).toBe(1);
  expect((await outcomesIn(out)).filter((each) => !each.startsWith("1 UNKNOWN SERVICE_UNAVAILABLE"))).toEqual([]);
});

test("weir doctor sends its request through the adapter", async () => {
  const env = await vendor();
  const { stdout } = await run(["doctor"], { ...env, KAFKA_BROKERS: "127.0.0.1:1" });
  expect(stdout).toContain(`ok    service  takes the key and answers a question, asked as ${SERVICE_ADAPTER} says`);
  const missing = await run(["doctor"], { ...env, SERVICE_ADAPTER: "./none.mjs", KAFKA_BROKERS: "127.0.0.1:1" });
  expect(missing.stdout).toContain("FAIL  service  SERVICE_ADAPTER: ./none.mjs: there is no such file");
});
