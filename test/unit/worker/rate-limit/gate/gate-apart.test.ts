import { expect, test } from "vitest";
import { LoadRefusedError, RefusedAgainError } from "../../../../../src/worker/answers/service-errors.ts";
import type { GateDeps } from "../../../../../src/worker/rate-limit/gate/gate.ts";
import { RateLearner } from "../../../../../src/worker/rate-limit/learner/rate-learner.ts";
import { openGate } from "../../../../fakes/open-gate.ts";
import { someTurn } from "../../../../fakes/turns.ts";
import { settled, VirtualClock } from "../../../../fakes/virtual-clock.ts";

/** A gate with a service that refused the event "bad" once, and answered others since. */
async function setup(own: Partial<GateDeps> = {}) {
  const clock = new VirtualClock(0);
  const statuses: number[] = [];
  const gate = openGate(clock, { onLoadRefused: (status) => statuses.push(status), ...own });
  const answer = () => gate.run(() => ({ events: ["good"], answer: Promise.resolve("an answer") }), someTurn());
  const refuse = (waitMs: number) =>
    gate
      .run(() => ({ events: ["bad"], answer: Promise.reject(new LoadRefusedError("503", waitMs)) }), someTurn())
      .catch((thrown: unknown) => ({ thrown, at: clock.ticks() }));
  await refuse(1_000);
  await clock.advance(1_000);
  await answer();
  return { gate, clock, statuses, answer, refuse };
}

test("an event that is refused again waits by itself, and counts as queued meanwhile", async () => {
  const { gate, clock, statuses, answer, refuse } = await setup();
  const refused = refuse(30_000);
  await settled();
  expect(gate.closed).toBeUndefined();
  expect(await answer()).toBe("an answer");
  await clock.advance(30_000);

  expect(await refused).toEqual({ thrown: expect.any(RefusedAgainError), at: 31_000 });
  expect(statuses).toEqual([503, 503]);
  await clock.advance(29_999);
  expect(gate.isQueued).toBe(true);
  await clock.advance(1);
  expect(gate.isQueued).toBe(false);
});

test("an event that is refused again waits for SERVICE_MAX_WAIT at most", async () => {
  const { clock, refuse } = await setup({ maxWaitMs: 20_000 });
  const refused = refuse(120_000);
  await clock.advance(20_000);

  expect(await refused).toMatchObject({ at: 21_000 });
});

test("a repeated refusal of one event is not reported to the pacer", async () => {
  let refusals = 0;
  const pacer = Object.assign(new RateLearner(() => 0.5), { refused: () => void refusals++ });
  const { clock, refuse } = await setup({ pacer });
  expect(refusals).toBe(1);
  const refused = refuse(1_000);
  await clock.advance(1_000);
  await refused;

  expect(refusals).toBe(1);
});

test("abandoning the gate ends the wait of a refused event", async () => {
  const { gate, refuse } = await setup();
  const refused = refuse(120_000);
  await settled();
  gate.abandon(new Error("the end"));

  expect(await refused).toMatchObject({ thrown: { message: "the end" } });
});
