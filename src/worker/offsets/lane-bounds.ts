import type { Lane } from "../../messages/lane.ts";

/**
 * Limits of a lane in one process. The offset tracker pauses partitions at a limit, and resumes them at three quarters
 * of it.
 */
export interface LaneBounds {
  /** Events in flight, over all partitions. */
  readonly events: number;
  /**
   * Offsets of one partition between its watermark and the last delivered offset. A crash redelivers at most this many
   * records.
   */
  readonly span: number;
  /** Bytes of the events in flight, over all partitions: of their records, or of their memory. */
  readonly bytes: number;
}

const MIB = 2 ** 20;

/** Realtime is small, so that a crash repeats seconds of work. Backfill is large, so that batch requests are full. */
export const defaultBounds: Readonly<Record<Lane, LaneBounds>> = {
  realtime: { events: 2_000, span: 1_000, bytes: 64 * MIB },
  backfill: { events: 20_000, span: 10_000, bytes: 256 * MIB },
};

/**
 * Chosen: with 0.75, a file of 200,000 events takes 412 requests in every run. With 0.5 it takes 412 to 417
 * (bench/results/README.md).
 */
const RESUME_AT = 0.75;

/**
 * Whether a quantity leaves no room. A full quantity has reached its limit, and has not yet fallen to three quarters of
 * it. In between, the result stays the same, so that partitions are not paused and resumed at every record. A lane is
 * full if any of its quantities is full. `wasFull` is the earlier state of the whole lane.
 */
export function isFull(wasFull: boolean, used: number, bound: number): boolean {
  return used >= bound || (wasFull && used > RESUME_AT * bound);
}
