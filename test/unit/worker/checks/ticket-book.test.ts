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
/** Both of its clocks are at nought. */
const clock = new FakeClock(0);
/** What is kept of it. */
const kept = { ...record, bytes: new Uint8Array(), sizeBytes: record.bytes.byteLength };

test("an empty book has nothing, now or ever", () => {
  const book = new TicketBook(forgetfulLog, clock);

  expect([book.size, book.nextDueAt, book.take(Number.MAX_SAFE_INTEGER)]).toEqual([0, undefined, undefined]);
});

test("a record comes back when it is due, not before, with its ticket and the ticket's revision", () => {
  const book = new TicketBook(forgetfulLog, clock);
  const ticket = ticketOf({ due_at: 1_000, revision: 3 });

  book.park(ticket, record);

  expect([book.size, book.nextDueAt]).toEqual([1, 1_000]);
  expect(book.take(999)).toBeUndefined();
  expect(book.take(1_000)).toEqual({ ...kept, revision: 3, ticket });
  expect([book.size, book.nextDueAt, book.take(1_000)]).toEqual([0, undefined, undefined]);
});

test("a record that is parked holds its own bytes, and not all that was read with them", () => {
  const book = new TicketBook(forgetfulLog, clock);
  const read = Buffer.alloc(100_000, "x");
  const ticket = ticketOf({ due_at: 1 });

  book.park(ticket, { ...recordOf("x"), bytes: read.subarray(50, 60) });
  const bytes = book.take(1)?.bytes;

  expect(Buffer.from(bytes ?? []).toString()).toBe("xxxxxxxxxx");
  expect(bytes?.buffer.byteLength).toBe(10);
});

test("a line of a file whose bytes were let go, since it could be read, is put off and comes back, twice", async () => {
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
  test("is parked once its ticket is durable, not before", async () => {
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

  test("is not parked when its ticket cannot be written", async () => {
    const error = new OutputUnwritableError("disk full");
    const book = new TicketBook({ append: () => Promise.reject(error) }, clock);

    await expect(book.put(ticketOf(), record)).rejects.toBe(error);
    expect(book.size).toBe(0);
  });

  test("is not written again when its ticket is durable already", () => {
    const book = new TicketBook({ append: () => Promise.reject(new Error("written")) }, clock);

    book.park(ticketOf(), record);

    expect(book.size).toBe(1);
  });
});

describe("a wall clock that is set", () => {
  const DAY = 86_400_000;
  const NOW = Date.UTC(2026, 0, 1);

  test.each([
    ["back", -40 * DAY],
    ["ahead", 40 * DAY],
  ])("%s leaves a record waiting as long as it had to", async (_name, stepMs) => {
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

  test("while a ticket is written leaves it waiting as long as it had to, from then on", async () => {
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
    "between two runs %s: a ticket waits no longer than from when its record was first seen",
    (_name, stepMs, waitMs) => {
      const clock = new FakeClock(NOW);
      const book = new TicketBook(forgetfulLog, clock);
      clock.stepWall(stepMs);
      book.park(ticketOf({ first_seen_at: NOW - 10_000, due_at: NOW + 40_000 }), record);

      expect(book.nextDueAt).toBe(clock.ticks() + waitMs);
    },
  );
});

describe("there is no room", () => {
  const large = { ...record, sizeBytes: 2 ** 19 };

  test("once ten thousand wait, or are back and not released", () => {
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

  test("once they hold 64 MiB, answers included, though one is put off anew", () => {
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

test("there is no room before records of 5,500 users hold more than 64 MiB of memory", async () => {
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

test("records come back as a list sorted by when they are due would give them", () => {
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
          // Of those that are due at the same time any may come first.
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

test("every record that was parked comes back once, the first that is due first", () => {
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

test("what is parked after something was taken comes back in order, too", () => {
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

test("a record that makes what it is asked for is kept whole", () => {
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
