import { describe, expect, test } from "vitest";
import { InputUnreadableError, OutputUnwritableError } from "../../../../src/kernel/errors.ts";
import type { Verdict } from "../../../../src/messages/verdict.ts";
import { eventBytes } from "../../../../src/worker/answers/retained-bytes.ts";
import { RateLimitedError, UnavailableError } from "../../../../src/worker/answers/service-errors.ts";
import type { LaneBounds } from "../../../../src/worker/offsets/lane-bounds.ts";
import type { InputRecord, VerdictSink } from "../../../../src/worker/ports.ts";
import { runLoop } from "../../../../src/worker/screening/loop.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { FakeSink, recordOf } from "../../../fakes/records.ts";
import { singleAnswer } from "../../../fakes/single-answer.ts";
import { settled, VirtualClock } from "../../../fakes/virtual-clock.ts";
import { workerFor } from "../../../fakes/worker.ts";

/** Each line asks about its own address. */
const addressOn = (line: number) => `0xd9a1c3788d81257612e2581a6ea0ada2${line.toString(16).padStart(8, "0")}`;
const eventOn = (line: number) => ({ type: "address", chain_id: "1", address: addressOn(line) });

/** A service that flags nothing. `asked` is called with the line of each question. */
function service(asked: (line: number, signal: AbortSignal) => void | Promise<void> = () => {}): FakeService {
  return new FakeService().on("poisoningSingle", async ({ address, user_address }, _nth, signal) => {
    if (user_address === undefined) await asked(Number.parseInt(address.slice(-8), 16), signal);
    return singleAnswer(address);
  });
}

/** Chunks of one record each, of `count` lines. `read` is called for each chunk that is taken. */
async function* lines(count: number, read: (line: number) => void = () => {}): AsyncGenerator<InputRecord[]> {
  for (let line = 1; line <= count; line++) {
    read(line);
    yield [recordOf(eventOn(line), line)];
  }
}

/** A worker with room for `events` events. */
function depsOf(asked: FakeService, own: Parameters<typeof workerFor>[1] = {}, events = 3) {
  const settled: Verdict[] = [];
  const lane = { events, span: 1_000, bytes: 10_000_000 };
  const deps = workerFor(asked, {
    bounds: { realtime: lane, backfill: lane },
    onVerdict: (verdict) => settled.push(verdict),
    ...own,
  });
  return { deps, settled };
}

const lineOf = ({ source }: Verdict) => ("line" in source ? source.line : 0);

test("every record gets one verdict, which is written before it is reported", async () => {
  const sink = new FakeSink();
  const { deps } = depsOf(service(), { sink });
  const toldAfterWriting: boolean[] = [];
  const onVerdict = (verdict: Verdict) => toldAfterWriting.push(sink.verdicts.includes(verdict));

  await runLoop(lines(20), { ...deps, onVerdict });

  expect(sink.verdicts.map(lineOf).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  expect(toldAfterWriting).toEqual(new Array(20).fill(true));
});

test("an empty input has no verdict", async () => {
  const { deps, settled } = depsOf(service());

  await runLoop(lines(0), deps);

  expect(settled).toEqual([]);
});

test("records of one chunk are read one by one, as long as there is room", async () => {
  const gate = Promise.withResolvers<void>();
  const asked = service(() => gate.promise);
  const taken: number[] = [];
  async function* together() {
    yield (function* () {
      for (let line = 1; line <= 10; line++) {
        taken.push(line);
        yield recordOf(eventOn(line), line);
      }
    })();
  }
  const { deps, settled: verdicts } = depsOf(asked);

  const running = runLoop(together(), deps);
  await settled();
  const takenWhileFull = [...taken];
  gate.resolve();
  await running;

  expect(takenWhileFull).toEqual([1, 2, 3]);
  expect(verdicts.map(lineOf).sort((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, i) => i + 1));
});

test("a slow record delays no other", async () => {
  const gate = Promise.withResolvers<void>();
  const asked = service(async (line) => {
    if (line === 1) await gate.promise;
  });
  const sink = new FakeSink();
  const { deps } = depsOf(asked, { sink });
  const onVerdict = (verdict: Verdict) => {
    if (lineOf(verdict) === 5) gate.resolve();
  };

  await runLoop(lines(5), { ...deps, onVerdict });

  expect(sink.verdicts.map(lineOf)).toEqual([2, 3, 4, 5, 1]);
});

test("records in flight never exceed the limit, count until they are written, and use the whole limit", async () => {
  let open = 0;
  let most = 0;
  const sink: VerdictSink = {
    async write() {
      await Promise.resolve();
      open--;
    },
  };
  const { deps } = depsOf(service(), { sink }, 3);
  const read = () => {
    open++;
    most = Math.max(most, open);
  };

  await runLoop(lines(50, read), deps);

  expect(most).toBe(3);
});

test("no record is read while the limit is reached", async () => {
  const gate = Promise.withResolvers<void>();
  const third = Promise.withResolvers<void>();
  const asked = service(async (line) => {
    if (line === 3) third.resolve();
    await gate.promise;
  });
  const taken: number[] = [];
  const { deps } = depsOf(asked);

  const running = runLoop(
    lines(10, (line) => taken.push(line)),
    deps,
  );
  await third.promise;
  await new Promise((resolve) => setImmediate(resolve));
  const takenWhileFull = [...taken];
  gate.resolve();
  await running;

  expect(takenWhileFull).toEqual([1, 2, 3]);
  expect(taken).toHaveLength(10);
});

test("no record is read while the gate is held, and the rest is read afterwards", async () => {
  const gate = Promise.withResolvers<void>();
  const asked = service((line) => (line === 1 ? gate.promise : undefined));
  const taken: number[] = [];
  const { deps } = depsOf(asked);

  deps.gate.hold(true);
  const running = runLoop(
    lines(3, (line) => taken.push(line)),
    deps,
  );
  await settled();
  const takenWhileHeld = [...taken];
  deps.gate.hold(false);
  gate.resolve();
  await running;

  expect(takenWhileHeld).toEqual([1]);
  expect(taken).toEqual([1, 2, 3]);
});

describe("there is room", () => {
  /** Lines that are answered when the test says so. */
  async function reading(
    lane: LaneBounds,
    records: (read: (line: number) => void) => AsyncIterable<Iterable<InputRecord>>,
  ) {
    const gates = new Map<number, () => void>();
    const asked = service(async (line) => {
      const gate = Promise.withResolvers<void>();
      gates.set(line, gate.resolve);
      await gate.promise;
    });
    const taken: number[] = [];
    const { deps } = depsOf(asked, { bounds: { realtime: lane, backfill: lane } });
    const running = runLoop(
      records((line) => taken.push(line)),
      deps,
    );
    await settled();
    const answer = async (line: number) => {
      gates.get(line)?.();
      await settled();
    };
    return { running, taken, answer };
  }

  const wide = { events: 1_000, span: 1_000, bytes: 10_000_000 };
  const { byteLength } = recordOf(eventOn(1)).bytes;

  test.each<[string, LaneBounds]>([
    ["in bytes", { ...wide, bytes: 8 * eventBytes(byteLength) }],
    ["in events", { ...wide, events: 8 }],
    ["in the span of what was read", { ...wide, span: 8 }],
  ])("up to the limit %s, and again when a quarter of it is free", async (_name, lane) => {
    const { running, taken, answer } = await reading(lane, (read) => lines(12, read));

    const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);
    expect(taken).toEqual(upTo(8));
    await answer(1);
    expect(taken).toEqual(upTo(8));
    await answer(2);
    expect(taken).toEqual(upTo(10));
    for (let line = 3; line <= 12; line++) await answer(line);
    await running;

    expect(taken).toEqual(upTo(12));
  });

  test("for lines that are far apart as for others, because the lines between have their verdicts", async () => {
    async function* sparse(read: (line: number) => void) {
      for (const line of [1, 50_000, 100_000]) {
        read(line);
        yield [recordOf(eventOn(line), line)];
      }
    }
    const { running, taken, answer } = await reading({ ...wide, span: 4 }, sparse);

    expect(taken).toEqual([1, 50_000, 100_000]);
    for (const line of taken) await answer(line);
    await running;
  });
});

describe("a failure of the sink", () => {
  const error = new OutputUnwritableError("disk full");
  const failingAt = (line: number): VerdictSink => ({
    async write(verdict) {
      if (lineOf(verdict) === line) throw error;
    },
  });

  test("the failure stops the run with its error, and its record is not reported", async () => {
    const { deps, settled } = depsOf(service(), { sink: failingAt(5) });
    const taken: number[] = [];

    const running = runLoop(
      lines(1_000, (line) => taken.push(line)),
      deps,
    );

    await expect(running).rejects.toBe(error);
    expect(settled.map(lineOf)).not.toContain(5);
    expect(taken.length).toBeLessThan(20);
  });

  test("a failure at the last record is not lost", async () => {
    const { deps } = depsOf(service(), { sink: failingAt(2) });

    await expect(runLoop(lines(2), deps)).rejects.toBe(error);
  });

  test("the run ends after the records in flight", async () => {
    const gate = Promise.withResolvers<void>();
    const asked = service(async (line) => {
      if (line === 1) await gate.promise;
    });
    const { deps, settled } = depsOf(asked, { sink: failingAt(2) });

    const running = runLoop(lines(100), deps);
    gate.resolve();

    await expect(running).rejects.toBe(error);
    expect(settled.map(lineOf)).toContain(1);
  });
});

test("an unreadable input ends the run, after the records in flight are written", async () => {
  const error = new InputUnreadableError("unexpected end of file");
  const thrown = Promise.withResolvers<void>();
  const slow = service((line) => (line === 2 ? thrown.promise : undefined));
  // There is no room for a third record. So two have left when the input fails, and the second has no answer.
  const { deps, settled } = depsOf(slow, {}, 2);
  async function* broken() {
    yield* lines(2);
    setImmediate(thrown.resolve);
    throw error;
  }

  await expect(runLoop(broken(), deps)).rejects.toBe(error);
  expect(settled.map(lineOf).sort()).toEqual([1, 2]);
});

test("a bug in a rule ends the run with its own error", async () => {
  const bug = new TypeError("x is undefined");
  const asked = service(() => {
    throw bug;
  });
  const { deps, settled } = depsOf(asked);

  await expect(runLoop(lines(10), deps)).rejects.toBe(bug);
  expect(settled).toEqual([]);
});

/** A signal, and the options for `workerFor` with it. */
function stopping() {
  const stop = new AbortController();
  const abort = (reason: unknown) => stop.abort(reason);
  return { stop, own: { signal: stop.signal, abort } };
}

test("an abort ends the run with the signal's reason, and causes no verdict", async () => {
  const { stop, own } = stopping();
  const reason = new Error("stop");
  const asked = service((line, signal) => {
    if (line === 4) stop.abort(reason);
    signal.throwIfAborted();
  });
  const { deps, settled } = depsOf(asked, own, 1);

  await expect(runLoop(lines(100), deps)).rejects.toBe(reason);
  expect(settled.map(lineOf)).toEqual([1, 2, 3]);
});

test("an abort ends the run with the signal's reason, whatever it interrupts", async () => {
  const { stop, own } = stopping();
  const reason = new Error("stop");
  const asked = service(() => {
    stop.abort(reason);
    throw new UnavailableError("no answer from the service: the socket was closed");
  });
  const { deps, settled } = depsOf(asked, own);

  await expect(runLoop(lines(100), deps)).rejects.toBe(reason);
  expect(settled).toEqual([]);
});

test("an abort ends a run that waits for its quota, or for a permit", async () => {
  const { stop, own } = stopping();
  const reason = new Error("stop");
  const limited = service(() => {
    throw new RateLimitedError("the service answered 429", 3_600_000);
  });
  const clock = new VirtualClock();
  const { deps } = depsOf(limited, { ...own, clock });
  const running = runLoop(lines(100), deps);
  await clock.advance(500);
  expect(deps.gate.closed).toBe("rate limited");

  stop.abort(reason);

  await expect(running).rejects.toBe(reason);
  expect(clock.sleeping).toBe(0);
});

test("an abort that no request notices still ends the run, because the run is incomplete", async () => {
  const { stop, own } = stopping();
  const reason = new Error("stop");
  const settled: number[] = [];
  const onVerdict = (verdict: Verdict) => {
    settled.push(lineOf(verdict));
    if (settled.length === 2) stop.abort(reason);
  };
  const { deps } = depsOf(service(), { ...own, onVerdict }, 1);

  await expect(runLoop(lines(100), deps)).rejects.toBe(reason);
  expect(settled).toEqual([1, 2]);
});

test("a run that is aborted before its start screens nothing twice and ends with the reason", async () => {
  const reason = new Error("stopped before");
  const { deps, settled } = depsOf(
    service((_line, signal) => signal.throwIfAborted()),
    { signal: AbortSignal.abort(reason) },
  );

  await expect(runLoop(lines(5), deps)).rejects.toBe(reason);
  expect(settled).toEqual([]);
});
