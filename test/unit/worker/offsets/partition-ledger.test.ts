import { describe, expect, test } from "vitest";
import { PartitionLedger } from "../../../../src/worker/offsets/partition-ledger.ts";

/** A ledger from `first` on with these offsets admitted, ten bytes each. */
function ledgerOf(first: number, ...offsets: readonly number[]): PartitionLedger {
  const ledger = new PartitionLedger(first);
  for (const offset of offsets) ledger.admit(offset, 10);
  return ledger;
}

test("without deliveries the committed offset stays as it is", () => {
  const ledger = new PartitionLedger(7);

  expect(ledger).toMatchObject({ watermark: 7, depth: 0, span: 0, bytes: 0 });
});

test("the watermark waits for the first open record, and then passes all completed records behind it", () => {
  const ledger = ledgerOf(5, 5, 6, 7, 8);

  ledger.settle(6);
  ledger.settle(7);
  expect(ledger).toMatchObject({ watermark: 5, depth: 2, span: 4, bytes: 20 });

  ledger.settle(5);
  expect(ledger).toMatchObject({ watermark: 8, depth: 1, span: 1, bytes: 10 });

  ledger.settle(8);
  expect(ledger).toMatchObject({ watermark: 9, depth: 0, span: 0, bytes: 0 });
});

test("offsets without records are passed once all earlier records are completed", () => {
  const ledger = ledgerOf(0, 0, 1);
  ledger.pass(5);
  ledger.settle(1);
  expect(ledger.watermark).toBe(0);
  expect(ledger.settledAhead()).toEqual([1]);

  ledger.settle(0);
  expect(ledger).toMatchObject({ watermark: 5, depth: 0, span: 0 });
  ledger.pass(9);
  ledger.pass(3);
  expect(ledger.watermark).toBe(9);
  expect(() => ledger.settle(9)).toThrow("was never admitted");
});

test("a gap is passed with the record behind it, not before", () => {
  const ledger = ledgerOf(0, 3, 10, 2_000_000_000);

  expect(ledger.watermark).toBe(0);
  ledger.settle(3);
  expect(ledger.watermark).toBe(4);
  ledger.settle(2_000_000_000);
  expect(ledger).toMatchObject({ watermark: 4, depth: 1, span: 1_999_999_997 });
  ledger.settle(10);
  expect(ledger).toMatchObject({ watermark: 2_000_000_001, span: 0 });
});

test("a redelivered record is in flight until it is completed, and counts once", () => {
  const ledger = ledgerOf(0, 0, 1, 2);
  ledger.settle(0);
  ledger.settle(2);

  expect([0, 1, 2, 3].map((offset) => ledger.admit(offset, 10))).toEqual(["settled", "in-flight", "settled", "new"]);
  expect(ledger).toMatchObject({ watermark: 1, depth: 2, bytes: 20 });
});

test("an empty record is a record", () => {
  const ledger = new PartitionLedger(0);

  expect(ledger.admit(0, 0)).toBe("new");
  expect(ledger.admit(0, 0)).toBe("in-flight");
  expect(ledger.settle(0)).toBe(true);
  expect(ledger.watermark).toBe(1);
});

describe("a bug is not taken for progress", () => {
  test("a record that is completed twice above the watermark", () => {
    const ledger = ledgerOf(0, 0, 1);
    ledger.settle(1);

    expect(() => ledger.settle(1)).toThrow("offset 1 is settled already");
    expect(ledger).toMatchObject({ watermark: 0, depth: 1, bytes: 10 });
  });

  test.each([1, 3, 4, Number.NaN])("offset %s, which was never admitted", (offset) => {
    const ledger = ledgerOf(0, 0, 2);

    expect(() => ledger.settle(offset)).toThrow(`offset ${offset} was never admitted`);
    expect(ledger).toMatchObject({ watermark: 0, depth: 2 });
  });

  test("a record that comes only after later ones", () => {
    expect(() => ledgerOf(0, 0, 2).admit(1, 10)).toThrow("offset 1 was passed over and comes only now");
  });

  test.each([-1, 0.5, Number.NaN])("%s bytes", (bytes) => {
    expect(() => new PartitionLedger(0).admit(0, bytes)).toThrow(`${bytes} is no number of bytes`);
  });
});

test("completing a record below the watermark changes nothing", () => {
  const ledger = ledgerOf(4, 4, 5);
  ledger.settle(4);

  expect([3, 4].map((offset) => ledger.settle(offset))).toEqual([false, false]);
  expect(ledger).toMatchObject({ watermark: 5, depth: 1, bytes: 10 });
});

describe("offsets", () => {
  test("the largest offset with an exact successor is accepted", () => {
    const last = Number.MAX_SAFE_INTEGER - 1;
    const ledger = ledgerOf(last, last);
    ledger.settle(last);

    expect(ledger.watermark).toBe(2 ** 53 - 1);
  });

  test.each([2 ** 53 - 1, 2 ** 53, Number("9223372036854775807"), Number.POSITIVE_INFINITY])(
    "%s is too large",
    (offset) => {
      expect(() => new PartitionLedger(0).admit(offset, 1)).toThrow("it must be below 2^53 - 1");
      expect(() => new PartitionLedger(offset)).toThrow("it must be below 2^53 - 1");
    },
  );

  test.each([-1, 0.5, Number.NaN])("%s is no offset", (offset) => {
    expect(() => new PartitionLedger(0).admit(offset, 1)).toThrow(`${offset} is no offset`);
    expect(() => new PartitionLedger(offset)).toThrow(`${offset} is no offset`);
  });
});

describe("a million records", () => {
  const COUNT = 1_000_000;

  test.each([
    ["dense", 1],
    ["with gaps", 3],
  ])("completed in reverse order, %s, are not searched from the start", (_, step) => {
    const ledger = new PartitionLedger(0);
    for (let i = 0; i < COUNT; i++) ledger.admit(i * step + (i % step), 1);
    for (let i = COUNT - 1; i >= 0; i--) ledger.settle(i * step + (i % step));

    // Takes 0.3 to 0.8 s. A search from the start would take minutes, and the test timeout would end it.
    expect(ledger).toMatchObject({ depth: 0, span: 0, bytes: 0 });
  });

  test("that pass through one by one leave no memory behind", () => {
    const ledger = new PartitionLedger(0);
    const open = 100;
    const before = process.memoryUsage().heapUsed;
    for (let offset = 0; offset < 8 * COUNT; offset++) {
      ledger.admit(offset, 1);
      if (offset >= open) ledger.settle(offset - open);
    }

    // If they were kept, they would take 128 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64_000_000);
    expect(ledger).toMatchObject({ watermark: 8 * COUNT - open, depth: open, span: open, bytes: open });
  });
});

describe("with offsets completed earlier, beyond the commit", () => {
  test("completed records are not processed again, and the watermark passes them with the earlier ones", () => {
    const ledger = new PartitionLedger(5, [6, 7, 9]);
    expect([5, 6, 7, 8, 9].map((offset) => ledger.admit(offset, 10))).toEqual([
      "new",
      "settled",
      "settled",
      "new",
      "settled",
    ]);
    expect(ledger).toMatchObject({ watermark: 5, depth: 2, bytes: 20, span: 5 });
    ledger.settle(5);
    expect(ledger.watermark).toBe(8);
    ledger.settle(8);
    expect(ledger).toMatchObject({ watermark: 10, depth: 0, bytes: 0, span: 0 });
  });

  test("a completed record that comes first moves the watermark at once", () => {
    const ledger = new PartitionLedger(5, [6, 7]);
    expect(ledger.admit(6, 10)).toBe("settled");
    expect(ledger).toMatchObject({ watermark: 7, depth: 0, span: 0 });
    expect(ledger.admit(6, 10)).toBe("settled");
  });

  test("a redelivered completed record stays completed while an older record is open", () => {
    const ledger = new PartitionLedger(5, [6]);
    ledger.admit(5, 10);
    expect([ledger.admit(6, 10), ledger.admit(6, 10)]).toEqual(["settled", "settled"]);
    expect(ledger.watermark).toBe(5);
  });

  test("all completed offsets are reported, from earlier and from here, delivered or not", () => {
    const ledger = new PartitionLedger(5, [7, 20]);
    for (const offset of [5, 6, 7, 8]) ledger.admit(offset, 10);
    ledger.settle(6);
    expect(ledger.settledAhead().toSorted((a, b) => a - b)).toEqual([6, 7, 20]);
    expect(ledger.changes).toBe(1);
    ledger.settle(5);
    expect(ledger.settledAhead()).toEqual([20]);
    expect(ledger.watermark).toBe(8);
  });
});

test("what is overdue counts by itself while it is in flight", () => {
  const ledger = new PartitionLedger(5, [7]);
  ledger.admit(5, 10, true);
  ledger.admit(6, 100);
  ledger.admit(7, 1_000, true);
  ledger.admit(8, 20, true);
  ledger.admit(8, 20, true);
  expect(ledger).toMatchObject({ overdue: 2, overdueBytes: 30, depth: 3, bytes: 130 });
  expect([5, 6, 7, 8].map((offset) => ledger.isOverdue(offset))).toEqual([true, false, false, true]);

  ledger.settle(6);
  ledger.settle(8);
  expect(ledger).toMatchObject({ overdue: 1, overdueBytes: 10 });
  ledger.settle(5);
  expect(ledger).toMatchObject({ overdue: 0, overdueBytes: 0 });
});
