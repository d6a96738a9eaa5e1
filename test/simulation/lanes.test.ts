import { describe, expect, test } from "vitest";
import { CONCURRENCY, type Flow, type Kind, laneRun, type Served } from "./lane-run.ts";

/** Generous, because the machine may be busy. */
const TIMEOUT_MS = 120_000;

/** A request is cut from thousands of addresses, so these runs are shorter. */
const pooled: Kind = { check: "poisoning", users: 200 };
const small: Kind = { check: "poisoning", users: 1 };
const single: Kind = { check: "token-security", users: 0 };

interface Setting {
  readonly kind: Kind;
  /** Events in one request. Canaries take six of its 1,000 items. */
  readonly inOne: number;
  readonly slotsPerSecond: number;
  readonly seconds: number;
  /** Questions in flight, enough for several requests. */
  readonly atOnce: number;
  readonly latencyMs: number;
}
const bulks = {
  pooled: { kind: pooled, inOne: 4, slotsPerSecond: 5, seconds: 20, atOnce: 12, latencyMs: 30 },
  single: { kind: single, inOne: 1, slotsPerSecond: 50, seconds: 60, atOnce: 100, latencyMs: 30 },
} as const;
/** Connections are the bottleneck: the permits would allow five times as many requests. */
const slow: Setting = { ...bulks.single, latencyMs: 3_000 };

function run(
  setting: Setting,
  flows: readonly Flow[],
  weights: Record<string, number> = {},
): Promise<readonly Served[]> {
  const { slotsPerSecond, seconds, latencyMs } = setting;
  const quota = { requests: slotsPerSecond + 1, windowMs: 1_000 };
  return laneRun({ seed: 1, quota, seconds, latencyMs, flows, weightOf: (tenant) => weights[tenant] ?? 1 });
}

const backfill = ({ kind, atOnce }: Setting, tenant = "bulk"): Flow => ({ lane: "backfill", tenant, kind, atOnce });
/** A tenth of the quota. */
const deposits = ({ slotsPerSecond }: Setting, kind: Kind): Flow => {
  return { lane: "realtime", tenant: "exchange", kind, everyMs: 10_000 / slotsPerSecond };
};

/** All permits during the count. */
const slotsOf = ({ slotsPerSecond, seconds }: Setting) => slotsPerSecond * seconds;

describe.each(["pooled", "single"] as const)("a backfill of %s questions that asks for all of the quota", (name) => {
  const setting = bulks[name];

  test.each([
    ["pooled", small],
    ["single", single],
  ] as const)(
    "%s deposits at a tenth of the quota are sent within two permits, and the backfill loses no more than they use",
    async (_, kind) => {
      const [beside, own] = await run(setting, [backfill(setting), deposits(setting, kind)]);

      const waits = own?.waits.toSorted((a, b) => a - b) ?? [];
      expect(waits.length).toBeGreaterThan(0.05 * slotsOf(setting));
      expect(waits[Math.floor(0.99 * waits.length)]).toBeLessThanOrEqual(2);
      const used = own?.asked ?? 0;
      expect(beside?.answered).toBeGreaterThan(setting.inOne * (0.98 * slotsOf(setting) - used));
    },
    TIMEOUT_MS,
  );
});

test("deposits that ask for all of the quota leave the backfill its tenth", async () => {
  const setting = bulks.single;
  const flood = { ...backfill(setting, "exchange"), lane: "realtime" } as const;
  const [bulk, own] = await run(setting, [backfill(setting), flood]);

  expect(bulk?.answered).toBeGreaterThanOrEqual(0.1 * slotsOf(setting) - 2);
  expect(own?.answered).toBeGreaterThanOrEqual(0.9 * slotsOf(setting) - 2);
});

describe("a backfill that asks for all connections of a service that takes three seconds", () => {
  /** Answers that all connections together can give. */
  const all = (1_000 * slow.seconds * CONCURRENCY) / slow.latencyMs;

  test.each([
    ["pooled", small],
    ["single", single],
  ] as const)("a %s deposit a second is sent within two permits, and an eighth stays free", async (_, kind) => {
    const [beside, own] = await run(slow, [
      backfill(slow),
      { lane: "realtime", tenant: "exchange", kind, everyMs: 1_000 },
    ]);

    expect(own?.waits.length).toBeGreaterThan(50);
    expect(Math.max(...(own?.waits ?? []))).toBeLessThanOrEqual(2);
    expect(beside?.answered).toBeGreaterThan(0.97 * ((7 / 8) * all - (own?.asked ?? 0)));
  });

  test("the backfill keeps its tenth beside deposits that ask for everything too", async () => {
    const flood = { ...backfill(slow, "exchange"), lane: "realtime" } as const;
    const [bulk, own] = await run(slow, [backfill(slow), flood]);

    const answered = (bulk?.answered ?? 0) + (own?.answered ?? 0);
    expect(answered).toBeGreaterThan(0.97 * all);
    expect(bulk?.answered).toBeGreaterThanOrEqual(0.1 * answered - 2);
  });
});

test.each(["realtime", "backfill"] as const)(
  "tenants that all ask for more get their shares by weight: %s",
  async (lane) => {
    const setting = bulks.single;
    const flows = ["a", "b", "c"].map((tenant, i) => ({ ...backfill(setting, tenant), lane, atOnce: 20 * 5 ** i }));
    const all = await run(setting, flows, { a: 2, c: 0.5 });

    const unit = slotsOf(setting) / 3.5;
    for (const [i, share] of [2, 1, 0.5].entries()) {
      expect(Math.abs((all[i]?.answered ?? 0) - share * unit)).toBeLessThanOrEqual(3);
    }
  },
);

test(
  "a tenant with few questions waits no longer because of a tenant with many: batched requests",
  async () => {
    const setting = bulks.pooled;
    const few: Flow = { lane: "backfill", tenant: "few", kind: small, everyMs: 1_000 };
    const [, own] = await run(setting, [{ ...backfill(setting), atOnce: 40 }, few]);

    expect(own?.waits.length).toBeGreaterThan(10);
    expect(Math.max(...(own?.waits ?? []))).toBeLessThanOrEqual(2);
  },
  TIMEOUT_MS,
);
