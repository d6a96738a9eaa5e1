import { expect, test } from "vitest";
import { RateLimitedError } from "../../../../src/worker/answers/service-errors.ts";
import { keepPosition } from "../../../../src/worker/rate-limit/queue/position.ts";
import { SimulationQueue } from "../../../../src/worker/simulation/simulation-queue.ts";
import { PatientAsker } from "../../../fakes/slots.ts";
import { evenly } from "../../../fakes/turns.ts";

function waiter(name: string, leaving = new AbortController()) {
  const locks = { writable: new Set([name]), named: new Set([name]) };
  return { name, leaving, asker: new PatientAsker(leaving.signal), locks };
}

function lineOf(...waiters: readonly ReturnType<typeof waiter>[]) {
  const line = new SimulationQueue<ReturnType<typeof waiter>>(evenly);
  for (const each of waiters) line.add(each);
  return line;
}

const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => waiter(name)) as [Waiter, Waiter, Waiter, Waiter];
type Waiter = ReturnType<typeof waiter>;

test("parts of groups go first, in order and unchanged", () => {
  const line = lineOf(a, b);

  line.addParts([[c], [d]]);

  expect([line.cut("backfill", 8), line.cut("backfill", 8), line.cut("backfill", 8)]).toEqual([[c], [d], [a, b]]);
  expect(line.isEmpty).toBe(true);
});

test("a withdrawn event is in no group and in no part, and an empty part is dropped", () => {
  const [gone, alsoGone, third] = [waiter("x"), waiter("y"), waiter("z")];
  const line = lineOf(gone, a);
  line.addParts([[alsoGone], [third, b], [c]]);

  for (const each of [gone, alsoGone, third]) line.withdraw(each);

  expect([line.cut("backfill", 8), line.cut("backfill", 8), line.cut("backfill", 8), line.cut("backfill", 8)]).toEqual([
    [b],
    [c],
    [a],
    [],
  ]);
});

test("an event that got a 429 keeps its position before later events", () => {
  const waiters = [waiter("1"), waiter("2"), waiter("3")];
  const line = lineOf(...waiters);
  const late = waiter("4");
  const refused = line.cut("backfill", 2);
  line.add(late);
  for (const each of refused.toReversed()) {
    keepPosition(each.asker.turn, new RateLimitedError("429"));
    line.add(each);
  }

  expect(line.cut("backfill", 8)).toEqual([...waiters, late]);
});

test("clear removes all events", () => {
  const line = lineOf(a, b);
  line.addParts([[c, d]]);

  expect(line.clear()).toEqual([c, d, a, b]);
  expect(line.isEmpty).toBe(true);
  expect(line.cut("backfill", 8)).toEqual([]);
});
