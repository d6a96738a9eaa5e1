import { ConfigInvalidError } from "../../kernel/errors.ts";
import { defaultBounds, type LaneBounds } from "../../worker/offsets/lane-bounds.ts";
import type { PlanConfig, PlanTopicConfig } from "../config/config.ts";

/** Bytes of the shortest event: a type, a chain and an address. */
const SHORTEST_EVENT_BYTES = 64;

/** @throws {ConfigInvalidError} when the bounds of a lane contradict each other. */
export function workerBounds(config: PlanTopicConfig): Readonly<Record<"realtime" | "backfill", LaneBounds>> {
  const realtime = {
    events: config.LANE_REALTIME_EVENTS,
    span: config.LANE_REALTIME_SPAN,
    bytes: config.LANE_REALTIME_BYTES,
  };
  return fitting({ realtime, backfill: backfillOf(config) });
}

/**
 * The backfill bounds apply to a file, whichever lane its events name. @throws {ConfigInvalidError} when the bounds
 * contradict each other.
 */
export function runBounds(config: PlanConfig): ReturnType<typeof workerBounds> {
  return fitting({ ...defaultBounds, backfill: backfillOf(config) });
}

function backfillOf(config: Pick<PlanConfig, "LANE_BACKFILL_EVENTS" | "LANE_BACKFILL_SPAN" | "LANE_BACKFILL_BYTES">) {
  const { LANE_BACKFILL_EVENTS: events, LANE_BACKFILL_SPAN: span, LANE_BACKFILL_BYTES: bytes } = config;
  return { events, span, bytes };
}

function fitting(bounds: ReturnType<typeof workerBounds>): ReturnType<typeof workerBounds> {
  const wrong = (["realtime", "backfill"] as const).flatMap((lane) => {
    const { events, bytes } = bounds[lane];
    const least = events * SHORTEST_EVENT_BYTES;
    const name = `LANE_${lane.toUpperCase()}`;
    if (bytes >= least) return [];
    return [`${name}_BYTES ${bytes} has no room for the ${events} of ${name}_EVENTS: it must be at least ${least}`];
  });
  if (wrong.length > 0) throw new ConfigInvalidError(`bad settings: ${wrong.join("; ")}`);
  return bounds;
}
