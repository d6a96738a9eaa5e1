import { expect, test } from "vitest";
import { DeadlineWatch } from "../../../../src/worker/screening/deadline-watch.ts";
import { settled, VirtualClock } from "../../../fakes/virtual-clock.ts";

/** Deadlines in virtual time, and the notified entries with their times. */
function waiting() {
  const clock = new VirtualClock(0);
  const deadlines = new DeadlineWatch(clock);
  const told: [name: string, at: number][] = [];
  const due = (name: string) => ({ overdue: () => told.push([name, clock.ticks()]) });
  return { clock, deadlines, told, due };
}

test("every entry is notified at its own deadline and once, in any order of arrival", async () => {
  const { clock, deadlines, told, due } = waiting();

  deadlines.add(due("a"), 300);
  deadlines.add(due("b"), 100);
  deadlines.add(due("c"), 200);
  deadlines.add(due("d"), 200);
  await clock.advance(1_000);

  expect(told).toEqual([
    ["b", 100],
    ["c", 200],
    ["d", 200],
    ["a", 300],
  ]);
  expect(clock.sleeping).toBe(0);
});

test("a removed entry is not notified, and the others are still on time", async () => {
  const { clock, deadlines, told, due } = waiting();
  const [first, second] = [due("a"), due("b")];
  deadlines.add(first, 100);
  deadlines.add(second, 250);

  expect(deadlines.remove(first)).toBe(100);
  await clock.advance(249);
  expect(told).toEqual([]);
  await clock.advance(1);

  expect(told).toEqual([["b", 250]]);
  expect([deadlines.remove(first), deadlines.remove(second)]).toEqual([undefined, undefined]);
});

test("one timer serves all entries, and none is left when all are removed", async () => {
  const { clock, deadlines, told, due } = waiting();
  const dues = Array.from({ length: 100 }, (_, i) => due(`${i}`));
  for (const [i, each] of dues.entries()) deadlines.add(each, 100 + i);

  expect(clock.sleeping).toBe(1);
  for (const each of dues) deadlines.remove(each);
  await settled();

  expect([clock.sleeping, told]).toEqual([0, []]);
  deadlines.add(due("late"), 50);
  await clock.advance(50);
  expect(told).toEqual([["late", 50]]);
});

test("a deadline in the past is notified soon, but not synchronously", async () => {
  const { clock, deadlines, told, due } = waiting();
  await clock.advance(10);

  deadlines.add(due("a"), 5);
  expect(told).toEqual([]);
  await clock.advance(0);

  expect(told).toEqual([["a", 10]]);
});

test("a timer that ends a little early notifies its own entries, and no later ones", async () => {
  let end = () => {};
  const told: string[] = [];
  const sleep = () => new Promise<void>((resolve) => (end = resolve));
  const deadlines = new DeadlineWatch({ ticks: () => 99.6, sleep });
  deadlines.add({ overdue: () => told.push("a") }, 100);
  deadlines.add({ overdue: () => told.push("b") }, 100.2);

  end();
  await settled();
  expect(told).toEqual(["a"]);
  end();
  await settled();

  expect(told).toEqual(["a", "b"]);
});

test("what waits longer by then is told later, and others at their time", async () => {
  const { clock, deadlines, told, due } = waiting();
  const ends = [250, 300, 300];
  const patient = { ...due("patient"), waitsUntil: () => ends.shift() ?? 0 };
  deadlines.add(patient, 100);
  deadlines.add(due("a"), 100);
  deadlines.add(due("b"), 260);
  await clock.advance(299);
  expect(told).toEqual([
    ["a", 100],
    ["b", 260],
  ]);

  await clock.advance(1);
  expect(told.at(-1)).toEqual(["patient", 300]);
  expect([deadlines.remove(patient), clock.sleeping]).toEqual([undefined, 0]);
});
