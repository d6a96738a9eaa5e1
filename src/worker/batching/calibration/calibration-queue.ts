import type { Clock } from "../../../kernel/clock.ts";
import type { Lane } from "../../../messages/lane.ts";
import type { BatchCutter } from "../batch-cutter.ts";
import { formatOfPart } from "../batch-entry.ts";
import type { OutgoingBatch } from "../outgoing-batch.ts";
import type { EntryQueue, QueuedEntry } from "../queue/entry-queue.ts";
import type { OpenEntries } from "../queue/open-entries.ts";
import { calibrationPaysFrom } from "./calibration-rules.ts";
import type { Calibrator } from "./calibrator.ts";

/** The queues of the batcher, which take an entry once it is decided whether the entry may be batched. */
interface Pool {
  readonly isOff: () => boolean;
  enqueue(queue: EntryQueue, waiting: QueuedEntry): void;
}

/** A realtime entry waits this long for a calibration, milliseconds. Nearly every calibration ends sooner. */
const REALTIME_MS = 1_000;

/** The entries that wait for one calibration. */
interface Held {
  readonly parts: Set<QueuedEntry>;
  /** Whether the calibration takes too long for realtime entries. */
  isSlow: boolean;
}

/**
 * Holds entries back while a calibration runs, if the calibration costs fewer requests than one request per entry. The
 * decision is made when a permit is granted, because all entries that could share a request are known then.
 */
export class CalibrationQueue {
  readonly #clock: Pick<Clock, "sleep">;
  readonly #calibrator: Calibrator;
  readonly #open: OpenEntries;
  readonly #queues: BatchCutter;
  readonly #pool: Pool;
  readonly #held = new Map<Promise<boolean>, Held>();

  constructor(clock: Pick<Clock, "sleep">, calibrator: Calibrator, open: OpenEntries, queues: BatchCutter, pool: Pool) {
    this.#clock = clock;
    this.#calibrator = calibrator;
    this.#open = open;
    this.#queues = queues;
    this.#pool = pool;
  }

  /** As `BatchQueues.cut`, but without the entries that have to wait for a calibration. */
  cut(lane: Lane): OutgoingBatch | undefined {
    for (;;) {
      const cut = this.#queues.cut(lane);
      // An entry that shares its request with other entries of the same users does not need a calibration.
      const first = cut?.kind === "alone" && cut.waiting.length === 1 ? cut.waiting[0] : undefined;
      if (first === undefined || !this.#mayWait(first)) return cut;
      const { alone } = this.#queues;
      const isLike = (other: QueuedEntry) => this.#mayWait(other) && isOfOneFormat(other, first);
      const mayPool = this.#calibrator.running(first.part) ?? this.#begun(first, isLike);
      if (mayPool === undefined || !this.#holds(first, mayPool)) return cut;
      const others = alone.takeOut((other) => isLike(other) && this.#holds(other, mayPool));
      for (const each of [first, ...others]) this.hold(each, mayPool);
    }
  }

  /**
   * Holds an entry until a running calibration ends. If that takes too long for the entry, the entry is queued alone.
   */
  hold(waiting: QueuedEntry, mayPool: Promise<boolean>): void {
    if (!this.#holds(waiting, mayPool)) this.#pool.enqueue(this.#queues.alone, waiting);
    else this.#heldBy(mayPool, waiting).parts.add(waiting);
  }

  /**
   * Another request joined the entry. If that request is realtime and the calibration is slow, the entry stops waiting.
   */
  joined(waiting: QueuedEntry): void {
    if (waiting.lane === "backfill") return;
    for (const { parts, isSlow } of this.#held.values())
      if (isSlow && parts.delete(waiting)) this.#pool.enqueue(this.#queues.alone, waiting);
  }

  /** Removes an entry that no event needs any more. */
  withdraw(waiting: QueuedEntry): void {
    for (const { parts } of this.#held.values()) if (parts.delete(waiting)) this.#open.forget(waiting);
  }

  /** Starts a calibration if it pays now. */
  #begun(first: QueuedEntry, isLike: (other: QueuedEntry) => boolean): Promise<boolean> | undefined {
    const { part } = first;
    const { alone } = this.#queues;
    const isUnasked = (each: QueuedEntry) => !this.#calibrator.wasAskedAlone(each.part);
    // The count stops at the number that justifies a calibration.
    const most = calibrationPaysFrom(part.chain.family, formatOfPart(part));
    const others = alone.count((other) => isLike(other) && isUnasked(other), most);
    if (this.#calibrator.isDue(part, others + (isUnasked(first) ? 1 : 0))) return this.#calibrator.calibrate(part);
    if (alone.count(isLike, 1) > 0) this.#calibrator.askedAlone(part);
    return undefined;
  }

  #heldBy(mayPool: Promise<boolean>, first: QueuedEntry): Held {
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

  /** Other entries of the format, which were queued to be sent alone, are batched with the held entries. */
  #known({ parts }: Held, first: QueuedEntry, mayPool: boolean): void {
    const { pooled, alone } = this.#queues;
    const others = mayPool ? alone.takeOut((other) => this.#isFresh(other) && isOfOneFormat(other, first)) : [];
    for (const each of [...parts, ...others]) this.#pool.enqueue(mayPool ? pooled : alone, each);
  }

  #holds({ lane }: QueuedEntry, mayPool: Promise<boolean>): boolean {
    return lane === "backfill" || this.#held.get(mayPool)?.isSlow !== true;
  }

  #mayWait(waiting: QueuedEntry): boolean {
    return this.#isFresh(waiting) && !this.#pool.isOff() && this.#calibrator.isUnknownFor(waiting.part);
  }

  /** An entry that failed or was refused alone is not batched. It may be the cause of a failing batch. */
  #isFresh(waiting: QueuedEntry): boolean {
    return waiting.attempts === 0 && waiting.half === undefined && !this.#open.wasRefused(waiting);
  }
}

function isOfOneFormat(one: QueuedEntry, other: QueuedEntry): boolean {
  return formatOfPart(one.part) === formatOfPart(other.part);
}
