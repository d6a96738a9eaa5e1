import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { keyMark } from "../../src/worker/rate-limit/sharing/key-mark.ts";
import { evm } from "../support/poisoning-parts.ts";

const dir = mkdtempSync(path.join(tmpdir(), "weir-plan-"));
afterAll(() => rmSync(dir, { recursive: true }));
const file = path.join(dir, "addresses.txt");
writeFileSync(file, Array.from({ length: 500 }, (_, i) => `${evm(i + 1)}\n`).join(""));

function plan(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["src/cli/main.ts", "plan", file, ...args], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], ...env },
  });
  return { status, stdout, stderr };
}

const list = ["--chain", "eth", "--user", evm(4000), "--json"];

test("a file is planned without a service, with a given quota, a configured one, and a learned one", () => {
  const learned = { schema: "weir.quota/2", key: "-", requests_per_second: 4, burst: 0, window_ms: 1_000 };
  writeFileSync(path.join(dir, "quota.json"), JSON.stringify(learned));
  const given = plan([...list, "--quota", "3/1s", "--price", "0.5"], { SERVICE_QUOTA: "51/1s" });
  const configured = plan(list, { SERVICE_QUOTA: "51/1s" });
  const known = plan([...list, "--out", dir]);

  expect([given.status, configured.status, known.status, given.stderr]).toEqual([0, 0, 0, ""]);
  const told = [given, configured, known].map(({ stdout }) => JSON.parse(stdout));
  // Eight requests to calibrate, and one for all addresses.
  expect(told.map(({ requests }) => requests)).toEqual([9, 9, 9]);
  // The pace of a run that uses the whole quota: three requests in 1.02 s, and 50 of 51 in a second.
  expect(told.map(({ seconds }) => Number(seconds.toFixed(6)))).toEqual([3.06, 0.18, 2.25]);
  expect(told.map(({ cost }) => cost)).toEqual([4.5, null, null]);
  // All addresses have one user, so one request confirms them all.
  expect(told[0].if_all_is_flagged).toMatchObject({ requests: 10, confirmations: 1, cost: 5 });
  // Each address alone, after two requests for each of three probes.
  expect(told[0].if_nothing_is_pooled).toEqual({ requests: 506, seconds: 172.04, cost: 253 });
});

test("a file is planned by an adapter: one address per request, and the adapter's operations", () => {
  const SERVICE_ADAPTER = "examples/service-adapter/adapter.mjs";
  const told = (args: readonly string[]) => {
    const { status, stdout, stderr } = plan([...list, ...args], { SERVICE_ADAPTER });
    expect([status, stderr]).toEqual([0, ""]);
    return JSON.parse(stdout);
  };
  expect(told([])).toMatchObject({ requests: 500, optional: { classification: { requests: 0 } } });
  expect(told([]).if_nothing_is_pooled).toMatchObject({ requests: 500 });

  const broken = plan(list, { SERVICE_ADAPTER: path.join(dir, "none.mjs") });
  expect([broken.status, broken.stderr]).toEqual([1, expect.stringContaining("SERVICE_ADAPTER: ")]);
});

test("a file is planned by the limits and operations of a dialect", () => {
  const dialect = path.join(dir, "vendor.yaml");
  const text = "schema: weir.dialect/1\nlimits: { items: 57 }\noperations: [address-poisoning, solana-emulate]\n";
  writeFileSync(dialect, text);
  const told = (args: readonly string[]) => {
    const { status, stdout, stderr } = plan([...list, ...args], { SERVICE_DIALECT: dialect });
    expect([status, stderr]).toEqual([0, ""]);
    return JSON.parse(stdout);
  };
  // Beside a user and six canary entries, 50 of the 500 addresses fit.
  expect(told([])).toMatchObject({
    requests: 8 + 10,
    missing_operations: {},
    optional: { classification: { requests: 0 } },
  });
  expect(told(["--token", evm(3000)]).missing_operations).toEqual({ "token-security": 500 });
});

test("a quota that was learned with another key is not used, and an unreadable file is reported", () => {
  const url = "http://127.0.0.1:8080";
  const kept = { schema: "weir.quota/2", key: keyMark(url, "k1"), requests_per_second: 4, burst: 0, window_ms: 1_000 };
  writeFileSync(path.join(dir, "quota.json"), JSON.stringify(kept));
  const timeWith = (env: Readonly<Record<string, string>>) =>
    plan(["--chain", "eth", "--user", evm(4000), "--out", dir], env)
      .stdout.split("\n")
      .find((line) => line.startsWith("time "));

  const from = path.join(dir, "quota.json");
  expect(timeWith({ SERVICE_URL: url, SERVICE_API_KEY: "k1" })).toBe(
    `time      3 s at 4 requests a second (learned, ${from})`,
  );
  expect(timeWith({ SERVICE_URL: url, SERVICE_API_KEY: "k9" })).toBe(
    `time      unknown: say how fast the key may ask, as --quota 50/1s (what ${from} keeps was learned of another key)`,
  );
  expect(timeWith({})).toBe(
    `time      3 s at 4 requests a second (learned, ${from}: its owner is not known without SERVICE_URL and SERVICE_API_KEY)`,
  );
  writeFileSync(from, '{"x":');
  expect(timeWith({})).toContain(`(${from} cannot be read: `);
});

test("an invalid quota and an unknown chain are refused", () => {
  const bad = plan([...list, "--quota", "fast"]);
  const unknown = plan(["--chain", "nowhere"]);

  expect([bad.status, unknown.status]).toEqual([1, 1]);
  expect(bad.stderr).toBe(
    "weir: --quota fast: must look like 50/1s, 600/1min, 5000/1h or 100000/1d, in digits: requests, and the window that they are for\n",
  );
  expect(unknown.stderr).toContain("--chain nowhere: unknown chain");
});

test("flags that complete a file's entries are refused for a topic", () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ["src/cli/main.ts", "plan", "--topic", "screening.backfill", "--chain", "eth", "--user", evm(4000), "--finished"],
    { encoding: "utf8", env: { PATH: process.env["PATH"], KAFKA_BROKERS: "127.0.0.1:1" } },
  );

  expect([status, stderr]).toEqual([
    1,
    "weir: --chain, --user, --finished: for a FILE only, since the events of a topic say it themselves: leave out what is not for --topic\n",
  ]);
});

test("a column of tokens without a node is reported by plan, and by screen before its run", async () => {
  const csv = path.join(dir, "tokens.csv");
  const token = "0xdac17f958d2ee523a2206206994597c13d831ec7";
  writeFileSync(csv, `chain,address,users,token\neth,${evm(1)},${evm(2)},${token}\n`);
  const of = (args: readonly string[], env = {}) =>
    spawnSync(process.execPath, ["src/cli/main.ts", ...args], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], ...env },
    });
  const missing = `1 event takes the check token-security on Ethereum, which the service of the run cannot answer: set EVM_RPC_URLS='{"1":"https://..."}'`;

  expect(of(["plan", csv]).stdout).toContain(`missing   ${missing}`);
  expect(JSON.parse(of(["plan", csv, "--json"]).stdout).unanswered).toEqual([
    { check: "token-security", chain_id: "1", events: 1 },
  ]);
  expect(of(["plan", csv], { EVM_RPC_URLS: '{"1":"https://node.example"}' }).stdout).not.toContain("missing");
  expect(of(["plan", csv], { SERVICE_URL: "https://service.example" }).stdout).not.toContain("missing");
  expect(of(["screen", csv, "--out", path.join(dir, "tokens")]).stderr).toContain(
    `weir: of the first 1 records, ${missing}`,
  );
});
