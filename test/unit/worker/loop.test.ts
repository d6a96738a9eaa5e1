import { describe, expect, test } from "vitest";
import type { ResponseOf } from "../../../src/contract/routes.ts";
import type { Verdict } from "../../../src/events/verdict.ts";
import { InputUnreadableError, OutputUnwritableError } from "../../../src/kernel/errors.ts";
import { type LoopDeps, runLoop } from "../../../src/worker/loop.ts";
import type { InputRecord, VerdictSink } from "../../../src/worker/ports.ts";
import { defaultPolicy } from "../../fakes/events.ts";
import { clean } from "../../fakes/evidence.ts";
import { FakeClock } from "../../fakes/fake-clock.ts";
import { FakeService } from "../../fakes/fake-service.ts";
import { patient } from "../../fakes/patient.ts";
import { FakeSink, recordOf } from "../../fakes/records.ts";

const target = "0xd9a1c3788d81257612e2581a6ea0ada244853a91";
const event = { type: "address", chain_id: "1", address: target };
const answer = {
  code: "0",
  status: "ok",
  data: {
    target_address: clean.target,
    token_address: {},
    target_address_input: target,
    user_address_input: "",
    token_address_input: "",
  },
} as ResponseOf<"poisoningSingle">;

/** The records of `count` lines; `read` hears of each as it is taken. */
async function* lines(count: number, read: (line: number) => void = () => {}): AsyncGenerator<InputRecord> {
  for (let line = 1; line <= count; line++) {
    read(line);
    yield recordOf(event, line);
  }
}

function depsOf(service: FakeService, sink: VerdictSink = new FakeSink(), maxInFlight = 3) {
  const settled: Verdict[] = [];
  const deps: LoopDeps = {
    service,
    sink,
    maxInFlight,
    clock: new FakeClock(),
    random: () => 0.5,
    retry: { attempts: 1, baseMs: 1, maxMs: 1 },
    health: patient,
    policyFor: () => defaultPolicy,
    software: "weir/test",
    onSettled: (verdict) => settled.push(verdict),
  };
  return { deps, settled };
}

const lineOf = ({ source }: Verdict) => ("line" in source ? source.line : 0);
const immediate = () => new FakeService().on("poisoningSingle", () => answer);
const never = new AbortController().signal;

test("every record gets one verdict, written before it is told of", async () => {
  const sink = new FakeSink();
  const { deps } = depsOf(immediate(), sink);
  const toldAfterWriting: boolean[] = [];
  const onSettled = (verdict: Verdict) => toldAfterWriting.push(sink.verdicts.includes(verdict));

  await runLoop(lines(20), { ...deps, onSettled }, never);

  expect(sink.verdicts.map(lineOf).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  expect(toldAfterWriting).toEqual(new Array(20).fill(true));
});

test("no record at all is no verdict", async () => {
  const { deps, settled } = depsOf(immediate());

  await runLoop(lines(0), deps, never);

  expect(settled).toEqual([]);
});

test("a slow record holds up no other", async () => {
  const gate = Promise.withResolvers<void>();
  const service = new FakeService().on("poisoningSingle", async (_request, nth) => {
    if (nth === 1) await gate.promise;
    return answer;
  });
  const sink = new FakeSink();
  const { deps } = depsOf(service, sink);
  const onSettled = (verdict: Verdict) => {
    if (lineOf(verdict) === 5) gate.resolve();
  };

  await runLoop(lines(5), { ...deps, onSettled }, never);

  expect(sink.verdicts.map(lineOf)).toEqual([2, 3, 4, 5, 1]);
});

test("no more than the bound are in flight, counted until they are written, and all places are used", async () => {
  let open = 0;
  let most = 0;
  const sink: VerdictSink = {
    async write() {
      await Promise.resolve();
      open--;
    },
  };
  const { deps } = depsOf(immediate(), sink, 3);
  const read = () => {
    open++;
    most = Math.max(most, open);
  };

  await runLoop(lines(50, read), deps, never);

  expect(most).toBe(3);
});

test("while every place is taken nothing more is read", async () => {
  const gate = Promise.withResolvers<void>();
  const third = Promise.withResolvers<void>();
  const service = new FakeService().on("poisoningSingle", async (_request, nth) => {
    if (nth === 3) third.resolve();
    await gate.promise;
    return answer;
  });
  const taken: number[] = [];
  const { deps } = depsOf(service);

  const running = runLoop(
    lines(10, (line) => taken.push(line)),
    deps,
    never,
  );
  await third.promise;
  await new Promise((resolve) => setImmediate(resolve));
  const takenWhileFull = [...taken];
  gate.resolve();
  await running;

  expect(takenWhileFull).toEqual([1, 2, 3]);
  expect(taken).toHaveLength(10);
});

describe("a failure of the sink", () => {
  const error = new OutputUnwritableError("disk full");
  const failingAt = (line: number): VerdictSink => ({
    async write(verdict) {
      if (lineOf(verdict) === line) throw error;
    },
  });

  test("stops the run with that error, and its record is not told of", async () => {
    const { deps, settled } = depsOf(immediate(), failingAt(5));
    const taken: number[] = [];

    const running = runLoop(
      lines(1_000, (line) => taken.push(line)),
      deps,
      never,
    );

    await expect(running).rejects.toBe(error);
    expect(settled.map(lineOf)).not.toContain(5);
    expect(taken.length).toBeLessThan(20);
  });

  test("at the last record is not lost", async () => {
    const { deps } = depsOf(immediate(), failingAt(2));

    await expect(runLoop(lines(2), deps, never)).rejects.toBe(error);
  });

  test("waits for what is in flight before the run ends", async () => {
    const gate = Promise.withResolvers<void>();
    const service = new FakeService().on("poisoningSingle", async (_request, nth) => {
      if (nth === 1) await gate.promise;
      return answer;
    });
    const { deps, settled } = depsOf(service, failingAt(2));

    const running = runLoop(lines(100), deps, never);
    gate.resolve();

    await expect(running).rejects.toBe(error);
    expect(settled.map(lineOf)).toContain(1);
  });
});

test("an input that cannot be read on ends the run, after what is in flight was written", async () => {
  const error = new InputUnreadableError("unexpected end of file");
  const { deps, settled } = depsOf(immediate());
  async function* broken() {
    yield* lines(2);
    throw error;
  }

  await expect(runLoop(broken(), deps, never)).rejects.toBe(error);
  expect(settled.map(lineOf).sort()).toEqual([1, 2]);
});

test("a bug in a rule ends the run as itself", async () => {
  const bug = new TypeError("x is undefined");
  const service = new FakeService().on("poisoningSingle", () => {
    throw bug;
  });
  const { deps, settled } = depsOf(service);

  await expect(runLoop(lines(10), deps, never)).rejects.toBe(bug);
  expect(settled).toEqual([]);
});

test("an abort ends the run with the signal's reason, and no verdict is made of it", async () => {
  const stop = new AbortController();
  const reason = new Error("stop");
  const service = new FakeService().on("poisoningSingle", (_request, nth, signal) => {
    if (nth === 4) stop.abort(reason);
    signal.throwIfAborted();
    return answer;
  });
  const { deps, settled } = depsOf(service, new FakeSink(), 1);

  await expect(runLoop(lines(100), deps, stop.signal)).rejects.toBe(reason);
  expect(settled.map(lineOf)).toEqual([1, 2, 3]);
});

test("an abort that no call notices ends the run all the same: it is not complete", async () => {
  const stop = new AbortController();
  const reason = new Error("stop");
  const { deps } = depsOf(immediate(), new FakeSink(), 1);
  const settled: number[] = [];
  const onSettled = (verdict: Verdict) => {
    settled.push(lineOf(verdict));
    if (settled.length === 2) stop.abort(reason);
  };

  await expect(runLoop(lines(100), { ...deps, onSettled }, stop.signal)).rejects.toBe(reason);
  expect(settled).toEqual([1, 2]);
});

test("a run that was aborted before it began screens nothing twice and ends with the reason", async () => {
  const reason = new Error("stopped before");
  const { deps, settled } = depsOf(
    new FakeService().on("poisoningSingle", (_request, _nth, signal) => {
      signal.throwIfAborted();
      return answer;
    }),
  );

  await expect(runLoop(lines(5), deps, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(settled).toEqual([]);
});
