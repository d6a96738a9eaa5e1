import { defaultBounds, type LaneBounds } from "../../../worker/offsets/lane-bounds.ts";
import { boundedCount } from "./fields.ts";

const MIB = 2 ** 20;
/** A commit has room for no more completed offsets ahead of it than `offsets/completed-ahead.ts` allows: 21,600. */
const MOST_SPAN = 20_000;
const MOST_EVENTS = 100_000;
/** A record may be as long as 1 MiB by the default of the brokers. */
const BYTES = { least: MIB, most: 1_024 * MIB };
/**
 * Bounds of a run over a file, which is one partition of the backfill. Answered events make room once a quarter of the
 * bound is free. Even then, a full request of the simplest events must be possible. With 1,000 events, requests leave a
 * fifth of their room empty.
 */
const runBounds: LaneBounds = { ...defaultBounds.backfill, events: 2_000, bytes: 64 * MIB };

const events = (lane: string, { events }: LaneBounds) =>
  boundedCount(events, { least: 1, most: MOST_EVENTS }).describe(
    `Most ${lane} events in flight in one process. A higher value fills batches better and takes more memory.`,
  );
const span = (lane: string, { span }: LaneBounds) =>
  boundedCount(span, { least: 1, most: MOST_SPAN }).describe(
    `Most records of one partition that are read past the first ${lane} record without a verdict. At most ${MOST_SPAN}; completed records further ahead would be screened again after a crash.`,
  );
const bytes = (lane: string, { bytes }: LaneBounds) =>
  boundedCount(bytes, BYTES).describe(`Most bytes of ${lane} events in flight in one process.`);

const backfill = (bounds: LaneBounds) => ({
  LANE_BACKFILL_EVENTS: events("backfill", bounds),
  LANE_BACKFILL_SPAN: span("backfill", bounds),
  LANE_BACKFILL_BYTES: bytes("backfill", bounds),
});

export const WorkerLanesEnv = {
  LANE_REALTIME_EVENTS: events("realtime", defaultBounds.realtime),
  LANE_REALTIME_SPAN: span("realtime", defaultBounds.realtime),
  LANE_REALTIME_BYTES: bytes("realtime", defaultBounds.realtime),
  ...backfill(defaultBounds.backfill),
};

/** The backfill bounds apply to a file, whichever lane its events name. */
export const RunLanesEnv = backfill(runBounds);
