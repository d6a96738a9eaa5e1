import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { Outcome } from "../../../../src/worker/answers/outcome.ts";
import { AnswerInvalidError } from "../../../../src/worker/answers/service-errors.ts";
import { BatchedDeadline } from "../../../../src/worker/screening/batched-deadline.ts";
import { DeadlineWatch } from "../../../../src/worker/screening/deadline-watch.ts";
import { VirtualClock } from "../../../fakes/virtual-clock.ts";

const outcome: Outcome<never> = {
  ok: false,
  error: new AnswerInvalidError("none"),
  trace: { requests: 1, cached: false },
};

function setup() {
  const clock = new VirtualClock();
  const deadlines = new DeadlineWatch(clock);
  const told: unknown[] = [];
  const patient = {
    answeredBefore: (deadlineAt: number) => told.push(["answered", deadlineAt]),
    failed: (reason: unknown) => told.push(["failed", reason]),
    overdue: () => told.push("overdue"),
  };
  return { clock, deadlines, told, patient };
}

test("a listener with a timely answer is notified with its deadline, and is not called again", async () => {
  const { clock, deadlines, told, patient } = setup();
  const at = clock.ticks() + 100;
  const waiting = new BatchedDeadline(patient, deadlines, at);

  await clock.advance(99);
  waiting.answered(outcome);
  waiting.answered(outcome);
  waiting.failed("late");
  await clock.advance(1_000);

  expect(told).toEqual([["answered", at]]);
});

test("a listener with a timely failure is notified once", async () => {
  const { clock, deadlines, told, patient } = setup();
  const waiting = new BatchedDeadline(patient, deadlines, clock.ticks() + 100);

  waiting.failed("down");
  waiting.failed("again");
  await clock.advance(1_000);

  expect(told).toEqual([["failed", "down"]]);
});

test("an overdue listener is notified, and later outcomes are ignored", async () => {
  const { clock, deadlines, told, patient } = setup();
  const waiting = new BatchedDeadline(patient, deadlines, clock.ticks() + 100);

  await clock.advance(100);
  waiting.answered(outcome);
  waiting.failed("late");

  expect(told).toEqual(["overdue"]);
});

test("the listener is released at its deadline, however long the answer takes", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const { clock, deadlines } = setup();
  const wait = () => {
    const patient = { answeredBefore: () => {}, failed: () => {}, overdue: () => {}, record: Buffer.alloc(1_000) };
    return { held: new WeakRef(patient), waiting: new BatchedDeadline(patient, deadlines, clock.ticks() + 100) };
  };
  const { held, waiting } = wait();

  await clock.advance(99);
  collect();
  expect(held.deref()).toBeDefined();
  await clock.advance(1);
  await new Promise((resolve) => setImmediate(resolve));
  collect();

  expect(held.deref()).toBeUndefined();
  waiting.answered(outcome);
});

test("who waits longer by then is overdue later, and has an answer in time until then", async () => {
  const { clock, deadlines, told, patient } = setup();
  const at = clock.ticks() + 100;
  const later = { ...patient, waitsUntil: () => at + 50 };
  const [answered, overdue] = [new BatchedDeadline(later, deadlines, at), new BatchedDeadline(later, deadlines, at)];
  await clock.advance(149);
  answered.answered(outcome);
  expect(told).toEqual([["answered", at + 50]]);

  await clock.advance(1);
  overdue.answered(outcome);
  expect(told).toEqual([["answered", at + 50], "overdue"]);
});
