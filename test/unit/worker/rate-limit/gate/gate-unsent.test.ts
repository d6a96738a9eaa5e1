import { expect, test } from "vitest";
import {
  ChainUnsupportedError,
  ItemFailedError,
  RejectedError,
  UNSENT,
  UnavailableError,
  UnreadableError,
} from "../../../../../src/worker/answers/service-errors.ts";
import { RateLearner } from "../../../../../src/worker/rate-limit/learner/rate-learner.ts";
import { openGate } from "../../../../fakes/open-gate.ts";
import { someTurn } from "../../../../fakes/turns.ts";
import { VirtualClock } from "../../../../fakes/virtual-clock.ts";

const unsent = [
  new RejectedError("the adapter threw", UNSENT),
  new ChainUnsupportedError("the adapter knows no such chain", UNSENT),
  new ItemFailedError("the adapter says unknown", UNSENT),
] as const;
const unavailable = new UnavailableError("the service answered 500", { status: 500 });

/** A gate with a service that is down: ten requests about ten events failed. */
async function downGate(knock?: () => Promise<unknown>) {
  const clock = new VirtualClock();
  const gate = openGate(clock, { knock });
  const failing = (error: Error, event: string) =>
    gate.run(() => ({ events: [event], answer: Promise.reject(error) }), someTurn());
  for (let i = 0; i < 10; i++) await expect(failing(unavailable, `event ${i}`)).rejects.toBe(unavailable);
  expect(gate.closed).toBe("failing");
  return { clock, gate, failing };
}

test.each(unsent)("a request that an adapter refuses itself (%o) does not close the circuit breaker", async (error) => {
  const { clock, gate, failing } = await downGate();
  const refused = failing(error, "refused").catch((thrown: unknown) => thrown);
  await clock.advance(60_000);

  expect(await refused).toBe(error);
  expect(gate.closed).toBe("failing");
  expect(gate.answers).toBe(0);
});

test("after a health probe that cannot be sent the next probe asks an event's question", async () => {
  let knocks = 0;
  const { clock, gate } = await downGate(async () => {
    knocks++;
    throw unsent[1];
  });
  const asked = gate.run(() => ({ events: ["e"], answer: Promise.reject(unavailable) }), someTurn());
  const failed = asked.catch((thrown: unknown) => thrown);
  const next = gate.run(() => ({ events: ["f"], answer: Promise.resolve("0") }), someTurn());
  await clock.advance(60_000);

  expect(await failed).toBe(unavailable);
  expect(await next).toBe("0");
  expect(gate.closed).toBeUndefined();
  expect(knocks).toBe(1);
});

test("a request that was not sent is not reported to the pacer, and is no answer", async () => {
  const clock = new VirtualClock();
  const heard: string[] = [];
  const hears = (name: string) => ({ [name]: () => void heard.push(name) });
  const told = ["taken", "failed", "refused", "undecided"].map(hears);
  const pacer = Object.assign(new RateLearner(() => 0.5), ...told);
  const gate = openGate(clock, { pacer });
  for (const error of unsent) {
    const asked = gate.run(() => ({ events: ["e"], answer: Promise.reject(error) }), someTurn());
    await expect(asked).rejects.toBe(error);
  }

  expect(heard).toEqual(["undecided", "undecided", "undecided"]);
  expect(gate.answers).toBe(0);
});

test("unreadable answers to ten events in a row are an outage, since a maintenance page has status 200", async () => {
  const gate = openGate(new VirtualClock());
  const page = new UnreadableError("the answer is not application/json");
  for (let i = 0; i < 10; i++) {
    const asked = gate.run(() => ({ events: [`event ${i}`], answer: Promise.reject(page) }), someTurn());
    await expect(asked).rejects.toBe(page);
  }
  expect(gate.closed).toBe("failing");
  expect(gate.isFree(page)).toBe(true);
});
