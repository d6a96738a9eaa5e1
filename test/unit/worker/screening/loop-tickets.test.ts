import { describe, expect, test } from "vitest";
import type { ResponseOf } from "../../../../src/api/routes.ts";
import { OutputUnwritableError } from "../../../../src/kernel/errors.ts";
import type { Ticket } from "../../../../src/messages/ticket.ts";
import type { Verdict } from "../../../../src/messages/verdict.ts";
import { TicketBook, type TicketLog } from "../../../../src/worker/checks/ticket-book.ts";
import type { InputRecord } from "../../../../src/worker/ports.ts";
import { runLoop } from "../../../../src/worker/screening/loop.ts";
import { answered, clean } from "../../../fakes/evidence.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { FakeSink, recordOf } from "../../../fakes/records.ts";
import { singleAnswer } from "../../../fakes/single-answer.ts";
import { ticketOf } from "../../../fakes/tickets.ts";
import { VirtualClock } from "../../../fakes/virtual-clock.ts";
import { forgetfulLog, workerFor } from "../../../fakes/worker.ts";
import { lineOf } from "../../../support/verdicts.ts";

/** Ten thousand records take seconds when other work shares the machine. */
const MANY_RECORDS_MS = 120_000;
const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

const addressOn = (line: number) => `0xd9a1c3788d81257612e2581a6ea0ada2${line.toString(16).padStart(8, "0")}`;
/** Each line has its own token, which is also its target. */
const recordOn = (line: number) =>
  recordOf({ type: "address", chain_id: "1", address: addressOn(line), token_address: addressOn(line) }, line);

async function* lines(count: number, read: (line: number) => void = () => {}): AsyncGenerator<InputRecord[]> {
  for (let line = 1; line <= count; line++) {
    read(line);
    yield [recordOn(line)];
  }
}

const inProgress = (pollAfter: number) =>
  ({ code: "0", status: "in progress", pollAfter }) as ResponseOf<"tokenSecurity">;
const analysedOf = (address: string) =>
  ({
    code: "0",
    status: "ok",
    data: { ...clean.tokenSecurity, address: `eth:${address}` },
  }) as ResponseOf<"tokenSecurity">;

/** A service that finishes the token of each line after this many polls, a minute apart. */
function service(pollsOf: (line: number) => number): FakeService {
  const polls = new Map<string, number>();
  return new FakeService()
    .on("poisoningSingle", ({ address, token_address = "" }) => {
      return singleAnswer(address, { token_address: clean.token, token_address_input: token_address });
    })
    .on("tokenSecurity", ({ address }) => {
      const nth = polls.get(address) ?? 0;
      polls.set(address, nth + 1);
      return nth < pollsOf(Number.parseInt(address.slice(-8), 16)) ? inProgress(60) : analysedOf(address);
    });
}

/** A run with a clock that the test moves. */
function runOf(asked: FakeService, own: Parameters<typeof workerFor>[1] = {}, log: TicketLog = forgetfulLog) {
  const clock = new VirtualClock(START);
  const sink = new FakeSink();
  const tickets = new TicketBook(log, clock);
  const stop = new AbortController();
  const abort = (reason: unknown) => stop.abort(reason);
  const deps = workerFor(asked, { clock, sink, tickets, signal: stop.signal, abort, ...own });
  let isOver = false;
  const run = async (records: AsyncIterable<Iterable<InputRecord>>) => {
    try {
      await runLoop(records, deps);
    } finally {
      isOver = true;
    }
  };
  return { clock, sink, tickets, stop, deps, run, isOver: () => isOver };
}

const linesOf = (verdicts: readonly Verdict[]) => verdicts.map(lineOf).sort((a, b) => a - b);

describe("a record that is put off", () => {
  test("the record delays no other, and comes back when it is due", async () => {
    const { clock, sink, tickets, run } = runOf(service((line) => (line === 2 ? 1 : 0)));

    const running = run(lines(4));
    await clock.advance(MINUTE - 1);
    expect([linesOf(sink.verdicts), tickets.size]).toEqual([[1, 3, 4], 1]);
    await clock.advance(1);
    await running;

    expect(linesOf(sink.verdicts)).toEqual([1, 2, 3, 4]);
    expect(tickets.size).toBe(0);
  });

  test.each([-40, -1, 1, 40])(
    "the record comes back when it is due, although the wall clock is set by %i days meanwhile",
    async (days) => {
      const { clock, sink, run } = runOf(service(() => 1));

      const running = run(lines(1));
      await clock.advance(MINUTE / 2);
      clock.stepWall(days * 1_440 * MINUTE);
      await clock.advance(MINUTE / 2 - 1);
      expect(sink.verdicts).toEqual([]);
      await clock.advance(1);
      await running;

      expect(linesOf(sink.verdicts)).toEqual([1]);
    },
  );

  test("the record keeps a finished input's run alive until its verdict, and no longer", async () => {
    const { clock, sink, run, isOver } = runOf(service((line) => line));

    const running = run(lines(3));
    for (let minute = 1; minute <= 3; minute++) {
      await clock.advance(MINUTE - 1);
      expect([linesOf(sink.verdicts).length, isOver()]).toEqual([minute - 1, false]);
      await clock.advance(1);
    }
    await running;

    expect(linesOf(sink.verdicts)).toEqual([1, 2, 3]);
    expect(clock.sleeping).toBe(0);
  });

  test("the record takes no room among the records that are read", async () => {
    const lane = { events: 2, span: 1_000, bytes: 1_000_000 };
    const { clock, tickets, sink, run } = runOf(
      service(() => 1),
      { bounds: { realtime: lane, backfill: lane } },
    );

    const running = run(lines(20));
    await clock.advance(MINUTE - 1);
    expect([tickets.size, sink.verdicts.length]).toEqual([20, 0]);
    await clock.advance(MINUTE);
    await running;

    expect(linesOf(sink.verdicts)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  });

  test("the record is settled only once its ticket is durable", async () => {
    const written = Promise.withResolvers<void>();
    const lane = { events: 1, span: 1_000, bytes: 1_000_000 };
    const taken: number[] = [];
    const { clock, run } = runOf(
      service((line) => (line === 1 ? 1 : 0)),
      { bounds: { realtime: lane, backfill: lane } },
      { append: () => written.promise },
    );

    const running = run(lines(3, (line) => taken.push(line)));
    await clock.advance(1_000);
    expect(taken).toEqual([1]);
    written.resolve();
    await clock.advance(1_000);
    expect(taken).toEqual([1, 2, 3]);
    await clock.advance(MINUTE);
    await running;
  });

  test("the run ends when the ticket cannot be written", async () => {
    const error = new OutputUnwritableError("disk full");
    const { clock, run } = runOf(
      service(() => 1),
      {},
      { append: () => Promise.reject(error) },
    );

    const running = run(lines(3));
    const ended = expect(running).rejects.toBe(error);
    await clock.advance(1_000);

    await ended;
  });
});

/** All answers about the record on `line` before it was put off. */
function fullTicket(line: number, dueAt: number): Ticket {
  const token = { ...clean.tokenSecurity, address: `eth:${addressOn(line)}` };
  const checks = [
    answered("poisoning", { target: clean.target, token: clean.token }),
    answered("token-security", token),
  ];
  return ticketOf({ due_at: dueAt, checks }, line);
}

test("records that an earlier run put off are brought back, beside the new records", async () => {
  const { clock, sink, tickets, run } = runOf(service(() => 0));
  tickets.park(fullTicket(101, START - MINUTE), recordOn(101));
  tickets.park(fullTicket(102, START + MINUTE), recordOn(102));

  const running = run(lines(2));
  await clock.advance(1_000);
  expect(linesOf(sink.verdicts)).toEqual([1, 2, 101]);
  await clock.advance(MINUTE);
  await running;

  expect(linesOf(sink.verdicts)).toEqual([1, 2, 101, 102]);
});

test(
  "with ten thousand parked records no new record is read",
  async () => {
    const { clock, sink, tickets, run } = runOf(service(() => 0));
    for (let line = 101; line <= 10_100; line++) tickets.park(fullTicket(line, START + MINUTE), recordOn(line));
    const taken: number[] = [];

    const running = run(lines(5, (line) => taken.push(line)));
    await clock.advance(MINUTE - 1);
    expect([taken, tickets.size, linesOf(sink.verdicts)]).toEqual([[1], 10_000, [1]]);
    await clock.advance(1_001);
    await running;

    expect(taken).toEqual([1, 2, 3, 4, 5]);
    expect(sink.verdicts).toHaveLength(10_005);
  },
  MANY_RECORDS_MS,
);

test("with 64 MiB of parked records no new record is read, and a settled record makes room", async () => {
  const { clock, sink, tickets, run } = runOf(service(() => 0));
  const sizeBytes = 2 ** 20 / 3;
  for (let i = 0; i < 64; i++) {
    tickets.park(fullTicket(101 + i, START + (i === 0 ? 1 : 2) * MINUTE), { ...recordOn(101 + i), sizeBytes });
  }
  const taken: number[] = [];

  const running = run(lines(5, (line) => taken.push(line)));
  await clock.advance(MINUTE - 1);
  expect([taken, tickets.size]).toEqual([[1], 64]);
  await clock.advance(1_001);
  expect([taken, tickets.size]).toEqual([[1, 2, 3, 4, 5], 63]);
  await clock.advance(MINUTE);
  await running;

  expect(linesOf(sink.verdicts)).toEqual([1, 2, 3, 4, 5, ...Array.from({ length: 64 }, (_, i) => 101 + i)]);
});

test("no more events are expected once all events in flight wait in the batcher", async () => {
  const lane = { events: 2, span: 1_000, bytes: 1_000_000 };
  const { clock, deps } = runOf(
    service(() => 0),
    { bounds: { realtime: lane, backfill: lane } },
  );
  const expected: boolean[] = [];
  const pool = {
    ask: deps.pool.ask.bind(deps.pool),
    askFor: deps.pool.askFor.bind(deps.pool),
    withdraw: deps.pool.withdraw.bind(deps.pool),
    get waiting() {
      return deps.pool.waiting;
    },
    expectMore: (more: boolean) => {
      expected.push(more);
      deps.pool.expectMore(more);
    },
  };

  const running = runLoop(lines(3), { ...deps, pool });
  await clock.advance(1_000);
  await running;

  // Two of the three are the limit of work, and linger together. Then the last one does not linger.
  expect(expected).toEqual([false, true, false, false]);
});

test("an abort ends a run that waits for a ticket, and leaves no timer", async () => {
  const reason = new Error("stop");
  const { clock, stop, tickets, run, sink } = runOf(service(() => 1));

  const running = run(lines(1));
  await clock.advance(1_000);
  expect(tickets.size).toBe(1);
  stop.abort(reason);

  await expect(running).rejects.toBe(reason);
  expect([clock.sleeping, tickets.size, sink.verdicts]).toEqual([0, 1, []]);
});
