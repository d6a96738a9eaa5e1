import type { Clock } from "../../kernel/clock.ts";
import { RecentCount } from "../../kernel/collections.ts";
import { isFull, type LaneBounds } from "./lane-bounds.ts";
import type { Behind, OwnedPartition } from "./owned-partition.ts";

/**
 * How much of a lane's room overdue events may fill. Chosen: half, so that a backlog in one partition leaves room for events of
 * other partitions that can still be on time.
 */
const SHARE = 1 / 2;
/**
 * They may fill all of it where they are settled in this part of the time that counts, half a second by default. Chosen: what
 * fills the lane leaves it at once then. With half of it 4,000 events a second were read at most, a fetch each 250 ms.
 */
const AT_ONCE = 1 / 20;
/** Overdue events that are taken in at least: of more it is not known whether they are answered. Chosen. */
const LEAST = 50;
/** Overdue events are to be answered within this part of the deadline. Chosen: what takes longer has time left. */
const ANSWERED_WITHIN = 1 / 3;

/** What the overdue events of a lane hold. */
export interface OverdueLoad {
  readonly events: number;
  readonly bytes: number;
  /** Partitions that hold some, or wait to be read on. */
  readonly partitions: number;
}

type Held = Pick<OwnedPartition, "behind" | "isHeldUp"> & {
  readonly ledger: Pick<OwnedPartition["ledger"], "overdue">;
};

/**
 * How many overdue events are taken in: as many as were settled in a third of the deadline, so that each is answered in that time
 * at any rate of answers. An event that waits for longer is UNKNOWN for the time being, and has two verdicts.
 *
 * On-time events lie behind the overdue ones of their partition. So a backlog is read at the pace of its answers for as long
 * as it is old, and then as fast as there is room. An outage of a minute makes events late for one more minute.
 */
export class OverdueRoom {
  readonly #clock: Pick<Clock, "ticks">;
  readonly #settled: RecentCount;

  /** @param deadlineMs within which a realtime event is to be answered. */
  constructor(clock: Pick<Clock, "ticks">, deadlineMs: number) {
    this.#clock = clock;
    this.#settled = new RecentCount(ANSWERED_WITHIN * deadlineMs);
  }

  /** An overdue event is settled. */
  settled(): void {
    this.#settled.add(this.#clock.ticks());
  }

  /** @param ageMs of a partition's next event, milliseconds; undefined where that can be on time. */
  behind(before: Behind | undefined, ageMs: number | undefined): Behind | undefined {
    return ageMs === undefined ? undefined : (before ?? { since: this.#clock.ticks(), ageMs });
  }

  /**
   * Whether a partition has to wait before it is read on. All overdue events of a lane share one room, and each partition has the
   * same share of it: brokers bring partitions in a fixed order, and the first would keep others waiting.
   */
  isFull({ behind, isHeldUp, ledger }: Held, all: OverdueLoad, bounds: LaneBounds): boolean {
    if (behind === undefined) return false;
    const now = this.#clock.ticks();
    const settled = this.#settled.sum(now);
    const most = Math.min(bounds.events, Math.max(SHARE * bounds.events, AT_ONCE * settled));
    const isTooSlow = now - behind.since >= behind.ageMs;
    const events = isTooSlow ? most : Math.min(most, Math.max(LEAST, settled));
    return (
      isFull(isHeldUp, ledger.overdue, events / Math.max(1, all.partitions)) ||
      isFull(isHeldUp, all.events, events) ||
      isFull(isHeldUp, all.bytes, SHARE * bounds.bytes)
    );
  }
}

/** What the overdue events of these partitions hold, work for lost partitions included. */
export function overdueLoadOf<L extends string>(
  lane: L,
  owned: Iterable<OwnedPartition<L>>,
  lost: Iterable<OwnedPartition<L>>,
): OverdueLoad {
  const load = { events: 0, bytes: 0, partitions: 0 };
  for (const tenures of [owned, lost]) {
    for (const { lane: own, behind, isHeldUp, ledger } of tenures) {
      if (own !== lane) continue;
      load.events += ledger.overdue;
      load.bytes += ledger.overdueBytes;
      // One that is read to its end takes no share of those that are not.
      if (behind !== undefined && (isHeldUp || ledger.overdue > 0)) load.partitions++;
    }
  }
  return load;
}
