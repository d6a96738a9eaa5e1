import type { Lane } from "../../messages/lane.ts";
import type { LaneBounds } from "../../worker/offsets/lane-bounds.ts";
import type { PlanConfig, PlanTopicConfig } from "../config/config.ts";
import { runBounds, workerBounds } from "../wiring/lane-settings.ts";

/** What a plan reckons with: the bounds of the process that will do what is planned. */
export interface PlannedBounds {
  /** Events in work at once. */
  readonly window: number;
  readonly cacheBytes: number;
  readonly cacheAgeMs: number;
  readonly memory: PlannedMemory;
}

/** Resident memory at most, MiB. An estimate: nothing of it was seen. */
export interface PlannedMemory {
  /** Of the process beside what follows. */
  readonly base: number;
  /** Of the answers that it may remember. */
  readonly answers: number;
  /** Of the events that it may have in work. */
  readonly events: number;
}

/**
 * Peaks as measured, less what the answers and events of that measurement count for, MiB. Source: bench/RESULTS.md: a run took
 * 186 to 202, with 4 of answers and 3 of events; a worker 500 to 515, with 83 of answers and 30 of events.
 */
const RUN_BASE_MIB = 195;
const WORKER_BASE_MIB = 400;
const MIB = 2 ** 20;
/** Of addresses, and of all else. */
const CACHES = 2;

/** Those of `weir screen FILE`. @throws {ConfigInvalidError} when that would refuse them. */
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

/** Those of one `weir worker` for a topic of `lane`. @throws {ConfigInvalidError} when that would refuse them. */
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
