import fc from "fast-check";
import { expect, test } from "vitest";
import { type Lane, lanes } from "../../../../../src/messages/lane.ts";
import { FairQueue } from "../../../../../src/worker/rate-limit/queue/fair-queue.ts";
import { RequestQueue } from "../../../../../src/worker/rate-limit/queue/request-queue.ts";
import { eventLane, waiterOf } from "../../../../../src/worker/rate-limit/queue/waiter.ts";

const tenants = ["a", "b", "c"] as const;
const weights: Record<string, number> = { a: 1, b: 2, c: 0.5 };
const weightOf = (tenant: string) => weights[tenant] ?? 1;

interface Arrival {
  readonly lane: Lane;
  readonly tenant: string;
}
const arrivals = fc.array(fc.record({ lane: fc.constantFrom(...lanes), tenant: fc.constantFrom(...tenants) }), {
  maxLength: 6,
});
/** The requests that arrive before each permit. */
const history = fc.array(arrivals, { minLength: 1, maxLength: 120 });

interface Served extends Arrival {
  readonly number: number;
  /** The requests that waited when the permit came, this one included. */
  readonly waiting: readonly Arrival[];
}

function serve(slots: readonly (readonly Arrival[])[]): { readonly served: Served[]; readonly came: number } {
  const line = new RequestQueue(weightOf);
  const waiting = new Map<object, Arrival & { readonly number: number }>();
  const served: Served[] = [];
  let came = 0;
  const slot = () => {
    const before = [...waiting.values()];
    const next = line.next();
    const arrival = next && waiting.get(next.seat.asker);
    if (next === undefined || arrival === undefined) return;
    waiting.delete(next.seat.asker);
    served.push({ ...arrival, lane: eventLane(next.lane), waiting: before });
  };
  for (const arrived of slots) {
    for (const { lane, tenant } of arrived) {
      const asker = waiterOf({ lane, tenant });
      waiting.set(asker, { lane, tenant, number: came++ });
      line.add({ asker, begin: async () => undefined, fail: () => undefined });
    }
    slot();
  }
  while (waiting.size > 0) slot();
  return { served, came };
}

test("each request is served once, and those of one tenant and lane in order of arrival", () => {
  fc.assert(
    fc.property(history, (slots) => {
      const { served, came } = serve(slots);

      expect(served.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: came }, (_, i) => i),
      );
      for (const lane of lanes) {
        for (const tenant of tenants) {
          const own = served.filter((each) => each.lane === lane && each.tenant === tenant).map(({ number }) => number);
          expect(own).toEqual(own.toSorted((a, b) => a - b));
        }
      }
    }),
  );
});

test("of the permits for which both lanes wait, nine are for realtime and the tenth is for backfill", () => {
  fc.assert(
    fc.property(history, (slots) => {
      const { served } = serve(slots);
      let since = 0;
      for (const { lane, waiting } of served) {
        const waits = (of: Lane) => waiting.some((each) => each.lane === of);
        if (!waits("realtime") || !waits("backfill")) {
          expect(waits(lane)).toBe(true);
          if (lane === "backfill") since = 0;
          continue;
        }
        since++;
        expect(lane).toBe(since === 10 ? "backfill" : "realtime");
        if (since === 10) since = 0;
      }
    }),
  );
});

test("while two tenants of a lane wait, their service differs, by weight, by at most one permit of each", () => {
  fc.assert(
    fc.property(history, fc.constantFrom(...lanes), (slots, lane) => {
      const own = serve(slots).served.filter((each) => each.lane === lane);
      for (const [a, b] of [
        ["a", "b"],
        ["a", "c"],
        ["b", "c"],
      ] as const) {
        const bound = 1 / weightOf(a) + 1 / weightOf(b) + 1e-9;
        for (let from = 0; from < own.length; from++) {
          let ahead = 0;
          for (const { tenant, waiting } of own.slice(from)) {
            const waits = (of: string) => waiting.some((each) => each.lane === lane && each.tenant === of);
            if (!waits(a) || !waits(b)) break;
            if (tenant === a) ahead += 1 / weightOf(a);
            if (tenant === b) ahead -= 1 / weightOf(b);
            expect(Math.abs(ahead)).toBeLessThanOrEqual(bound);
          }
        }
      }
    }),
    { numRuns: 60 },
  );
});

/** A model of the queue with a tag on each item, which examines all items each time. */
class TaggedItems {
  #waiting: { readonly tenant: string; readonly item: number; readonly tag: number; readonly order: number }[] = [];
  #finished = new Map<string, number>();
  #busySince = new Map<string, number>();
  #now = 0;
  #orders = 0;

  push(tenant: string, item: number, cost: number): void {
    if (!this.#waiting.some((each) => each.tenant === tenant)) this.#busySince.set(tenant, this.#orders++);
    const tag = Math.max(this.#now, this.#finished.get(tenant) ?? 0);
    this.#finished.set(tenant, tag + cost / weightOf(tenant));
    this.#waiting.push({ tenant, item, tag, order: this.#busySince.get(tenant) ?? 0 });
  }

  next(): number | undefined {
    const [first] = this.#waiting.toSorted((a, b) => a.tag - b.tag || a.order - b.order || a.item - b.item);
    if (first === undefined) return undefined;
    this.#waiting = this.#waiting.filter((each) => each !== first);
    this.#now = Math.max(this.#now, first.tag);
    if (this.#waiting.length === 0) {
      this.#now = 0;
      this.#finished.clear();
    }
    return first.item;
  }
}

test("a fair queue agrees with a model that tags and examines every item", () => {
  // Costs and weights are powers of two, so that sums are exact in any order.
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ tenant: fc.constantFrom(...tenants), cost: fc.constantFrom(1, 2, 4, 8) }) },
    { weight: 2, arbitrary: fc.constant("serve" as const) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const costs: number[] = [];
      const keys: string[] = [];
      const line = new FairQueue<string, number>(
        weightOf,
        (item) => costs[item] ?? 0,
        (item) => keys.slice(item, item + 1),
        (item) => item,
      );
      const model = new TaggedItems();
      for (const each of steps) {
        if (each === "serve") {
          const item = line.inOrder().next();
          expect(item).toBe(model.next());
          if (item !== undefined) line.take(item);
        } else {
          const item = costs.push(each.cost) - 1;
          keys.push(each.tenant);
          line.push(item);
          model.push(each.tenant, item, each.cost);
        }
      }
    }),
  );
});
