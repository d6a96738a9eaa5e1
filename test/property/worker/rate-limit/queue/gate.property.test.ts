import fc from "fast-check";
import { expect, test } from "vitest";
import { type Lane, lanes } from "../../../../../src/messages/lane.ts";
import { RateLimitedError } from "../../../../../src/worker/answers/service-errors.ts";
import { waiterOf } from "../../../../../src/worker/rate-limit/queue/waiter.ts";
import { openGate } from "../../../../fakes/open-gate.ts";
import { ManualSlots } from "../../../../fakes/slots.ts";
import { settled, VirtualClock } from "../../../../fakes/virtual-clock.ts";
import { propertyRuns } from "../../../../support/property-runs.ts";

const tenants = ["a", "b"] as const;
/** Powers of two, so that sums are exact in any order. */
const weights: Record<string, number> = { a: 1, b: 2 };
const weightOf = (tenant: string) => weights[tenant] ?? 1;

interface Asking {
  readonly number: number;
  readonly lane: Lane;
  readonly tenant: string;
}

type Step =
  | { readonly kind: "asks"; readonly lane: Lane; readonly tenant: string }
  | { readonly kind: "slot" }
  | { readonly kind: "answered"; readonly which: number; readonly pauseMs: number | undefined }
  | { readonly kind: "passes"; readonly ms: number }
  | { readonly kind: "held"; readonly isHeld: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("asks" as const),
      lane: fc.constantFrom(...lanes),
      tenant: fc.constantFrom(...tenants),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ kind: "slot" as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("answered" as const),
      which: fc.nat(7),
      pauseMs: fc.constantFrom(undefined, 50, 200),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("passes" as const), ms: fc.constantFrom(1, 50, 199) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("held" as const), isHeld: fc.boolean() }) },
);

interface Standing extends Asking {
  readonly place: number;
  readonly refusals: number;
}

/**
 * The tenants of one lane. The tenant with the least service by weight is next. Among equals, the one that has waited
 * without a break for longer comes first.
 */
class Shares {
  readonly #served = new Map<string, number>();
  readonly #since = new Map<string, number>();
  #at = 0;
  #turns = 0;

  comes(tenant: string, isThere: boolean): void {
    if (isThere) return;
    this.#served.set(tenant, Math.max(this.#at, this.#served.get(tenant) ?? 0));
    this.#since.set(tenant, this.#turns++);
  }

  next(waiting: readonly string[]): string | undefined {
    const of = (map: Map<string, number>, tenant: string) => map.get(tenant) ?? 0;
    const [first] = waiting.toSorted(
      (x, y) => of(this.#served, x) - of(this.#served, y) || of(this.#since, x) - of(this.#since, y),
    );
    return first;
  }

  pays(tenant: string, isLast: boolean): void {
    const served = this.#served.get(tenant) ?? 0;
    this.#at = Math.max(this.#at, served);
    this.#served.set(tenant, served + 1 / weightOf(tenant));
    if (!isLast) return;
    this.#served.clear();
    this.#at = 0;
  }
}

/** A model of the gate: one list of all waiting requests, which is searched for each permit. */
class ListedGate {
  waiting: readonly Standing[] = [];
  readonly #shares = { realtime: new Shares(), backfill: new Shares() };
  readonly #sent = new Map<number, Standing>();
  #contested = 0;
  #came = 0;
  #pausedUntil = 0;
  isHeld = false;

  isOpen(now: number): boolean {
    return !this.isHeld && now >= this.#pausedUntil;
  }

  asks(asking: Asking): void {
    this.#stand({ ...asking, place: this.#came++, refusals: 0 });
  }

  /** @returns the number of the request that is sent. */
  slot(now: number): number | undefined {
    if (!this.isOpen(now) || this.waiting.length === 0) return undefined;
    const lane = this.#nextLane();
    const own = this.waiting.filter((each) => each.lane === lane);
    const tenant = this.#shares[lane].next([...new Set(own.map((each) => each.tenant))]);
    const [first] = own.filter((each) => each.tenant === tenant).toSorted((x, y) => x.place - y.place);
    if (first === undefined) throw new Error("nobody of a tenant waits who is next");
    this.waiting = this.waiting.filter((each) => each !== first);
    this.#shares[lane].pays(first.tenant, own.length === 1);
    this.#sent.set(first.number, first);
    return first.number;
  }

  refused(number: number, now: number, pauseMs: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pauseMs);
    const was = this.#sent.get(number);
    if (was === undefined) throw new Error("nobody was sent who is refused");
    const refusals = was.refusals + 1;
    // Behind 0, 1, 3, 7, ... of the next requests, counted from its own number.
    const number0 = was.place - (was.refusals === 0 ? 0 : 2 ** (was.refusals - 1) - 0.5);
    const place = number0 + 2 ** (refusals - 1) - 0.5;
    const isLast = place >= this.#came;
    this.#stand(isLast ? { ...was, place: this.#came++, refusals: 0 } : { ...was, place, refusals });
  }

  #nextLane(): Lane {
    const waits = (lane: Lane) => this.waiting.some((each) => each.lane === lane);
    if (waits("realtime") && waits("backfill")) this.#contested++;
    const isBackfills = !waits("realtime") || this.#contested === 10;
    if (isBackfills) this.#contested = 0;
    return isBackfills ? "backfill" : "realtime";
  }

  #stand(standing: Standing): void {
    const isThere = this.waiting.some(({ lane, tenant }) => lane === standing.lane && tenant === standing.tenant);
    this.#shares[standing.lane].comes(standing.tenant, isThere);
    this.waiting = [...this.waiting, standing];
  }
}

/** The gate under test. `sent` has the requests in the order in which they were sent. */
function gateUnderTest() {
  const clock = new VirtualClock(0);
  const slots = new ManualSlots();
  const gate = openGate(clock, {
    slots: { run: (job) => slots.run(() => job()), pace: () => undefined },
    weightOf,
  });
  const sent: number[] = [];
  const out = new Map<number, PromiseWithResolvers<void>>();
  const asks = ({ number, lane, tenant }: Asking) => {
    const turn = waiterOf({ lane, tenant });
    const ask = async (): Promise<void> => {
      try {
        await gate.run(() => {
          sent.push(number);
          const answer = Promise.withResolvers<void>();
          out.set(number, answer);
          return { events: [String(number)], answer: answer.promise };
        }, turn);
      } catch {
        // A 429, which is the only failure here.
        await ask();
      }
    };
    void ask();
  };
  return { gate, clock, slots, sent, out, asks };
}

async function agree(steps: readonly Step[]): Promise<void> {
  const { gate, clock, slots, sent, out, asks } = gateUnderTest();
  const model = new ListedGate();
  const expected: number[] = [];
  let came = 0;
  const slot = async () => {
    if (slots.requested === 0) return;
    slots.give();
    const next = model.slot(clock.ticks());
    if (next !== undefined) expected.push(next);
    await settled();
  };
  const answer = async (number: number, pauseMs: number | undefined) => {
    const ending = out.get(number);
    out.delete(number);
    if (pauseMs === undefined) ending?.resolve();
    else {
      model.refused(number, clock.ticks(), pauseMs);
      ending?.reject(new RateLimitedError("429", pauseMs));
    }
    await settled();
  };
  const take = async (each: Step) => {
    if (each.kind === "asks") {
      const asking = { number: came++, lane: each.lane, tenant: each.tenant };
      asks(asking);
      model.asks(asking);
    } else if (each.kind === "slot") await slot();
    else if (each.kind === "passes") await clock.advance(each.ms);
    else if (each.kind === "held") {
      gate.hold(each.isHeld);
      model.isHeld = each.isHeld;
    } else {
      const number = [...out.keys()][each.which];
      if (number !== undefined) await answer(number, each.pauseMs);
    }
    await settled();
    expect(sent).toEqual(expected);
    // A permit is requested for each waiting request. After a pause no more are requested once those from before it
    // have come.
    if (model.isOpen(clock.ticks())) expect(slots.requested).toBeGreaterThanOrEqual(model.waiting.length);
  };
  for (const each of steps) await take(each);
  await take({ kind: "held", isHeld: false });
  await clock.advance(1_000);
  while (model.waiting.length > 0) await take({ kind: "slot" });
  expect(slots.requested).toBe(0);
  for (const number of [...out.keys()]) await answer(number, undefined);
  expect(gate.isQueued).toBe(sent.length > came);
}

test("the order of permits agrees with a list of all waiting requests, over pauses, refusals and holds", async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60 }), agree), propertyRuns(150));
});
