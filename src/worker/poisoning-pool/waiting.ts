import type { PoisoningEvidence } from "../../events/evidence.ts";
import { type Lane, lanes } from "../../events/lane.ts";
import type { Outcome, Trace } from "../pace/outcome.ts";
import type { Refusals } from "../pace/refusals.ts";
import { DistinctItems } from "./distinct-items.ts";
import type { Part } from "./part.ts";

/** A part that waits for its answer. */
export interface Waiting {
  readonly part: Part;
  lane: Lane;
  /** When it began to wait in this queue, milliseconds from any origin. */
  since: number;
  /** How many askers it stands for: the same question at once is one. */
  asks: number;
  /** Where it waits; undefined while it is on its way. */
  queue?: WaitingQueue | undefined;
  /** How often it, alone, was refused as the key is refused. */
  refusals?: Refusals;
  /** Attempts that were charged to it. */
  attempts: number;
  trace: Trace;
  /** After a refusal: those it may still travel with. Together with others it might make up what was refused. */
  half?: object;
  readonly settle: (outcome: Outcome<PoisoningEvidence>) => void;
  /** For what is no answer of any kind: a bug, an abort, the end of the run. */
  readonly abandon: (reason: unknown) => void;
}

/** One more asks the same. */
export function join(waiting: Waiting): void {
  waiting.asks++;
  if (waiting.queue !== undefined) waiting.queue.asks++;
}

/** While realtime events wait, every so many cuts begin with the backfill. Source: design, "Pacing": 10 %. */
export const BACKFILL_TURN = 10;

/** What waits, first come first, realtime before backfill. */
export class WaitingQueue {
  readonly #lanes: Record<Lane, Waiting[]> = { realtime: [], backfill: [] };
  readonly #items = new DistinctItems();
  #cuts = 0;

  /** Askers that what waits here stands for. */
  asks = 0;

  get size(): number {
    return this.#lanes.realtime.length + this.#lanes.backfill.length;
  }

  /** Items of one request for all of it. */
  get items(): number {
    return this.#items.size;
  }

  push(waiting: Waiting): void {
    waiting.queue = this;
    this.asks += waiting.asks;
    this.#lanes[waiting.lane].push(waiting);
    this.#items.add(waiting.part);
  }

  /** Moves a backfill part to the realtime lane, when it waits here. */
  promote(waiting: Waiting): void {
    if (waiting.lane === "realtime") return;
    const at = this.#lanes.backfill.indexOf(waiting);
    if (at === -1) return;
    this.#lanes.backfill.splice(at, 1);
    waiting.lane = "realtime";
    this.#lanes.realtime.push(waiting);
  }

  /** Since when the first of a lane waits. */
  since(lane: Lane): number | undefined {
    return this.#lanes[lane][0]?.since;
  }

  /** Removes what `take` accepts, in order, until it accepts no more of `patience` in a row. */
  cut(take: (waiting: Waiting) => boolean, patience: number): Waiting[] {
    this.#cuts++;
    const order = this.#cuts % BACKFILL_TURN === 0 ? lanes.toReversed() : lanes;
    const taken = order.flatMap((lane) => this.#sweep(this.#lanes[lane], take, patience));
    for (const waiting of taken) {
      waiting.queue = undefined;
      this.asks -= waiting.asks;
      this.#items.remove(waiting.part);
    }
    return taken;
  }

  drain(): Waiting[] {
    return this.cut(() => true, 1);
  }

  #sweep(queue: Waiting[], take: (waiting: Waiting) => boolean, patience: number): Waiting[] {
    const taken: Waiting[] = [];
    const left: Waiting[] = [];
    let seen = 0;
    let refused = 0;
    for (const waiting of queue) {
      seen++;
      if (take(waiting)) {
        taken.push(waiting);
        refused = 0;
      } else {
        left.push(waiting);
        refused++;
        if (refused >= patience) break;
      }
    }
    queue.splice(0, seen, ...left);
    return taken;
  }
}
