import type { Clock } from "../../../kernel/clock.ts";
import type { Lane } from "../../../messages/lane.ts";
import { formatOfPart } from "../batch-entry.ts";
import type { OutgoingBatch } from "../outgoing-batch.ts";
import type { OpenParts } from "../queue/open-parts.ts";
import type { Queues } from "../queue/queues.ts";
import type { Waiting, WaitingQueue } from "../queue/waiting.ts";
import { calibrationPaysFrom } from "./calibrate.ts";
import type { Calibrator } from "./calibrator.ts";

/** Where parts go once it is known whether they may be pooled. */
interface Pool {
  readonly isOff: () => boolean;
  enqueue(queue: WaitingQueue, waiting: Waiting): void;
}

/** Somebody waits for a realtime part: it is held for so long, which is enough for nearly every calibration. */
const REALTIME_MS = 1_000;

/** Who waits for one calibration. */
interface Held {
  readonly parts: Set<Waiting>;
  /** Realtime parts wait for it no longer. */
  isSlow: boolean;
}

/**
 * Parts that wait until it is known whether they may be pooled, where finding that out takes fewer requests than asking
 * each alone. It is weighed when a slot has come, as everything is that goes into a request: then all are there who could
 * share one.
 */
export class CalibratedFirst {
  readonly #clock: Pick<Clock, "sleep">;
  readonly #calibrator: Calibrator;
  readonly #open: OpenParts;
  readonly #queues: Queues;
  readonly #pool: Pool;
  readonly #held = new Map<Promise<boolean>, Held>();

  constructor(clock: Pick<Clock, "sleep">, calibrator: Calibrator, open: OpenParts, queues: Queues, pool: Pool) {
    this.#clock = clock;
    this.#calibrator = calibrator;
    this.#open = open;
    this.#queues = queues;
    this.#pool = pool;
  }

  /** As `Queues.cut`, of what does not have to wait here. */
  cut(lane: Lane): OutgoingBatch | undefined {
    for (;;) {
      const cut = this.#queues.cut(lane);
      // One that shares its request with others of the same users is not asked alone.
      const first = cut?.kind === "alone" && cut.waiting.length === 1 ? cut.waiting[0] : undefined;
      if (first === undefined || !this.#mayWait(first)) return cut;
      const { alone } = this.#queues;
      const isLike = (other: Waiting) => this.#mayWait(other) && isOfOneFormat(other, first);
      const mayPool = this.#calibrator.running(first.part) ?? this.#begun(first, isLike);
      if (mayPool === undefined || !this.#holds(first, mayPool)) return cut;
      const others = alone.takeOut((other) => isLike(other) && this.#holds(other, mayPool));
      for (const each of [first, ...others]) this.hold(each, mayPool);
    }
  }

  /** Has a part wait for a calibration that is under way, or go alone when that takes too long for it. */
  hold(waiting: Waiting, mayPool: Promise<boolean>): void {
    if (!this.#holds(waiting, mayPool)) this.#pool.enqueue(this.#queues.alone, waiting);
    else this.#heldBy(mayPool, waiting).parts.add(waiting);
  }

  /** One more asks for it, who may not be able to wait. */
  joined(waiting: Waiting): void {
    if (waiting.lane === "backfill") return;
    for (const { parts, isSlow } of this.#held.values())
      if (isSlow && parts.delete(waiting)) this.#pool.enqueue(this.#queues.alone, waiting);
  }

  /** Nobody asks for it any more. */
  withdraw(waiting: Waiting): void {
    for (const { parts } of this.#held.values()) if (parts.delete(waiting)) this.#open.forget(waiting);
  }

  /** A calibration, when it pays by now. */
  #begun(first: Waiting, isLike: (other: Waiting) => boolean): Promise<boolean> | undefined {
    const { part } = first;
    const { alone } = this.#queues;
    const isUnasked = (each: Waiting) => !this.#calibrator.wasAskedAlone(each.part);
    // How many more there are than it takes makes no difference.
    const most = calibrationPaysFrom(part.chain.family, formatOfPart(part));
    const others = alone.count((other) => isLike(other) && isUnasked(other), most);
    if (this.#calibrator.isDue(part, others + (isUnasked(first) ? 1 : 0))) return this.#calibrator.calibrate(part);
    if (alone.count(isLike, 1) > 0) this.#calibrator.askedAlone(part);
    return undefined;
  }

  #heldBy(mayPool: Promise<boolean>, first: Waiting): Held {
    const known = this.#held.get(mayPool);
    if (known !== undefined) return known;
    const held: Held = { parts: new Set(), isSlow: false };
    this.#held.set(mayPool, held);
    const isOver = new AbortController();
    this.#clock.sleep(REALTIME_MS, isOver.signal).then(
      () => this.#slow(held),
      () => undefined,
    );
    mayPool
      .finally(() => {
        this.#held.delete(mayPool);
        isOver.abort();
      })
      .then(
        (may) => this.#known(held, first, may && !this.#pool.isOff()),
        (reason: unknown) => {
          for (const each of held.parts) this.#open.abandon(each, reason);
        },
      );
    return held;
  }

  #slow(held: Held): void {
    held.isSlow = true;
    for (const each of [...held.parts]) this.joined(each);
  }

  /** Those go with them who were to be asked alone since they were in no queue that was looked at, or could not wait. */
  #known({ parts }: Held, first: Waiting, mayPool: boolean): void {
    const { pooled, alone } = this.#queues;
    const others = mayPool ? alone.takeOut((other) => this.#isFresh(other) && isOfOneFormat(other, first)) : [];
    for (const each of [...parts, ...others]) this.#pool.enqueue(mayPool ? pooled : alone, each);
  }

  #holds({ lane }: Waiting, mayPool: Promise<boolean>): boolean {
    return lane === "backfill" || this.#held.get(mayPool)?.isSlow !== true;
  }

  #mayWait(waiting: Waiting): boolean {
    return this.#isFresh(waiting) && !this.#pool.isOff() && this.#calibrator.isUnknownFor(waiting.part);
  }

  /** What failed alone, or was refused, is not pooled: it may be what fails the others. */
  #isFresh(waiting: Waiting): boolean {
    return waiting.attempts === 0 && waiting.half === undefined && !this.#open.wasRefused(waiting);
  }
}

function isOfOneFormat(one: Waiting, other: Waiting): boolean {
  return formatOfPart(one.part) === formatOfPart(other.part);
}
