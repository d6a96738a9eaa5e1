import { writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recordChunks } from "../../../../src/adapters/files/input/records.ts";
import { OutputUnwritableError } from "../../../../src/kernel/errors.ts";
import type { Ticket } from "../../../../src/messages/ticket.ts";
import { TicketBook } from "../../../../src/worker/checks/ticket-book.ts";
import type { InputRecord } from "../../../../src/worker/ports.ts";
import { answered, clean } from "../../../fakes/evidence.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { recordOf } from "../../../fakes/records.ts";
import { ticketOf } from "../../../fakes/tickets.ts";
import { forgetfulLog } from "../../../fakes/worker.ts";
import { emptyFolder } from "../../../support/folder.ts";
import { heapUsed } from "../../../support/heap-used.ts";

const record = recordOf({ type: "address", chain_id: "1", address: "0x" });
/** A clock with both of its times at zero. */
const clock = new FakeClock(0);
/** The stored fields of a record. */
const kept = { ...record, bytes: new Uint8Array(), sizeBytes: record.bytes.byteLength };

test("an empty book never has a due record", () => {
  const book = new TicketBook(forgetfulLog, clock);

  expect([book.size, book.nextDueAt, book.take(Number.MAX_SAFE_INTEGER)]).toEqual([0, undefined, undefined]);
});

test("a record comes back when it is due, with its ticket and the ticket's revision", () => {
  const book = new TicketBook(forgetfulLog, clock);
  const ticket = ticketOf({ due_at: 1_000, revision: 3 });

  book.park(ticket, record);

  expect([book.size, book.nextDueAt]).toEqual([1, 1_000]);
  expect(book.take(999)).toBeUndefined();
  expect(book.take(1_000)).toEqual({ ...kept, revision: 3, ticket });
  expect([book.size, book.nextDueAt, book.take(1_000)]).toEqual([0, undefined, undefined]);
});

test("a parked record holds its own bytes, and not the whole chunk", () => {
  const book = new TicketBook(forgetfulLog, clock);
  const read = Buffer.alloc(100_000, "x");
  const ticket = ticketOf({ due_at: 1 });

  book.park(ticket, { ...recordOf("x"), bytes: read.subarray(50, 60) });
  const bytes = book.take(1)?.bytes;

  expect(Buffer.from(bytes ?? []).toString()).toBe("xxxxxxxxxx");
  expect(bytes?.buffer.byteLength).toBe(10);
});

test("a parsed line of a file without its bytes is put off and comes back, twice", async () => {
  const file = path.join(await emptyFolder(), "events.ndjson");
  const { event } = record;
  await writeFile(file, JSON.stringify(event.ok ? event.value : undefined));
  const book = new TicketBook(forgetfulLog, clock);
  const [first, second] = [ticketOf({ due_at: 1 }), ticketOf({ due_at: 2, attempt: 2 })];
  const back: InputRecord[] = [];

  for await (const records of recordChunks({ path: file, defaults: { users: [] } })) {
    for (const line of records) {
      book.park(first, line);
      const again = book.take(1);
      if (again === undefined) throw new Error("none is due");
      book.park(second, again);
      book.release(again);
      back.push(book.take(2) ?? again);
    }
  }

  expect(back).toMatchObject([{ source: record.source, defaultId: record.defaultId, event, ticket: second }]);
});

test("a record that was put off before has its newest ticket", () => {
  const book = new TicketBook(forgetfulLog, clock);
  const first = ticketOf({ due_at: 1 });
  const second = ticketOf({ due_at: 2, attempt: 2 });

  book.park(first, record);
  const back = book.take(1);
  if (back !== undefined) book.park(second, back);

  expect(book.take(2)?.ticket).toBe(second);
});

describe("a record that is put off", () => {
  test("the record is parked only once its ticket is durable", async () => {
    const written = Promise.withResolvers<void>();
    const tickets: Ticket[] = [];
    const append = (each: Ticket) => {
      tickets.push(each);
      return written.promise;
    };
    const book = new TicketBook({ append }, clock);
    const ticket = ticketOf();

    const putting = book.put(ticket, record);
    await Promise.resolve();
    expect([tickets, book.size]).toEqual([[ticket], 0]);
    written.resolve();
    await putting;

    expect(book.size).toBe(1);
  });

  test("the record is not parked when its ticket cannot be written", async () => {
    const error = new OutputUnwritableError("disk full");
    const book = new TicketBook({ append: () => Promise.reject(error) }, clock);

    await expect(book.put(ticketOf(), record)).rejects.toBe(error);
    expect(book.size).toBe(0);
  });

  test("a durable ticket is not written again", () => {
    const book = new TicketBook({ append: () => Promise.reject(new Error("written")) }, clock);

    book.park(ticketOf(), record);

    expect(book.size).toBe(1);
  });
});

describe("a change of the wall clock", () => {
  const DAY = 86_400_000;
  const NOW = Date.UTC(2026, 0, 1);

  test.each([
    ["back", -40 * DAY],
    ["ahead", 40 * DAY],
  ])("a change %s does not alter the wait of a record", async (_name, stepMs) => {
    const clock = new FakeClock(NOW);
    const book = new TicketBook(forgetfulLog, clock);
    await book.put(ticketOf({ due_at: NOW + 60_000 }), record);
    clock.stepWall(stepMs);
    await book.put(ticketOf({ due_at: clock.now() + 30_000, first_seen_at: NOW }, 2), recordOf("x", 2));

    expect([book.nextDueAt, book.take(clock.ticks() + 29_999)]).toEqual([clock.ticks() + 30_000, undefined]);
    expect(book.take(clock.ticks() + 30_000)?.source).toMatchObject({ line: 2 });
    expect([book.nextDueAt, book.take(clock.ticks() + 59_999)]).toEqual([clock.ticks() + 60_000, undefined]);
    expect(book.take(clock.ticks() + 60_000)?.source).toEqual(record.source);
  });

  test("a change while a ticket is written does not alter the wait of its record", async () => {
    const clock = new FakeClock(NOW);
    const append = async () => {
      clock.stepWall(-DAY);
      await clock.sleep(5_000);
    };
    const book = new TicketBook({ append }, clock);
    await book.put(ticketOf({ due_at: NOW + 60_000 }), record);

    expect(book.nextDueAt).toBe(clock.ticks() + 55_000);
  });

  test.each([
    ["not at all", 0, 40_000],
    ["back, and it is after the record was first seen", -5_000, 45_000],
    ["back, and it is before the record was first seen", -40 * DAY, 50_000],
    ["ahead", DAY, 40_000 - DAY],
  ])(
    "between two runs the clock is set %s: a ticket waits at most from when its record was first seen",
    (_name, stepMs, waitMs) => {
      const clock = new FakeClock(NOW);
      const book = new TicketBook(forgetfulLog, clock);
      clock.stepWall(stepMs);
      book.park(ticketOf({ first_seen_at: NOW - 10_000, due_at: NOW + 40_000 }), record);

      expect(book.nextDueAt).toBe(clock.ticks() + waitMs);
    },
  );
});

describe("the book is full", () => {
  const large = { ...record, sizeBytes: 2 ** 19 };

  test("with ten thousand records that wait or were taken and not released", () => {
    const book = new TicketBook(forgetfulLog, clock);
    const ticket = ticketOf({ due_at: 1 });
    for (let i = 1; i < 10_000; i++) book.park(ticket, record);
    expect(book.isFull).toBe(false);
    book.park(ticket, record);
    const back = book.take(1);
    expect([book.isFull, book.size]).toEqual([true, 9_999]);

    if (back !== undefined) book.release(back);
    expect(book.isFull).toBe(false);
  });

  test("with 64 MiB of records and answers, also when a record is put off again", () => {
    const book = new TicketBook(forgetfulLog, clock);
    const checks = [answered("poisoning", { target: clean.target, pad: "x".repeat(2 ** 18) })];
    const ticket = ticketOf({ due_at: 1, checks });
    for (let i = 0; i < 31; i++) book.park(ticket, large);
    expect(book.isFull).toBe(false);
    book.park(ticket, large);
    expect(book.isFull).toBe(true);

    const back = book.take(1);
    if (back === undefined) throw new Error("none is due");
    book.park(ticket, back);
    book.release(back);
    expect([book.isFull, book.size]).toEqual([true, 32]);
    for (let left = 32; left > 0; left--) {
      const next = book.take(1);
      expect(book.isFull).toBe(left === 32);
      if (next !== undefined) book.release(next);
      expect(book.isFull).toBe(false);
    }
  });
});

test("the book is full before records of 5,500 users hold more than 64 MiB of memory", async () => {
  const before = await heapUsed();
  const book = new TicketBook(forgetfulLog, clock);
  let parked = 0;
  for (; !book.isFull; parked++) {
    const users = Array.from({ length: 5_500 }, (_, i) => `0x${(parked * 10_000 + i).toString(16).padStart(40, "0")}`);
    book.park(ticketOf(), recordOf({ type: "address", chain_id: "1", address: "0x", user_addresses: users }));
  }
  const held = (await heapUsed()) - before;

  expect(book.size).toBe(parked);
  expect(parked).toBeGreaterThan(80);
  expect(held).toBeLessThan(64 * 2 ** 20);
});

test("records come back in the order of a list sorted by due time", () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("park" as const), at: fc.integer({ min: 0, max: 50 }) }),
    fc.record({ kind: fc.constant("take" as const), at: fc.integer({ min: 0, max: 60 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const book = new TicketBook(forgetfulLog, clock);
      let model: number[] = [];
      let parked = 0;
      for (const { kind, at } of steps) {
        if (kind === "park") {
          book.park(ticketOf({ due_at: at }, ++parked), recordOf("x", parked));
          model = [...model, at].sort((a, b) => a - b);
        } else {
          const [first] = model;
          const isDue = first !== undefined && first <= at;
          const taken = book.take(at);
          // Among records that are due at the same time any may come first.
          expect(taken?.ticket).toEqual(
            isDue ? expect.objectContaining({ due_at: first, source: taken?.source }) : undefined,
          );
          if (isDue) model = model.slice(1);
        }
        expect([book.size, book.nextDueAt]).toEqual([model.length, model[0]]);
      }
    }),
    { numRuns: 300 },
  );
});

test("every parked record comes back once, in order of due time", () => {
  const book = new TicketBook(forgetfulLog, clock);
  const lines = Array.from({ length: 1_000 }, (_, i) => i + 1);
  const dueAt = (line: number) => (line * 7_919) % 101;
  for (const line of lines) book.park(ticketOf({ due_at: dueAt(line) }, line), recordOf("x", line));

  const back = lines.map(() => {
    const source = book.take(100)?.source;
    return source !== undefined && "line" in source ? source.line : 0;
  });

  expect(back.map(dueAt)).toEqual(lines.map(dueAt).sort((a, b) => a - b));
  expect(back.toSorted((a, b) => a - b)).toEqual(lines);
});

test("records that are parked after a removal come back in order, too", () => {
  const book = new TicketBook(forgetfulLog, clock);
  const park = (at: number) => book.park(ticketOf({ due_at: at }), record);
  const take = () => {
    const at = book.nextDueAt;
    book.take(100);
    return at;
  };
  for (const at of [10, 20, 30, 40, 50, 60, 70]) park(at);
  expect(take()).toBe(10);

  park(35);

  expect(Array.from({ length: 7 }, take)).toEqual([20, 30, 35, 40, 50, 60, 70]);
});

test("a record with computed members is kept completely", () => {
  const book = new TicketBook(forgetfulLog, clock);
  const ticket = ticketOf({ due_at: 1 });
  const lazy = {
    event: record.event,
    revision: 0,
    get source() {
      return record.source;
    },
    get defaultId() {
      return record.defaultId;
    },
    get bytes() {
      return record.bytes;
    },
  };

  book.park(ticket, Object.create(lazy, Object.getOwnPropertyDescriptors({ event: record.event, revision: 0 })));

  expect(book.take(1)).toEqual({ ...kept, revision: ticket.revision, ticket });
});
