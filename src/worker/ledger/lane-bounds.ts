import type { Lane } from "../../events/lane.ts";

/** How much of a lane one process may hold. Intake pauses at a bound and resumes at half of it. */
export interface LaneBounds {
  /** Events in flight, over all partitions. */
  readonly events: number;
  /** Offsets of one partition between its watermark and the last delivered: what a crash makes come again. */
  readonly span: number;
  /** Bytes of the events in flight, over all partitions. */
  readonly bytes: number;
}

const MIB = 2 ** 20;

/** Realtime stays small, so that a crash repeats seconds; backfill is wide, so that requests are full. */
export const defaultBounds: Readonly<Record<Lane, LaneBounds>> = {
  realtime: { events: 2_000, span: 1_000, bytes: 64 * MIB },
  backfill: { events: 20_000, span: 10_000, bytes: 256 * MIB },
};

/** One quantity and the bound it is held to. */
export interface Use {
  readonly used: number;
  readonly bound: number;
}

/**
 * Whether there is no room: from the moment when any quantity is at its bound until all are at half of theirs or
 * below. Between the two it stays what it was, so that nothing is paused and resumed at every record.
 */
export function isFull(wasFull: boolean, uses: readonly Use[]): boolean {
  if (uses.some(({ used, bound }) => used >= bound)) return true;
  return wasFull && uses.some(({ used, bound }) => used > bound / 2);
}
