import { type Lane, lanes } from "../../events/lane.ts";
import type { Passage } from "./breaker.ts";
import { FairLine } from "./fair-line.ts";
import { Places } from "./keep-place.ts";
import { type Claim, type Company, demoteTurn, isCompany, joinTurn, type Turn } from "./turn.ts";

/** While realtime events wait, every so many slots are the backfill's. Source: design, "Pacing": 10 %. */
export const BACKFILL_TURN = 10;

/** How many times the share of another tenant one has while both wait; more than 0. */
export type WeightOf = (tenant: string) => number;

/** Who waits for a slot, and what begins when it comes. */
export interface Seat {
  readonly asker: Turn | Company;
  readonly begin: (lane: Lane, passage: Passage) => Promise<void>;
  /** No slot will come. */
  readonly fail: (reason: unknown) => void;
}

/**
 * Everyone who waits for a slot. Whose it is is decided when it comes: realtime's, but for every tenth while the backfill
 * waits as well; within a lane tenants have their shares by weight, whatever kind of request they wait for. A company
 * counts as all tenants for whom it waits.
 */
export class Line {
  readonly #lanes: Readonly<Record<Lane, FairLine<string | Company, Seat>>>;
  readonly #turns = new Map<Turn, Seat>();
  readonly #companies = new Map<Company, Seat>();
  /** Slots since the backfill had one, while both lanes waited. */
  #contested = 0;
  /** Who had which probe since the last slot that was none. */
  readonly #probed: Readonly<Record<Lane, Map<string | Company, number>>> = {
    realtime: new Map(),
    backfill: new Map(),
  };
  #probes = 0;

  constructor(weightOf: WeightOf) {
    const places = new Places();
    const line = (lane: Lane) =>
      new FairLine<string | Company, Seat>(
        (key) => (typeof key === "string" ? weightOf(key) : key.waits(lane)),
        () => 1,
        ({ asker }) => (isCompany(asker) ? [asker] : asker.tenants),
        // A company stands by itself.
        ({ asker }) => (isCompany(asker) ? 0 : places.of(asker)),
      );
    this.#lanes = { realtime: line("realtime"), backfill: line("backfill") };
  }

  get size(): number {
    return this.#turns.size + this.#companies.size;
  }

  /** How many wait in a lane; a company, in each in which it waits for somebody. */
  waits(lane: Lane): number {
    this.#placeCompanies();
    return this.#lanes[lane].size;
  }

  /** @param seat of an asker who has none. */
  add(seat: Seat): void {
    const { asker } = seat;
    if (isCompany(asker)) {
      this.#companies.set(asker, seat);
      return;
    }
    this.#turns.set(asker, seat);
    this.#lanes[asker.lane].push(seat);
  }

  /** One more wants what `turn` asks for, whether or not that waits here at the moment. */
  join(turn: Turn, claim: Claim): void {
    const before = turn.lane;
    joinTurn(turn, claim);
    const seat = this.#turns.get(turn);
    if (seat === undefined) return;
    if (turn.lane !== before) this.#lanes[before].remove(seat);
    this.#lanes[turn.lane].push(seat);
  }

  /** Takes out a turn that nothing waits for any more. @returns its seat; undefined when it is not in line. */
  withdraw(turn: Turn): Seat | undefined {
    const seat = this.#turns.get(turn);
    if (seat !== undefined) this.#leave(seat);
    return seat;
  }

  /** Only the backfill wants what `turn` asks for, whether or not that waits here at the moment. */
  demote(turn: Turn): void {
    const seat = this.#turns.get(turn);
    if (seat !== undefined) this.#lanes[turn.lane].remove(seat);
    demoteTurn(turn);
    if (seat !== undefined) this.#lanes.backfill.push(seat);
  }

  /**
   * Takes out whose slot this is, and says for which lane; undefined when nobody waits.
   *
   * @param mayBackfill whether it may be the backfill's.
   * @param answeredAt when an answer to what leaves now is expected, milliseconds of `ticks`.
   */
  next(mayBackfill = true, answeredAt = 0): { readonly seat: Seat; readonly lane: Lane } | undefined {
    for (const lane of lanes) this.#probed[lane].clear();
    this.#placeCompanies();
    // What is late leaves the lane first: the lane may have nothing else.
    const realtimeSeat = this.#firstIn("realtime", answeredAt);
    const { realtime, backfill } = this.#lanes;
    if (!mayBackfill && realtime.size === 0) return undefined;
    const areBoth = mayBackfill && realtime.size > 0 && backfill.size > 0;
    const isBackfills = areBoth ? ++this.#contested >= BACKFILL_TURN : realtime.size === 0;
    const lane = isBackfills ? "backfill" : "realtime";
    if (isBackfills) this.#contested = 0;
    const seat = isBackfills ? this.#firstIn("backfill", answeredAt) : realtimeSeat;
    // A company whose work has gone may have what nobody else wants: it finds that there is nothing to send.
    if (seat === undefined) return this.any();
    this.#lanes[lane].take(seat);
    this.#leave(seat);
    return { seat, lane };
  }

  /**
   * Takes out whose probe this is: of the tenants and companies of both lanes whoever had none for longest, whatever they
   * weigh. Probes are few, and one operation may be down while others answer: what is asked by one must not have them all.
   */
  probe(): { readonly seat: Seat; readonly lane: Lane } | undefined {
    this.#placeCompanies();
    let first: { readonly lane: Lane; readonly key: string | Company; readonly had: number } | undefined;
    for (const lane of lanes) {
      for (const key of this.#lanes[lane].keys) {
        const had = this.#probed[lane].get(key) ?? 0;
        if (first === undefined || had < first.had) first = { lane, key, had };
      }
    }
    const seat = first && this.#lanes[first.lane].firstOf(first.key);
    if (first === undefined || seat === undefined) return this.any();
    this.#probed[first.lane].set(first.key, ++this.#probes);
    this.#leave(seat);
    return { seat, lane: first.lane };
  }

  /** Takes anyone out, who pays for no slot. */
  any(): { readonly seat: Seat; readonly lane: Lane } | undefined {
    const [seat = this.#companies.values().next().value] = this.#turns.values();
    if (seat === undefined) return undefined;
    this.#leave(seat);
    return { seat, lane: isCompany(seat.asker) ? "backfill" : seat.asker.lane };
  }

  /**
   * The first of a lane. What is first in realtime and cannot be answered in time any more moves to the backfill: otherwise more
   * requests than slots would keep the first so old that each is answered just after its deadline, and nothing is in time.
   */
  #firstIn(lane: Lane, answeredAt: number): Seat | undefined {
    for (;;) {
      const look = this.#lanes[lane].inOrder();
      const first = look.next();
      const seat = (lane === "realtime" && this.#olderThan(first, look.next())) || first;
      if (lane === "backfill" || seat === undefined || !isLate(seat, answeredAt)) return seat;
      if (!isCompany(seat.asker)) this.demote(seat.asker);
    }
  }

  /**
   * The next request in the order, if a company that is first yields to it: it is older than all that the company waits for,
   * and of each tenant that the company waits for. Without that a company of one question takes every other slot, though it could
   * carry all questions that come until the older requests have left.
   */
  #olderThan(first: Seat | undefined, next: Seat | undefined): Seat | undefined {
    if (first === undefined || next === undefined || !isCompany(first.asker) || isCompany(next.asker)) return undefined;
    const oldest = first.asker.oldest?.("realtime");
    const { since, tenants } = next.asker;
    if (oldest === undefined || since === undefined || since >= oldest.since) return undefined;
    for (const tenant of oldest.tenants) if (!tenants.includes(tenant)) return undefined;
    return next;
  }

  #leave(seat: Seat): void {
    if (isCompany(seat.asker)) this.#companies.delete(seat.asker);
    else this.#turns.delete(seat.asker);
    for (const lane of lanes) this.#lanes[lane].remove(seat);
  }

  /** What companies wait for changes while they wait. */
  #placeCompanies(): void {
    for (const [company, seat] of this.#companies) {
      for (const lane of lanes) {
        if (company.waits(lane) > 0) this.#lanes[lane].push(seat);
        else this.#lanes[lane].remove(seat);
      }
    }
  }
}

function isLate({ asker }: Seat, answeredAt: number): boolean {
  return !isCompany(asker) && asker.deadlineAt !== undefined && asker.deadlineAt < answeredAt;
}
