import { expect, test } from "vitest";
import { screening } from "../../src/worker/screening/screener.ts";
import { defaultPolicy } from "../fakes/events.ts";
import { clean } from "../fakes/evidence.ts";
import { FakeService } from "../fakes/fake-service.ts";
import { FakeSink, recordOf } from "../fakes/records.ts";
import { pacedSlots } from "../fakes/slots.ts";
import { VirtualClock } from "../fakes/virtual-clock.ts";
import { workerFor } from "../fakes/worker.ts";
import { labels, me, stranger, token } from "../fixtures/evm-people.ts";
import { calldata } from "../support/evm-calls.ts";
import { inProcessService } from "../support/in-process-service.ts";

const SLOT_MS = 100;
const ANSWER_MS = 300;

/** One EVM transaction each `everyMs` in realtime. @returns the share of the second half that was answered in time. */
async function inTime(everyMs: number, deadlineMs: number, lastsMs: number): Promise<number> {
  const clock = new VirtualClock();
  const real = inProcessService(labels);
  const evm = new FakeService().on(
    "evmTransactionSecurity",
    () => ({ code: "0", status: "ok", data: clean.tron }) as never,
  );
  const service: typeof real = {
    ask: async (route, request, signal) => {
      await clock.sleep(ANSWER_MS);
      return route === "evmTransactionSecurity" ? evm.ask(route, request, signal) : real.ask(route, request, signal);
    },
  };
  const sink = new FakeSink();
  const worker = workerFor(service, {
    ...{ sink, clock, slots: pacedSlots(clock, SLOT_MS), concurrency: 64, deadlineMs, overdueGraceMs: deadlineMs },
    policyFor: () => defaultPolicy,
  });
  worker.pool.expectMore(false);
  const screen = screening(worker);
  const failures: unknown[] = [];
  for (let ms = 0, n = 1; ms < lastsMs; ms += everyMs, n++) {
    const data = calldata("approve(address,uint256)", [stranger, BigInt(n)]);
    const event = { id: String(n), type: "transaction", chain_id: "1", transaction: { from: me, to: token, data } };
    const record = { ...recordOf(JSON.stringify(event), n), lane: "realtime" as const, timestamp: clock.now() };
    screen(record).catch((thrown: unknown) => failures.push(thrown));
    await clock.advance(everyMs);
  }
  expect(failures).toEqual([]);
  const half = sink.verdicts.slice(Math.floor(sink.verdicts.length / 2));
  return half.filter(({ decision }) => decision !== "UNKNOWN").length / half.length;
}

/**
 * Each row: transactions per second at ten requests per second, the share that could be in time, and the required
 * share.
 */
test.each([
  [80, 3_000, 90_000, 0.8, 0.65],
  [50, 3_000, 60_000, 0.5, 0.4],
  [70, 30_000, 240_000, 0.7, 0.58],
])(
  "one transaction each %i ms, at ten requests a second: most of the transactions that can be in time are in time",
  async (everyMs, deadlineMs, lastsMs, most, least) => {
    const share = await inTime(everyMs, deadlineMs, lastsMs);

    expect(share).toBeGreaterThan(least);
    expect(share).toBeLessThanOrEqual(most + 0.05);
  },
);
