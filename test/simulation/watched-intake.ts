import type { LaneBounds } from "../../src/worker/offsets/lane-bounds.ts";
import { type Admitted, type Delivery, OffsetTracker } from "../../src/worker/offsets/offset-tracker.ts";
import type { Watch } from "./watch.ts";

export interface IntakeHooks {
  /** The line of the file at an offset. Offsets count the lines in the order of reading. */
  readonly lineAt: (offset: number) => number;
  readonly isDurable: (line: number) => boolean;
  readonly isEnding: () => boolean;
  readonly onAdmitted: (line: number) => void;
}

/** An offset tracker that is checked at each step against a plain model, and against the durable results. */
export class WatchedIntake extends OffsetTracker {
  readonly #watch: Watch;
  readonly #bounds: LaneBounds;
  readonly #lineAt: (offset: number) => number;
  readonly #isDurable: (line: number) => boolean;
  readonly #isEnding: () => boolean;
  readonly #onAdmitted: (line: number) => void;
  readonly #open = new Map<number, number>();
  #last = -1;

  constructor(bounds: LaneBounds, watch: Watch, { lineAt, isDurable, isEnding, onAdmitted }: IntakeHooks) {
    super({ realtime: bounds, backfill: bounds });
    this.#watch = watch;
    this.#bounds = bounds;
    this.#lineAt = lineAt;
    this.#isDurable = isDurable;
    this.#isEnding = isEnding;
    this.#onAdmitted = onAdmitted;
  }

  override admit(delivery: Delivery): ReturnType<OffsetTracker["admit"]> {
    const before = [...this.#open.values()].reduce((sum, bytes) => sum + bytes, 0);
    if (before >= this.#bounds.bytes) this.#watch.fault(`line ${delivery.offset} is read beyond the bound of bytes`);
    this.#open.set(delivery.offset, delivery.bytes);
    this.#last = delivery.offset;
    if (this.#open.size > this.#bounds.events) this.#watch.fault(`${this.#open.size} events are in flight`);
    this.#onAdmitted(this.#lineAt(delivery.offset));
    const admission = super.admit(delivery);
    if (admission !== "new") this.#watch.fault(`line ${delivery.offset} is taken for ${admission} when it comes first`);
    return admission;
  }

  override settle(record: Admitted): boolean {
    this.#open.delete(record.offset);
    // A run that ends with a failure commits nothing.
    const line = this.#lineAt(record.offset);
    if (!this.#isDurable(line) && !this.#isEnding())
      this.#watch.fault(`line ${line} is settled, and neither its verdict nor a ticket is durable`);
    const counts = super.settle(record);
    const watermark = this.commits()[0]?.offset ?? 0;
    const firstOpen = this.#open.keys().next().value;
    if (firstOpen !== undefined && watermark > firstOpen)
      this.#watch.fault(`line ${firstOpen} is open, and ${watermark} would be committed`);
    if (firstOpen === undefined && watermark !== this.#last + 1)
      this.#watch.fault(`all is settled up to ${this.#last}, and ${watermark} would be committed`);
    return counts;
  }
}
