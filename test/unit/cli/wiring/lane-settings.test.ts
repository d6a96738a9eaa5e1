import { expect, test } from "vitest";
import { readEnv, ScreenEnv, WorkerEnv } from "../../../../src/cli/config/config.ts";
import { runBounds, workerBounds } from "../../../../src/cli/wiring/lane-settings.ts";
import { ConfigInvalidError } from "../../../../src/kernel/errors.ts";
import { defaultBounds } from "../../../../src/worker/offsets/lane-bounds.ts";

const MIB = 2 ** 20;
const here = { KAFKA_BROKERS: "localhost:9092" };
const ofWorker = (env: Readonly<Record<string, string>>) => workerBounds(readEnv(WorkerEnv, { ...here, ...env }));
const ofRun = (env: Readonly<Record<string, string>>) => runBounds(readEnv(ScreenEnv, env));

test("the defaults are the designed bounds, with smaller ones for a run over a file", () => {
  expect(ofWorker({})).toEqual(defaultBounds);
  expect(ofRun({}).backfill).toEqual({ events: 2_000, span: 10_000, bytes: 64 * MIB });
});

test("each lane has its own bounds", () => {
  const realtime = { LANE_REALTIME_EVENTS: "100", LANE_REALTIME_SPAN: "50", LANE_REALTIME_BYTES: "1048576" };
  const backfill = { LANE_BACKFILL_EVENTS: "100000", LANE_BACKFILL_SPAN: "20000", LANE_BACKFILL_BYTES: "1073741824" };
  const wide = { events: 100_000, span: 20_000, bytes: 1_024 * MIB };

  expect(ofWorker({ ...realtime, ...backfill })).toEqual({
    realtime: { events: 100, span: 50, bytes: MIB },
    backfill: wide,
  });
  expect(ofRun(backfill).backfill).toEqual(wide);
});

test("more events than fit into the bytes are refused, for both lanes at once", () => {
  const env = {
    LANE_REALTIME_EVENTS: "16385",
    LANE_REALTIME_BYTES: "1048576",
    LANE_BACKFILL_EVENTS: "100000",
    LANE_BACKFILL_BYTES: "6399999",
  };

  expect(() => ofWorker(env)).toThrow(ConfigInvalidError);
  expect(() => ofWorker(env)).toThrow(
    "bad settings: LANE_REALTIME_BYTES 1048576 has no room for the 16385 of LANE_REALTIME_EVENTS: it must be at least 1048640; " +
      "LANE_BACKFILL_BYTES 6399999 has no room for the 100000 of LANE_BACKFILL_EVENTS: it must be at least 6400000",
  );
  expect(() => ofRun(env)).toThrow("LANE_BACKFILL_BYTES 6399999 has no room");
  expect(() => ofWorker({ ...env, LANE_REALTIME_EVENTS: "16384", LANE_BACKFILL_BYTES: "6400000" })).not.toThrow();
});
