import type { Lane } from "../../messages/lane.ts";
import type { LaneBounds } from "../../worker/offsets/lane-bounds.ts";
import type { PlanConfig, PlanTopicConfig } from "../config/config.ts";
import { runBounds, workerBounds } from "../wiring/lane-settings.ts";

/** The bounds of the process that will run the plan. */
export interface PlannedBounds {
  /** Events in flight at once. */
  readonly window: number;
  readonly cacheBytes: number;
  readonly cacheAgeMs: number;
  readonly memory: PlannedMemory;
}

/** Most resident memory, MiB. It is an estimate and not a measurement. */
export interface PlannedMemory {
  /** Memory of the process beside answers and events. */
  readonly base: number;
  /** Memory of the answer caches. */
  readonly answers: number;
  /** Memory of the events in flight. */
  readonly events: number;
}

/**
 * Measured peaks without the counted answers and events of the measurement, MiB. Source: bench/results/README.md: a run took
 * 186 to 202, with 4 of answers and 3 of events; a worker 500 to 515, with 83 of answers and 30 of events.
 */
const RUN_BASE_MIB = 195;
const WORKER_BASE_MIB = 400;
const MIB = 2 ** 20;
/** Caches of address answers, and of all other answers. */
const CACHES = 2;

/** The bounds of `weir screen FILE`. @throws {ConfigInvalidError} when that command would refuse them. */
export function plannedRun(config: PlanConfig): PlannedBounds {
  const { backfill } = runBounds(config);
  return {
    // A file is one partition.
    window: Math.min(backfill.events, backfill.span),
    cacheBytes: config.ANSWER_CACHE_BYTES,
    cacheAgeMs: config.ANSWER_CACHE_AGE_BACKFILL,
    memory: memoryOf(RUN_BASE_MIB, config.ANSWER_CACHE_BYTES, [backfill]),
  };
}

/**
 * The bounds of one `weir worker` for a topic of `lane`. @throws {ConfigInvalidError} when that command would refuse
 * them.
 */
export function plannedWorker(config: PlanTopicConfig, lane: Lane): PlannedBounds {
  const bounds = workerBounds(config);
  return {
    window: bounds[lane].events,
    cacheBytes: config.ANSWER_CACHE_BYTES,
    cacheAgeMs: lane === "realtime" ? config.ANSWER_CACHE_AGE_CLEAN : config.ANSWER_CACHE_AGE_BACKFILL,
    memory: memoryOf(WORKER_BASE_MIB, config.ANSWER_CACHE_BYTES, [bounds.realtime, bounds.backfill]),
  };
}

function memoryOf(base: number, cacheBytes: number, lanes: readonly LaneBounds[]): PlannedMemory {
  const eventBytes = lanes.reduce((sum, { bytes }) => sum + bytes, 0);
  return { base, answers: Math.ceil((CACHES * cacheBytes) / MIB), events: Math.ceil(eventBytes / MIB) };
}
