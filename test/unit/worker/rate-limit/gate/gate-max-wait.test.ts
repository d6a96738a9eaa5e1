import { expect, test } from "vitest";
import { RateLimitedError, UnavailableError } from "../../../../../src/worker/answers/service-errors.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";
import { openGate } from "../../../../fakes/open-gate.ts";
import { someTurn } from "../../../../fakes/turns.ts";
import { VirtualClock } from "../../../../fakes/virtual-clock.ts";

const MINUTE = 60_000;

/** A service that asks for a wait of 20 minutes once, and then for the rest of that wait. */
function setup(openAfterMs: number) {
  const clock = new VirtualClock(0);
  const log = new FakeLog();
  const gate = openGate(clock, { log, maxWaitMs: 5 * MINUTE });
  const sent: string[] = [];
  const ask = async (lane: "realtime" | "backfill"): Promise<void> => {
    try {
      await gate.run(() => {
        sent.push(`${lane} ${clock.ticks() / MINUTE}`);
        const isOpen = clock.ticks() >= openAfterMs;
        const left = 20 * MINUTE - clock.ticks();
        return {
          events: [lane],
          answer: isOpen ? Promise.resolve() : Promise.reject(new RateLimitedError("429", left)),
        };
      }, someTurn(lane));
    } catch {
      await ask(lane);
    }
  };
  return { clock, log, sent, ask };
}

test("realtime events ask again after the limit, and backfill asks after the whole wait", async () => {
  const { clock, log, sent, ask } = setup(20 * MINUTE);
  const all = Promise.all([ask("backfill"), ask("realtime")]);
  await clock.runUntil(all);

  expect(sent.slice(2)).toEqual(["realtime 5", "realtime 10", "realtime 15", "realtime 20", "backfill 20"]);
  expect(log.lines).toMatchObject([
    {
      level: "warn",
      message: "the service asks for a wait longer than SERVICE_MAX_WAIT: realtime events ask again before it ends",
      fields: { waitMs: 20 * MINUTE, maxWaitMs: 5 * MINUTE },
    },
  ]);
});

test("an answer to a realtime event ends the wait of both lanes", async () => {
  const { clock, sent, ask } = setup(8 * MINUTE);
  await clock.runUntil(Promise.all([ask("backfill"), ask("realtime")]));

  expect(sent.slice(2)).toEqual(["realtime 5", "realtime 10", "backfill 10"]);
});

test("a realtime event that comes later does not wait for longer", async () => {
  const { clock, sent, ask } = setup(8 * MINUTE);
  const backfill = ask("backfill");
  await clock.advance(9 * MINUTE);
  const realtime = ask("realtime");
  await clock.runUntil(Promise.all([backfill, realtime]));

  expect(sent).toEqual(["backfill 0", "realtime 9", "backfill 9"]);
});

test("backfill waits in full where no realtime event waits", async () => {
  const { clock, sent, ask } = setup(8 * MINUTE);
  await clock.runUntil(ask("backfill"));

  expect(sent).toEqual(["backfill 0", "backfill 20"]);
});

test("a 503 with a wait costs no attempt, and only a probe is sent after the wait", async () => {
  const clock = new VirtualClock(0);
  const log = new FakeLog();
  const gate = openGate(clock, { log, maxWaitMs: 5 * MINUTE, patienceMs: 30_000 });
  const down = new UnavailableError("503", { status: 503, retryAfterMs: 45_000 });
  const sent: number[] = [];
  const ask = () =>
    gate.run(() => {
      sent.push(clock.ticks());
      return { events: ["e"], answer: clock.ticks() < 50_000 ? Promise.reject(down) : Promise.resolve("yes") };
    }, someTurn());
  await expect(ask()).rejects.toBe(down);
  expect([gate.isFree(down), gate.closed]).toEqual([true, "failing"]);
  const again = expect(ask()).rejects.toBe(down);
  await clock.advance(44_999);
  expect(sent).toEqual([0]);
  await clock.advance(1);
  await again;

  expect(await clock.runUntil(ask())).toBe("yes");
  expect(sent).toEqual([0, 45_000, 90_000]);
  expect(log.messages("warn")).toEqual(Array(2).fill("the service is down and says for how long: everything waits"));
});
