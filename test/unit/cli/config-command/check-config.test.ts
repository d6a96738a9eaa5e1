import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Environment } from "../../../../src/cli/config/config.ts";
import { checkConfig } from "../../../../src/cli/config-command/check-config.ts";
import { checkLine } from "../../../../src/cli/doctor/check-line.ts";

/** The lines about combinations and files, without the lines of variables. */
async function linesOf(command: string, env: Environment): Promise<readonly string[]> {
  const checks = await checkConfig(command, env);
  return checks.filter(({ check, ok }) => ok === false || /[a-z]/.test(check)).map(checkLine);
}

async function written(texts: Readonly<Record<string, string>>): Promise<(name: string) => string> {
  const folder = await mkdtemp(path.join(tmpdir(), "weir-config-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await Promise.all(Object.entries(texts).map(([name, text]) => writeFile(path.join(folder, name), text)));
  return (name) => path.join(folder, name);
}

const policy = expect.stringMatching(/^ok {4}policy {2}data\/policy\.json, [0-9a-f]{64}$/);

test("without variables weir screen has no fault, and weir worker lacks its brokers and its service", async () => {
  expect(await linesOf("screen", {})).toEqual([
    "ok    service  is not set: the run starts a service of its own",
    "ok    key  not needed",
    "ok    proxy and TLS  not needed",
    "ok    dialect  the interface as it is",
    "ok    adapter  none",
    "ok    quota  learned by each process anew",
    policy,
    "ok    lists and labels  0 files are read",
    "ok    bounds  fit together",
    "ok    nodes  none: checks that need one are UNKNOWN",
    "ok    Kafka  not used: a run shares a SERVICE_QUOTA where SERVICE_URL and KAFKA_BROKERS are set, too",
  ]);
  expect((await linesOf("worker", {})).filter((line) => !line.startsWith("ok"))).toEqual([
    "FAIL  KAFKA_BROKERS  must name the brokers, as host:port, comma-separated  -> set KAFKA_BROKERS",
    "FAIL  service  SERVICE_URL must name the service of a worker; `weir serve` runs one",
    "warn  Kafka  skipped: KAFKA_BROKERS is at fault",
  ]);
});

test("a worker with all its files has no fault, and no value is shown", async () => {
  const file = await written({
    "vendor.yaml": "schema: weir.dialect/1\noperations: [address-poisoning]\nlevels: { low: INFO }\n",
    "own.csv": "chain,address,name,kind\n1,0xd9a1c3788d81257612e2581a6ea0ada244853a91,x,blocked\n",
    key: "hunter2\n",
  });
  const env = {
    KAFKA_BROKERS: "127.0.0.1:1",
    SERVICE_URL: "https://vendor.example/api",
    SERVICE_API_KEY_FILE: file("key"),
    SERVICE_DIALECT: file("vendor.yaml"),
    SERVICE_QUOTA: "50/1s",
    LISTS_FILES: file("own.csv"),
    S3_BUCKET: "verdicts",
    HTTPS_PROXY: "http://proxy.example:3128",
  };
  const lines = await linesOf("worker", env);

  expect(lines.join("\n")).not.toContain("hunter2");
  expect(lines).toEqual([
    "ok    service  vendor.example is asked",
    "ok    key  read from SERVICE_API_KEY_FILE",
    "ok    proxy and TLS  a proxy; trusts public authorities, shows no certificate",
    `ok    dialect  ${file("vendor.yaml")}, which leaves out solana-emulate, token-security, transaction-security, evm-transaction-security, address-classify`,
    "ok    adapter  none",
    expect.stringMatching(/^ok {4}quota {2}given: 50\/1s, used at /),
    policy,
    "ok    lists and labels  1 file is read",
    expect.stringMatching(/^ok {4}list {2}own\.csv of \d{4}-\d\d-\d\d \(1 entry\)$/),
    "ok    bounds  fit together",
    "ok    Kafka  group weir reads screening.events, screening.backfill",
    "ok    schema registry  not used: SCHEMA_REGISTRY_URL is not set",
    "ok    archive  in verdicts",
  ]);
});

test("every fault is reported, and parts with a wrong variable are skipped", async () => {
  const file = await written({
    "vendor.yaml": "schema: weir.dialect/1\nlimits: { item: 5 }\n",
    "policy.json": "{",
    "own.csv": "chain,address,name,kind\n1,zz,x,blocked\n",
  });
  const lines = await linesOf("screen", {
    SERVICE_URL: "http://vendor.example",
    SERVICE_QUOTA: "fast",
    SERVICE_DIALECT: file("vendor.yaml"),
    SERVICE_TLS_CA_FILE: file("none.pem"),
    POLICY_FILE: file("policy.json"),
    LISTS_FILES: file("own.csv"),
    LANE_BACKFILL_EVENTS: "100000",
    LANE_BACKFILL_BYTES: "1048576",
  });

  expect(lines.map((line) => line.split("  ").slice(0, 2).join("  "))).toEqual([
    "FAIL  SERVICE_QUOTA",
    "FAIL  service",
    "FAIL  key",
    "FAIL  proxy and TLS",
    "FAIL  dialect",
    "ok  ",
    "warn  quota",
    "FAIL  policy",
    "FAIL  lists and labels",
    "FAIL  bounds",
    "warn  nodes",
    "warn  Kafka",
  ]);
  expect(lines.find((line) => line.startsWith("FAIL  dialect"))).toBe(
    `FAIL  dialect  SERVICE_DIALECT: ${file("vendor.yaml")}: limits: item: unknown field; did you mean items?`,
  );
});

test("duplicate scales, and an unused dialect, are reported", async () => {
  const file = await written({ "vendor.yaml": "schema: weir.dialect/1\ntaxes: percent\n" });
  const env = { SERVICE_DIALECT: file("vendor.yaml") };
  const dialectIn = async (more: Environment) =>
    (await linesOf("screen", { ...env, ...more })).find((line) => line.includes(" dialect "));

  expect(await dialectIn({})).toBe(
    `warn  dialect  ${file("vendor.yaml")} is sound, and not used: SERVICE_URL is not set  -> set SERVICE_URL, or unset SERVICE_DIALECT`,
  );
  expect(await dialectIn({ SERVICE_TAXES: "percent" })).toBe(
    "FAIL  dialect  SERVICE_TAXES is set, and the file of SERVICE_DIALECT has taxes: unset one of them",
  );
});

test("files of a run's own service are read, and refused beside a remote service", async () => {
  const file = await written({ prices: '{"native":{"price":"142.5","as_of":"2026-01-31"}}', snapshot: "{" });
  const nodesIn = async (env: Environment) => (await linesOf("screen", env)).filter((line) => line.includes(" nodes "));

  expect(await nodesIn({ EVM_RPC_URLS: '{"eth":"https://node.example/hunter2"}' })).toEqual(["ok    nodes  for EVM"]);
  expect(await nodesIn({ SOLANA_PRICES_FILE: file("prices") })).toEqual([
    expect.stringContaining("FAIL  nodes  SOLANA_PRICES_FILE: "),
  ]);
  expect(await nodesIn({ EVM_MARKETS_FILE: file("snapshot") })).toEqual([
    expect.stringContaining("FAIL  nodes  EVM_MARKETS_FILE: "),
  ]);
  const elsewhere = { SERVICE_URL: "https://vendor.example", SERVICE_API_KEY: "k" };
  expect(await nodesIn(elsewhere)).toEqual(["ok    nodes  not needed: the service at SERVICE_URL has its own"]);
  expect(await nodesIn({ ...elsewhere, SOLANA_SNAPSHOT: file("snapshot") })).toEqual([
    expect.stringContaining("FAIL  nodes  SOLANA_SNAPSHOT is for the embedded service"),
  ]);
});

test("an adapter is loaded, and its fault is reported", async () => {
  const file = await written({
    "good.mjs":
      'export const adapter = () => ({ schema: "weir.adapter/1", name: "v", operations: { "address-poisoning": { request: () => ({}), answer: () => ({}) } } });',
    "bad.mjs": "export const other = 1;",
    "vendor.yaml": "schema: weir.dialect/1\npaths: { address-poisoning: /v1/risk }\n",
  });
  const lineFor = async (name: string) =>
    (
      await linesOf("screen", { SERVICE_URL: "http://127.0.0.1:1", SERVICE_API_KEY: "k", SERVICE_ADAPTER: file(name) })
    ).find((line) => line.includes("  adapter  "));

  expect(await lineFor("good.mjs")).toBe(`ok    adapter  ${file("good.mjs")}, v: address-poisoning`);
  expect(await lineFor("bad.mjs")).toMatch(
    /^FAIL {2}adapter {2}SERVICE_ADAPTER: .*bad.mjs: must export a function adapter/,
  );
  expect(await lineFor("none.mjs")).toContain("there is no such file");
  const both = { SERVICE_DIALECT: file("vendor.yaml"), SERVICE_ADAPTER: file("good.mjs") };
  expect(await linesOf("screen", { SERVICE_URL: "http://127.0.0.1:1", SERVICE_API_KEY: "k", ...both })).toContainEqual(
    expect.stringContaining("FAIL  adapter  SERVICE_ADAPTER is set, and the file of SERVICE_DIALECT has paths"),
  );
});
