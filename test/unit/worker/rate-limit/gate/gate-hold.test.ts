import { expect, test } from "vitest";
import { ServiceDownError, UnavailableError } from "../../../../../src/worker/answers/service-errors.ts";
import { openGate } from "../../../../fakes/open-gate.ts";
import { someTurn } from "../../../../fakes/turns.ts";
import { VirtualClock } from "../../../../fakes/virtual-clock.ts";

const unavailable = new UnavailableError("the service answered 503");
const down = new ServiceDownError("no request to the service succeeded for 30 s; last: the service answered 503");

/** A gate with a service that is down from 0 on, and the outcome of each request. */
async function broken() {
  const clock = new VirtualClock(0);
  const probes: number[] = [];
  const ended: unknown[] = [];
  const gate = openGate(clock, { patienceMs: 30_000 });
  /** Makes a request that fails after `latencyMs`. */
  const ask = (event: string, latencyMs = 0) =>
    void gate
      .run(() => {
        probes.push(clock.ticks());
        return { events: [event], answer: clock.sleep(latencyMs).then(() => Promise.reject(unavailable)) };
      }, someTurn())
      .catch((thrown: unknown) => ended.push(thrown));
  for (let i = 0; i < 10; i++) ask(`event ${i}`);
  await clock.advance(0);
  probes.length = 0;
  ended.length = 0;
  return { gate, clock, probes, ended, ask };
}

test("a service that was down for 20 s before a hold of 40 s has 10 s left, and is probed at once", async () => {
  const { gate, clock, probes, ended, ask } = await broken();
  await clock.advance(20_000);
  gate.hold(true);
  for (let i = 0; i < 9; i++) ask("a");
  await clock.advance(40_000);
  expect([probes, ended]).toEqual([[], []]);
  gate.hold(false);
  await clock.advance(0);
  expect([probes, ended]).toEqual([[60_000], [unavailable]]);
  await clock.advance(9_999);
  expect(ended.filter((each) => each !== unavailable)).toEqual([]);
  ask("b");
  await clock.advance(1);
  ask("c");
  await clock.advance(0);

  expect(gate.closed).toBe("failing");
  expect(ended.slice(-2)).toEqual([down, down]);
  expect(probes.every((at) => at < 70_000)).toBe(true);
});

test("a probe that is not due at the end of a hold is sent when it is due", async () => {
  const { gate, clock, probes, ask } = await broken();
  gate.hold(true);
  ask("a");
  await clock.advance(400);
  gate.hold(false);
  await clock.advance(599);
  expect(probes).toEqual([]);
  await clock.advance(1);

  expect(probes).toEqual([1_000]);
});

test("a request that comes during a hold does not fail, however long the hold lasts", async () => {
  const { gate, clock, ended, ask } = await broken();
  await clock.advance(29_999);
  gate.hold(true);
  await clock.advance(3_600_000);
  ask("a");
  await clock.advance(0);
  expect(ended).toEqual([]);
  gate.hold(false);
  await clock.advance(1);
  ask("b");
  await clock.advance(0);

  expect(ended).toEqual([unavailable, down]);
});

test("an answer during a hold ends the outage, and the next outage has the full patience", async () => {
  const { gate, clock, ended, ask } = await broken();
  await clock.advance(20_000);
  const answer = Promise.withResolvers<void>();
  const probe = gate.run(() => ({ events: ["probe"], answer: answer.promise }), someTurn());
  await clock.advance(0);
  gate.hold(true);
  await clock.advance(5_000);
  answer.resolve();
  await probe;
  gate.hold(false);
  for (let i = 0; i < 10; i++) ask(`again ${i}`);
  await clock.advance(0);
  ended.length = 0;
  await clock.advance(29_999);
  ask("a");
  await clock.advance(0);
  expect(ended).toEqual([unavailable]);
  ask("b");
  await clock.advance(1);
  ask("c");
  await clock.advance(0);

  expect(ended.slice(-1)).toEqual([down]);
});
