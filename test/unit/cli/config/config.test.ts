import { describe, expect, test } from "vitest";
import { readEnv, ScreenEnv } from "../../../../src/cli/config/config.ts";
import { ArchiveEnv, AuditEnv } from "../../../../src/cli/config/env/archive-env.ts";
import { cacheAges } from "../../../../src/cli/config/env/cache-env.ts";
import { NodesEnv } from "../../../../src/cli/config/env/nodes-env.ts";
import { ServeEnv } from "../../../../src/cli/config/env/serve-env.ts";
import { ConfigInvalidError } from "../../../../src/kernel/errors.ts";
import { defaultAges } from "../../../../src/worker/answers/answer-cache.ts";

test("an empty environment gives the defaults", () => {
  const tronNodes = {
    TRON_RPC_URL: [],
    TRON_RPC_API_KEY_HEADER: "TRON-PRO-API-KEY",
    TRON_RPC_ALLOW_HTTP: false,
    TRON_RPC_TIMEOUT: 2_000,
  };
  const solanaNodes = {
    SOLANA_COMMITMENT: "confirmed",
    SOLANA_PRICES_MAX_AGE: 86_400_000,
    SOLANA_ENGINE: "node",
    SOLANA_RPC_ALLOW_HTTP: false,
    SOLANA_RPC_TIMEOUT: 3_000,
    SOLANA_RPC_URL: [],
  };
  const evm = {
    EVM_RPC_ALLOW_HTTP: false,
    EVM_RPC_CONCURRENCY: 8,
    EVM_RPC_TIMEOUT: 2_000,
    EVM_VERIFIER: "sourcify",
  };
  expect(readEnv(ServeEnv, {})).toEqual({
    HOST: "127.0.0.1",
    PORT: 8080,
    ADMIN_HOST: "127.0.0.1",
    LABELS_FILES: [],
    LISTS_FILES: [],
    BUNDLED_LABELS: true,
    LOG_LEVEL: "info",
    ...tronNodes,
    ...solanaNodes,
    ...evm,
  });
  expect(readEnv(ScreenEnv, {})).toEqual({
    ...tronNodes,
    ...solanaNodes,
    SERVICE_ALLOW_HTTP: false,
    SERVICE_CONCURRENCY: 32,
    SERVICE_DIALECT: "interface",
    SERVICE_LEVELS: {
      levels: new Map(),
      scores: [],
      trust: { levels: new Map(), scores: [] },
      threat: { levels: new Map(), scores: [] },
    },
    SERVICE_TIMEOUT_MS: 10_000,
    SERVICE_PATIENCE: 30_000,
    SERVICE_MAX_WAIT: 300_000,
    SERVICE_QUOTA_ALONE: 0.1,
    SERVICE_QUOTA_CONFIRM: 0.2,
    SERVICE_QUOTA_WEIGHT: 1,
    DECISION_DEADLINE: 30_000,
    OVERDUE_GRACE: 2_000,
    SOLANA_GROUP_MAX: 8,
    LISTS_FILES: [],
    LISTS_MAX_AGE: 604_800_000,
    LABELS_FILES: [],
    BUNDLED_LABELS: true,
    LOG_LEVEL: expect.any(String),
    TENANT_WEIGHTS: new Map(),
    ANSWER_CACHE_BYTES: 4_194_304,
    ANSWER_CACHE_AGE_CLEAN: 60_000,
    ANSWER_CACHE_AGE_FLAGGED: 3_600_000,
    ANSWER_CACHE_AGE_BACKFILL: 86_400_000,
    LANE_BACKFILL_EVENTS: 2_000,
    LANE_BACKFILL_SPAN: 10_000,
    LANE_BACKFILL_BYTES: 67_108_864,
    ...evm,
  });
});

test("tenants have weights, for any names", () => {
  const env = readEnv(ScreenEnv, { TENANT_WEIGHTS: "exchange=3, a=b =0.5,otc=1000" });

  expect([...env.TENANT_WEIGHTS]).toEqual([
    ["exchange", 3],
    ["a=b", 0.5],
    ["otc", 1_000],
  ]);
});

test("an empty variable counts as unset", () => {
  const empty = { HOST: "", PORT: "", SERVICE_API_KEYS: "", LABELS_FILES: "", SERVICE_RATE_LIMIT: "", LOG_LEVEL: "" };

  expect(readEnv(ServeEnv, empty)).toEqual(readEnv(ServeEnv, {}));
});

test("the bundled labels can be left out", () => {
  expect(readEnv(ServeEnv, { BUNDLED_LABELS: "false" }).BUNDLED_LABELS).toBe(false);
  expect(() => readEnv(ServeEnv, { BUNDLED_LABELS: "no" })).toThrow(ConfigInvalidError);
});

test("lists are split at commas, without blanks", () => {
  const env = readEnv(ServeEnv, { SERVICE_API_KEYS: "a, b,,c ", LABELS_FILES: "x.csv,y.json" });

  expect(env.SERVICE_API_KEYS).toEqual(["a", "b", "c"]);
  expect(env.LABELS_FILES).toEqual(["x.csv", "y.json"]);
});

test("nodes are a list, and have a timeout", () => {
  expect(readEnv(ServeEnv, { TRON_RPC_URL: "https://a/, https://b" }).TRON_RPC_URL).toEqual([
    "https://a/",
    "https://b",
  ]);
  expect(() => readEnv(ServeEnv, { TRON_RPC_TIMEOUT: "3s" })).toThrow("TRON_RPC_TIMEOUT: must be at most 2s");
  expect(() => readEnv(ServeEnv, { TRON_RPC_API_KEY_HEADER: "a b" })).toThrow("must be the name of a header");
});

test("nodes of each family have a list or a file, a timeout and an http setting, with equal names", () => {
  const env = {
    SOLANA_RPC_URL: "https://a/, https://b",
    SOLANA_RPC_TIMEOUT: "500ms",
    EVM_RPC_TIMEOUT: "4s",
    TRON_RPC_TIMEOUT: "1s",
    SOLANA_RPC_ALLOW_HTTP: "true",
  };
  const nodes = {
    SOLANA_RPC_URL: ["https://a/", "https://b"],
    SOLANA_RPC_ALLOW_HTTP: true,
    SOLANA_RPC_TIMEOUT: 500,
    TRON_RPC_URL: [],
    TRON_RPC_API_KEY_HEADER: "TRON-PRO-API-KEY",
    TRON_RPC_ALLOW_HTTP: false,
    TRON_RPC_TIMEOUT: 1_000,
    EVM_RPC_ALLOW_HTTP: false,
    EVM_RPC_TIMEOUT: 4_000,
  };

  expect(readEnv(NodesEnv, env)).toEqual(nodes);
  // A service that starts separately has the same settings.
  expect(readEnv(ServeEnv, env)).toMatchObject(nodes);
  expect(readEnv(ScreenEnv, env)).toMatchObject(nodes);
  expect(() => readEnv(NodesEnv, { EVM_RPC_TIMEOUT: "2000" })).toThrow("EVM_RPC_TIMEOUT: must look like 500ms, 30s");
});

test("variables of other programs are ignored", () => {
  expect(readEnv(ServeEnv, { PATH: "/bin", HOME: "/root" })).toEqual(readEnv(ServeEnv, {}));
});

test.each([
  ["50/1s", { requests: 50, windowMs: 1_000 }],
  ["600/1min", { requests: 600, windowMs: 60_000 }],
  ["5/250ms", { requests: 5, windowMs: 250 }],
])("a quota of %s is read", (text, quota) => {
  expect(readEnv(ServeEnv, { SERVICE_RATE_LIMIT: text }).SERVICE_RATE_LIMIT).toEqual(quota);
});

test("the bounds of an archive object fit the limits of an audit and a timer", () => {
  const given = { KAFKA_BROKERS: "broker:9092", S3_BUCKET: "weir-test", S3_REGION: "eu-central-1" };
  const most = { ARCHIVE_BYTES: "134217728", ARCHIVE_AGE: "1440min" };
  expect(readEnv(ArchiveEnv, { ...given, ...most })).toMatchObject({
    ARCHIVE_BYTES: 134_217_728,
    ARCHIVE_AGE: 86_400_000,
  });
  expect(() => readEnv(ArchiveEnv, { ...given, ARCHIVE_BYTES: "134217729" })).toThrow(
    "ARCHIVE_BYTES: must be at most 134217728",
  );
  expect(() => readEnv(ArchiveEnv, { ...given, ARCHIVE_AGE: "1441min" })).toThrow(
    "ARCHIVE_AGE: must be at most 1440min",
  );
});

describe("a bad value", () => {
  test.each<[typeof ServeEnv | typeof ScreenEnv, string, string, RegExp]>([
    [ServeEnv, "PORT", "hunter2", /PORT: must be a port number/],
    [ServeEnv, "PORT", "-1", /PORT: must be a port number/],
    [ServeEnv, "PORT", "70000", /PORT: /],
    [
      ServeEnv,
      "SERVICE_RATE_LIMIT",
      "hunter2",
      /SERVICE_RATE_LIMIT: must look like 50\/1s, 600\/1min, 5000\/1h or 100000\/1d/,
    ],
    [ServeEnv, "SERVICE_RATE_LIMIT", "0/1s", /SERVICE_RATE_LIMIT: must allow at least 1 request in its window/],
    [
      ScreenEnv,
      "SERVICE_QUOTA",
      "1/20000min",
      /^bad settings: SERVICE_QUOTA: must allow a request in 6 days at least: give more requests, or a shorter window$/,
    ],
    [ScreenEnv, "SERVICE_QUOTA", "2/17281min", /SERVICE_QUOTA: must allow a request in 6 days at least/],
    [ScreenEnv, "SERVICE_QUOTA_WEIGHT", "0", /SERVICE_QUOTA_WEIGHT: must be a number from 0.01 to 100/],
    [ScreenEnv, "SERVICE_QUOTA_WEIGHT", "hunter2", /SERVICE_QUOTA_WEIGHT: must be a number from 0.01 to 100/],
    [ScreenEnv, "SERVICE_QUOTA_ALONE", "1.1", /SERVICE_QUOTA_ALONE: must be a number from 0.001 to 1/],
    [ScreenEnv, "SERVICE_QUOTA_CONFIRM", "0", /SERVICE_QUOTA_CONFIRM: must be a number from 0.01 to 1/],
    [ScreenEnv, "SERVICE_QUOTA_CONFIRM", "20", /SERVICE_QUOTA_CONFIRM: must be a number from 0.01 to 1/],
    [ScreenEnv, "ANSWER_CACHE_BYTES", "0", /ANSWER_CACHE_BYTES: must be a whole number of at least 1/],
    [ScreenEnv, "ANSWER_CACHE_AGE_CLEAN", "601s", /ANSWER_CACHE_AGE_CLEAN: must look like .*, and be at most 10min/],
    [
      ScreenEnv,
      "ANSWER_CACHE_AGE_CLEAN",
      "60000",
      /ANSWER_CACHE_AGE_CLEAN: must look like 500ms, 30s or 2min, or be 0/,
    ],
    [ScreenEnv, "ANSWER_CACHE_AGE_CLEAN", "-1s", /ANSWER_CACHE_AGE_CLEAN: must look like/],
    [ScreenEnv, "ANSWER_CACHE_AGE_FLAGGED", "1441min", /ANSWER_CACHE_AGE_FLAGGED: .*be at most 1440min/],
    [ScreenEnv, "ANSWER_CACHE_AGE_BACKFILL", "86401s", /ANSWER_CACHE_AGE_BACKFILL: .*be at most 1440min/],
    [ScreenEnv, "LANE_BACKFILL_EVENTS", "0", /LANE_BACKFILL_EVENTS: must be a whole number from 1 to 100000/],
    [ScreenEnv, "LANE_BACKFILL_EVENTS", "100001", /LANE_BACKFILL_EVENTS: must be a whole number from 1 to 100000/],
    [ScreenEnv, "LANE_BACKFILL_SPAN", "20001", /LANE_BACKFILL_SPAN: must be a whole number from 1 to 20000/],
    [ScreenEnv, "LANE_BACKFILL_BYTES", "256", /LANE_BACKFILL_BYTES: must be a whole number from 1048576 to 1073741824/],
    [ScreenEnv, "LANE_BACKFILL_BYTES", "hunter2", /LANE_BACKFILL_BYTES: must be a whole number from 1048576/],
    [ServeEnv, "SERVICE_RATE_LIMIT", "50/0s", /SERVICE_RATE_LIMIT: must have a window longer than 0/],
    [ServeEnv, "LOG_LEVEL", "hunter2", /LOG_LEVEL: /],
    [ServeEnv, "SOLANA_ENGINE", "hunter2", /SOLANA_ENGINE: /],
    [ServeEnv, "SOLANA_COMMITMENT", "hunter2", /SOLANA_COMMITMENT: /],
    [ScreenEnv, "SERVICE_URL", "hunter2", /SERVICE_URL: must be an http or https URL/],
    [ScreenEnv, "SERVICE_URL", "ftp://hunter2", /SERVICE_URL: must be an http or https URL/],
    [ScreenEnv, "SERVICE_ALLOW_HTTP", "hunter2", /SERVICE_ALLOW_HTTP: /],
    [ScreenEnv, "SERVICE_ALLOW_HTTP", "1", /SERVICE_ALLOW_HTTP: /],
    [ScreenEnv, "TENANT_WEIGHTS", "hunter2", /TENANT_WEIGHTS( \(entry \d\))?: must look like exchange=3,otc=0.5/],
    [ScreenEnv, "TENANT_WEIGHTS", "=2", /TENANT_WEIGHTS( \(entry \d\))?: must look like/],
    [ScreenEnv, "TENANT_WEIGHTS", "a=0", /TENANT_WEIGHTS( \(entry \d\))?: must look like/],
    [ScreenEnv, "TENANT_WEIGHTS", "a=1001", /TENANT_WEIGHTS( \(entry \d\))?: must look like/],
    [ScreenEnv, "TENANT_WEIGHTS", "a=hunter2", /TENANT_WEIGHTS( \(entry \d\))?: must look like/],
    [ScreenEnv, "SERVICE_CONCURRENCY", "hunter2", /SERVICE_CONCURRENCY: must be a whole number/],
    [ScreenEnv, "SERVICE_CONCURRENCY", "0", /SERVICE_CONCURRENCY: must be a whole number/],
    [ScreenEnv, "SERVICE_CONCURRENCY", "1.5", /SERVICE_CONCURRENCY: must be a whole number/],
    [ScreenEnv, "SERVICE_CONCURRENCY", "9999999999", /SERVICE_CONCURRENCY: must be a whole number/],
    [ScreenEnv, "SERVICE_TIMEOUT_MS", "0", /SERVICE_TIMEOUT_MS: must be a whole number/],
    [ScreenEnv, "SERVICE_TIMEOUT_MS", "9999999999", /SERVICE_TIMEOUT_MS: must be a whole number/],
  ])("%#: %s", (schema, name, value, message) => {
    const reading = () => readEnv(schema, { [name]: value });

    expect(reading).toThrow(ConfigInvalidError);
    expect(reading).toThrow(message);
    expect(reading).not.toThrow(/hunter2/);
  });

  test("is named together with all others", () => {
    const reading = () =>
      readEnv(ScreenEnv, {
        SERVICE_URL: "hunter2",
        SERVICE_CONCURRENCY: "hunter2",
        SERVICE_TIMEOUT_MS: "hunter2",
        LOG_LEVEL: "hunter2",
      });

    expect(reading).toThrow(
      /^bad settings: SERVICE_URL: .*; SERVICE_TIMEOUT_MS: .*; SERVICE_CONCURRENCY: .*; LOG_LEVEL: /,
    );
    expect(reading).not.toThrow(/hunter2/);
  });
});

test("the age of cached answers can be reduced to zero, and extended to a limit", () => {
  const ages = (clean: string, flagged: string, backfill: string) => ({
    ANSWER_CACHE_AGE_CLEAN: clean,
    ANSWER_CACHE_AGE_FLAGGED: flagged,
    ANSWER_CACHE_AGE_BACKFILL: backfill,
  });

  expect(cacheAges(readEnv(ScreenEnv, ages("0", "0", "0")))).toEqual({ clean: 0, raised: 0, backfill: 0 });
  expect(cacheAges(readEnv(ScreenEnv, ages("10min", "1440min", "500ms")))).toEqual({
    clean: 600_000,
    raised: 86_400_000,
    backfill: 500,
  });
  expect(cacheAges(readEnv(ScreenEnv, {}))).toEqual(defaultAges);
});

describe("known losses", () => {
  const read = (AUDIT_KNOWN_LOSSES: string) => readEnv(AuditEnv, { S3_BUCKET: "weir", AUDIT_KNOWN_LOSSES });

  test("are ranges of offsets of partitions", () => {
    expect(read("0:3-99, 12:0-0").AUDIT_KNOWN_LOSSES).toEqual([
      { partition: 0, from: 3, until: 99 },
      { partition: 12, from: 0, until: 0 },
    ]);
    expect(read("").AUDIT_KNOWN_LOSSES).toEqual([]);
  });

  test.each(["3-99", "0:3", "0:99-3", "0:3-", "a:3-99", "0:03-99", "0:3-99;1:1-2", "-1:3-99"])(
    "%s is no range",
    (text) => {
      expect(() => read(text)).toThrow("AUDIT_KNOWN_LOSSES");
    },
  );
});

test.each(["1/8640min", "100000/43200min"])("a quota of one request in 6 days or more is accepted: %s", (text) => {
  const [requests, minutes] = text.replace("min", "").split("/").map(Number);

  expect(readEnv(ScreenEnv, { SERVICE_QUOTA: text })).toMatchObject({
    SERVICE_QUOTA: { requests, windowMs: 60_000 * (minutes ?? 0) },
  });
});
