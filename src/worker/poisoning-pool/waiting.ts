import type { PoisoningEvidence } from "../../events/evidence.ts";
import { type Lane, lanes } from "../../events/lane.ts";
import { FairLine } from "../pace/fair-line.ts";
import type { WeightOf } from "../pace/line.ts";
import { type Told, type Trace, UNASKED } from "../pace/outcome.ts";
import type { Refusals } from "../pace/refusals.ts";
import { type Claim, joinTurn, type Turn } from "../pace/turn.ts";
import { Companions } from "./companions.ts";
import { DistinctItems } from "./distinct-items.ts";
import type { Part } from "./part.ts";

/** A part that waits for its answer, and for whom. */
export interface Waiting extends Turn {
  readonly part: Part;
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
  readonly first: Told<PoisoningEvidence>;
  /** Whoever asked the same since, as they came: nearly always there is nobody. */
  others?: Told<PoisoningEvidence>[];
}

/** What was asked just now. All that each in flight holds is made at once: a thousand of them are to be collected, too. */
export function waitingFor(part: Part, { lane, tenant }: Claim, first: Told<PoisoningEvidence>): Waiting {
  return { lane, tenants: [tenant], part, since: 0, asks: 1, queue: undefined, attempts: 0, trace: UNASKED, first };
}

/** One more asks the same: what waits for somebody in realtime does so from now on, wherever it is. */
export function join(waiting: Waiting, claim: Claim): void {
  if (waiting.queue !== undefined) waiting.queue.join(waiting, claim);
  else joinTurn(waiting, claim);
  waiting.asks++;
}

/** What waits, a lane at a time; within a lane tenants by weight, and the parts of one as they came. */
export class WaitingQueue {
  readonly #weightOf: WeightOf;
  readonly #lanes: Readonly<Record<Lane, FairLine<string, Waiting>>>;
  readonly #items = new DistinctItems();
  readonly #companions = new Companions<Waiting>();

  /** Askers that what waits here stands for. */
  asks = 0;

  constructor(weightOf: WeightOf) {
    this.#weightOf = weightOf;
    const line = () => new FairLine<string, Waiting>(weightOf, ({ part }) => itemsIn(part));
    this.#lanes = { realtime: line(), backfill: line() };
  }

  get size(): number {
    return this.#lanes.realtime.size + this.#lanes.backfill.size;
  }

  /** Items of one request for all of it. */
  get items(): number {
    return this.#items.size;
  }

  push(waiting: Waiting): void {
    waiting.queue = this;
    this.asks += waiting.asks;
    for (const tenant of waiting.tenants) this.#lanes[waiting.lane].push(tenant, waiting);
    this.#items.add(waiting.part);
    this.#companions.add(waiting);
  }

  /** One more asks for what waits here. */
  join(waiting: Waiting, claim: Claim): void {
    const before = waiting.lane;
    joinTurn(waiting, claim);
    this.asks++;
    if (waiting.lane !== before) this.#lanes[before].remove(waiting);
    for (const tenant of waiting.tenants) this.#lanes[waiting.lane].push(tenant, waiting);
  }

  /** Since when the first of a lane waits. */
  since(lane: Lane): number | undefined {
    return this.#lanes[lane].first?.since;
  }

  /** What the tenants weigh together that wait in a lane. */
  waits(lane: Lane): number {
    let weight = 0;
    for (const tenant of this.#lanes[lane].keys) weight += this.#weightOf(tenant);
    return weight;
  }

  /** Takes out what `take` accepts, each with those of its lane that have the same users; the lane `first` before the other, in each until it accepts no more of `patience` in a row. */
  cut(first: Lane, take: (waiting: Waiting) => boolean, patience: number): Waiting[] {
    const order = first === "realtime" ? lanes : lanes.toReversed();
    return order.flatMap((lane) => this.#sweep(this.#lanes[lane], take, patience));
  }

  drain(): Waiting[] {
    return this.cut("realtime", () => true, 1);
  }

  #sweep(line: FairLine<string, Waiting>, take: (waiting: Waiting) => boolean, patience: number): Waiting[] {
    const taken: Waiting[] = [];
    let refused = 0;
    const tookIn = (waiting: Waiting) => {
      if (!take(waiting)) return false;
      line.take(waiting);
      this.#left(waiting);
      taken.push(waiting);
      return true;
    };
    for (const waiting of line.inOrder()) {
      const { lane } = waiting;
      if (tookIn(waiting)) {
        refused = 0;
        for (const other of this.#companions.of(waiting)) if (other.lane === lane && !tookIn(other)) break;
      } else if (++refused >= patience) break;
    }
    return taken;
  }

  #left(waiting: Waiting): void {
    waiting.queue = undefined;
    this.asks -= waiting.asks;
    this.#items.remove(waiting.part);
    this.#companions.remove(waiting);
  }
}

/** What a part takes of a request at most. */
function itemsIn({ users, token }: Part): number {
  return users.length + (token === undefined ? 1 : 2);
}
