import fc from "fast-check";
import { expect, test } from "vitest";
import { seededRandom } from "../../../../src/kernel/retry.ts";
import { PartitionLedger } from "../../../../src/worker/offsets/partition-ledger.ts";

const RUNS = Number(process.env["FC_RUNS"] ?? 500);

/** A slow specification: all deliveries are kept, and examined from the start for each question. */
class Model {
  readonly records = new Map<number, { readonly bytes: number; isSettled: boolean }>();
  readonly first: number;
  /** Undelivered offsets before this one have no record. */
  passed = 0;

  constructor(first: number) {
    this.first = first;
  }

  get head(): number {
    return Math.max(this.first, this.passed, ...this.records.keys().map((offset) => offset + 1));
  }

  get open(): number[] {
    return [...this.records].filter(([, { isSettled }]) => !isSettled).map(([offset]) => offset);
  }

  get watermark(): number {
    const firstOpen = Math.min(Number.POSITIVE_INFINITY, ...this.open);
    const settled = [...this.records.keys()].filter((offset) => offset < firstOpen);
    const ends = [...this.ends].filter((until) => until <= firstOpen);
    return Math.max(this.first, ...settled.map((offset) => offset + 1), ...ends);
  }

  /** Ends of ranges without records, each behind all offsets delivered by then. */
  readonly ends = new Set<number>();

  pass(until: number): void {
    if (until <= this.head) return;
    this.passed = until;
    this.ends.add(until);
  }

  get state() {
    const { open, watermark } = this;
    const bytes = open.reduce((sum, offset) => sum + (this.records.get(offset)?.bytes ?? 0), 0);
    return { watermark, depth: open.length, span: this.head - watermark, bytes };
  }
}

/** One step; `pick` is reduced to the number of candidates. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant("deliver" as const), gap: gaps(), bytes: fc.nat(9) }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant("settle" as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("settle all but" as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("deliver again" as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("pass" as const), gap: gaps() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("crash" as const) }) },
);

/** Mostly dense, as logs are. */
function gaps() {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat(3), fc.nat(1_000_000));
}

test("a ledger agrees with its model after every step, and its watermark never moves back", () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.array(step, { maxLength: 80, size: "max" }), (first, steps) => {
      let [ledger, model] = [new PartitionLedger(first), new Model(first)];
      for (const now of steps) {
        const { watermark, open, head } = model;
        const settle = (offset: number) => {
          expect(ledger.settle(offset)).toBe(true);
          const record = model.records.get(offset);
          if (record !== undefined) record.isSettled = true;
        };
        if (now.does === "deliver") {
          expect(ledger.admit(head + now.gap, now.bytes)).toBe("new");
          model.records.set(head + now.gap, { bytes: now.bytes, isSettled: false });
        } else if (now.does === "pass") {
          ledger.pass(head + now.gap);
          model.pass(head + now.gap);
        } else if (now.does === "settle") {
          settleOne(open, now.pick, settle);
        } else if (now.does === "settle all but") {
          for (const [i, offset] of open.toReversed().entries()) if (i !== now.pick % open.length) settle(offset);
        } else if (now.does === "deliver again") {
          const offsets = [...model.records.keys()];
          for (const offset of offsets.slice(now.pick % (offsets.length + 1))) {
            expect(ledger.admit(offset, 5)).toBe(model.records.get(offset)?.isSettled ? "settled" : "in-flight");
          }
        } else {
          [ledger, model] = [new PartitionLedger(watermark), new Model(watermark)];
        }

        const { depth, span, bytes } = ledger;
        expect({ watermark: ledger.watermark, depth, span, bytes }).toEqual(model.state);
        expect(ledger.watermark).toBeGreaterThanOrEqual(watermark);
        for (const offset of model.open) expect(ledger.watermark).toBeLessThanOrEqual(offset);
      }
    }),
    { numRuns: RUNS },
  );
});

function settleOne(open: readonly number[], pick: number, settle: (offset: number) => void): void {
  const offset = open[pick % open.length];
  if (offset !== undefined) settle(offset);
}

test("the watermark stays right over long histories, in which the ledger forgets completed records", () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 3_000 }), (seed, window) => {
      const random = seededRandom(seed);
      const ledger = new PartitionLedger(0);
      const delivered: number[] = [];
      const open: number[] = [];
      let [next, passed] = [0, 0];
      for (let i = 0; i < 5_000; i++) {
        next += random() < 0.1 ? Math.floor(random() * 100) : 0;
        expect(ledger.admit(next, 1)).toBe("new");
        delivered.push(next);
        open.push(next++);
        if (open.length < window) continue;
        for (const offset of open.splice(Math.floor(random() * open.length), 1 + Math.floor(random() * 3))) {
          expect(ledger.settle(offset)).toBe(true);
        }
        while (passed < delivered.length && delivered[passed] !== open[0]) passed++;
        expect(ledger.watermark).toBe(passed === 0 ? 0 : (delivered[passed - 1] ?? 0) + 1);
        expect(ledger.depth).toBe(open.length);
      }
    }),
    { numRuns: Math.ceil(RUNS / 50) },
  );
});
