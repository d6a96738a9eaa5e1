import { type CacheAges, defaultAges } from "../../../worker/answers/answer-cache.ts";
import { age, count, MINUTE_MS } from "./fields.ts";

const MIB = 2 ** 20;

/** Cache size of a worker: answers to the last half a million questions about addresses. */
const WORKER_BYTES = 256 * MIB;
/**
 * Cache size of a run over a file. A larger cache would only help a file that repeats its questions at long distances.
 */
const RUN_BYTES = 4 * MIB;

/**
 * How long an answer to one event is used for other events. A cached clean answer leads to ALLOW until it expires,
 * whatever was discovered since. So an operator may shorten this age, but hardly extend it.
 */
const ages = {
  ANSWER_CACHE_AGE_CLEAN: age(defaultAges.clean, 10 * MINUTE_MS).describe(
    "Age up to which cached answers without a flagged address, and all cached answers about tokens and classes, are used for other realtime events. 0 turns this cache off. At most 10min; until then Weir may allow an address that the service has flagged meanwhile.",
  ),
  ANSWER_CACHE_AGE_FLAGGED: age(defaultAges.raised, 1_440 * MINUTE_MS).describe(
    "Age up to which cached answers that flag an address are used for other realtime events. 0 turns this cache off. At most 1440min; until then Weir does not allow an address that the service has cleared meanwhile.",
  ),
  ANSWER_CACHE_AGE_BACKFILL: age(defaultAges.backfill, defaultAges.backfill).describe(
    "Age up to which any cached answer is used for other backfill events. 0 turns this cache off. At most 1440min; until then Weir may allow an address that the service has flagged meanwhile.",
  ),
};

const bytes = (fallback: number) =>
  count(fallback).describe(
    "Memory limit of each of the two answer caches (batched poisoning answers; all other answers), in bytes. The oldest answers are removed first.",
  );

export const WorkerCacheEnv = { ...ages, ANSWER_CACHE_BYTES: bytes(WORKER_BYTES) };
export const RunCacheEnv = { ...ages, ANSWER_CACHE_BYTES: bytes(RUN_BYTES) };

export function cacheAges(
  config: Readonly<Record<"ANSWER_CACHE_AGE_CLEAN" | "ANSWER_CACHE_AGE_FLAGGED" | "ANSWER_CACHE_AGE_BACKFILL", number>>,
): CacheAges {
  return {
    clean: config.ANSWER_CACHE_AGE_CLEAN,
    raised: config.ANSWER_CACHE_AGE_FLAGGED,
    backfill: config.ANSWER_CACHE_AGE_BACKFILL,
  };
}
