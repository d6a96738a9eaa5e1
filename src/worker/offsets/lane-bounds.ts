import type { Lane } from "../../messages/lane.ts";

/** How much of a lane one process may hold. Intake pauses at a bound and resumes at three quarters of it. */
export interface LaneBounds {
  /** Events in flight, over all partitions. */
  readonly events: number;
  /** Offsets of one partition between its watermark and the last delivered: what a crash makes come again. */
  readonly span: number;
  /** Bytes of the events in flight, over all partitions: of their records, or of what they hold in memory. */
  readonly bytes: number;
}

const MIB = 2 ** 20;

/** Realtime stays small, so that a crash repeats seconds; backfill is wide, so that requests are full. */
export const defaultBounds: Readonly<Record<Lane, LaneBounds>> = {
  realtime: { events: 2_000, span: 1_000, bytes: 64 * MIB },
  backfill: { events: 20_000, span: 10_000, bytes: 256 * MIB },
};

/** Chosen: 200,000 events of a file take 412 requests each time then, and from half on 412 to 417 (bench/RESULTS.md). */
const RESUME_AT = 0.75;

/**
 * Whether there is no room by one quantity: from the moment when it is at its bound until it is at three quarters
 * of that or below.
 * Between the two it stays what it was, so that nothing is paused and resumed at every record. By several quantities there
 * is none when there is none by any of them, each asked with what was true of all.
 */
export function isFull(wasFull: boolean, used: number, bound: number): boolean {
  return used >= bound || (wasFull && used > RESUME_AT * bound);
}
