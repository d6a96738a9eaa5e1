import { expect, test } from "vitest";
import { PlanEnv, PlanTopicEnv, readEnv } from "../../../../src/cli/config/config.ts";
import { plannedRun, plannedWorker } from "../../../../src/cli/estimate/planned-bounds.ts";
import { ConfigInvalidError } from "../../../../src/kernel/errors.ts";
import type { Lane } from "../../../../src/messages/lane.ts";

const MIB = 2 ** 20;
const ofRun = (env: Readonly<Record<string, string>>) => plannedRun(readEnv(PlanEnv, env));
const ofWorker = (lane: Lane, env: Readonly<Record<string, string>> = {}) =>
  plannedWorker(readEnv(PlanTopicEnv, env), lane);

test("a plan for a file has the bounds of a run", () => {
  expect(ofRun({})).toEqual({
    window: 2_000,
    cacheBytes: 4 * MIB,
    cacheAgeMs: 86_400_000,
    memory: { base: 195, answers: 8, events: 64 },
  });
});

test("a plan for a topic has the bounds of a worker, by lane", () => {
  const memory = { base: 400, answers: 512, events: 256 + 64 };

  expect(ofWorker("backfill")).toEqual({ window: 20_000, cacheBytes: 256 * MIB, cacheAgeMs: 86_400_000, memory });
  expect(ofWorker("realtime")).toEqual({ window: 2_000, cacheBytes: 256 * MIB, cacheAgeMs: 60_000, memory });
});

test("the settings count, and a file is one partition", () => {
  const env = { ANSWER_CACHE_BYTES: String(MIB), LANE_BACKFILL_EVENTS: "500", LANE_BACKFILL_SPAN: "100" };

  expect(ofRun({ ...env, LANE_BACKFILL_BYTES: String(MIB) })).toMatchObject({
    window: 100,
    cacheBytes: MIB,
    memory: { base: 195, answers: 2, events: 1 },
  });
  expect(ofWorker("backfill", { ...env, LANE_REALTIME_BYTES: String(MIB) })).toMatchObject({
    window: 500,
    memory: { base: 400, answers: 2, events: 257 },
  });
});

test("bounds that a worker refuses are refused", () => {
  expect(() => ofWorker("realtime", { LANE_REALTIME_EVENTS: "20000", LANE_REALTIME_BYTES: "1048576" })).toThrow(
    ConfigInvalidError,
  );
});
