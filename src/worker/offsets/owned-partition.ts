import type { TopicPartition } from "../../kernel/stream.ts";
import type { Lane } from "../../messages/lane.ts";
import type { PartitionLedger } from "./partition-ledger.ts";

/** A partition of which the next event is overdue. */
export interface Behind {
  /** When that was first seen, milliseconds of `ticks`. */
  readonly since: number;
  /** How old that event was, milliseconds. */
  readonly ageMs: number;
}

/** One partition from when it was gained until it was lost, over all joins that left it here. */
export interface OwnedPartition<L extends string = Lane> extends TopicPartition {
  readonly lane: L;
  readonly ledger: PartitionLedger;
  /** Epoch in which it began. */
  readonly since: number;
  /** Latest epoch that it went on in. */
  epoch: number;
  /** Committed, as far as is known. */
  confirmed: number;
  /** `changes` of the ledger that are committed, as far as is known; and those that were offered, with their watermark. */
  confirmedChanges: number;
  offered: { readonly watermark: number; readonly changes: number } | undefined;
  isTooWide: boolean;
  /** Set while what comes next of it is past its deadline, as far as is known; and whether it waits for room for that. */
  behind: Behind | undefined;
  isHeldUp: boolean;
  /** Whether its next records wait for a schema. */
  isHeld: boolean;
  /** Whether its log is not there any more: then its work is no other process's either. */
  isGone: boolean;
  /** What the consumer was last told; undefined after a join, since consumers may keep a pause through it or not. */
  isPaused: boolean | undefined;
}
