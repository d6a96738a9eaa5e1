import type { Lane } from "../../events/lane.ts";
import { calibrationPaysFrom } from "./calibrate.ts";
import type { Calibrator } from "./calibrator.ts";
import type { Cut } from "./cut.ts";
import type { OpenParts } from "./open-parts.ts";
import { formatOfPart } from "./part.ts";
import type { Queues } from "./queues.ts";
import type { Waiting, WaitingQueue } from "./waiting.ts";

/** Where parts go once it is known whether they may be pooled. */
interface Pool {
  readonly isOff: () => boolean;
  enqueue(queue: WaitingQueue, waiting: Waiting): void;
}

/**
 * Parts that wait until it is known whether they may be pooled, where finding that out takes fewer requests than asking
 * each alone. It is weighed when a slot has come, as everything is that goes into a request: then all are there who could
 * share one.
 */
export class CalibratedFirst {
  readonly #calibrator: Calibrator;
  readonly #open: OpenParts;
  readonly #queues: Queues;
  readonly #pool: Pool;
  /** By the calibration that they wait for. */
  readonly #held = new Map<Promise<boolean>, Set<Waiting>>();

  constructor(calibrator: Calibrator, open: OpenParts, queues: Queues, pool: Pool) {
    this.#calibrator = calibrator;
    this.#open = open;
    this.#queues = queues;
    this.#pool = pool;
  }

  /** As `Queues.cut`, of what does not have to wait here. */
  cut(lane: Lane): Cut | undefined {
    for (;;) {
      const cut = this.#queues.cut(lane);
      // One that shares its request with others of the same users is not asked alone.
      const first = cut?.kind === "alone" && cut.waiting.length === 1 ? cut.waiting[0] : undefined;
      if (first === undefined || !this.#mayWait(first)) return cut;
      const { part } = first;
      const { alone } = this.#queues;
      const format = formatOfPart(part);
      const isLike = (other: Waiting) => this.#mayWait(other) && formatOfPart(other.part) === format;
      // How many more there are than it takes makes no difference.
      const others = alone.count(isLike, calibrationPaysFrom(part.chain.family, format));
      if (!this.#calibrator.isDue(part, 1 + others)) {
        if (others > 0) this.#calibrator.askedAlone(part);
        return cut;
      }
      const waiting = [first, ...alone.takeOut(isLike)];
      const mayPool = this.#calibrator.calibrate(part);
      for (const each of waiting) this.hold(each, mayPool);
    }
  }

  /** Has a part wait for a calibration that is under way. */
  hold(waiting: Waiting, mayPool: Promise<boolean>): void {
    const others = this.#held.get(mayPool);
    if (others !== undefined) {
      others.add(waiting);
      return;
    }
    const held = new Set([waiting]);
    this.#held.set(mayPool, held);
    const { pooled, alone } = this.#queues;
    mayPool
      .finally(() => this.#held.delete(mayPool))
      .then(
        (may) => {
          for (const each of held) this.#pool.enqueue(may && !this.#pool.isOff() ? pooled : alone, each);
        },
        (reason: unknown) => {
          for (const each of held) this.#open.abandon(each, reason);
        },
      );
  }

  /** Nobody asks for it any more. */
  withdraw(waiting: Waiting): void {
    for (const held of this.#held.values()) if (held.delete(waiting)) this.#open.forget(waiting);
  }

  /** What failed alone, or was refused in company, is not pooled: it may be what fails the others. */
  #mayWait({ part, attempts, half }: Waiting): boolean {
    return attempts === 0 && half === undefined && !this.#pool.isOff() && this.#calibrator.isOpenFor(part);
  }
}
