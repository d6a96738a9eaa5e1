import { expect, test } from "vitest";
import {
  KeyReplacedError,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
} from "../../../../../src/worker/answers/service-errors.ts";
import { keepPosition, PositionAllocator } from "../../../../../src/worker/rate-limit/queue/position.ts";
import { someTurn } from "../../../../fakes/turns.ts";

const limited = new RateLimitedError("429");

test("each new waiter gets the next position, and keeps it while it waits", () => {
  const places = new PositionAllocator();
  const [first, second] = [someTurn(), someTurn()];

  expect([first, second, first].map((turn) => places.of(turn))).toEqual([0, 1, 0]);
});

test("a waiter keeps its position after a 429, and after further ones lets 1, 3 and 7 later waiters go first", () => {
  const places = new PositionAllocator();
  const turn = someTurn();
  places.of(turn);
  for (let i = 0; i < 9; i++) places.of(someTurn());

  const stood = Array.from({ length: 4 }, () => {
    expect(keepPosition(turn, limited)).toBe(true);
    return places.of(turn);
  });

  expect(stood).toEqual([0.5, 1.5, 3.5, 7.5]);
});

test("a waiter keeps its position after the refusal of a key that was replaced", () => {
  const places = new PositionAllocator();
  const turn = someTurn();
  places.of(turn);
  places.of(someTurn());

  expect(keepPosition(turn, new KeyReplacedError("401"))).toBe(true);
  expect(places.of(turn)).toBe(0.5);
});

test("two waiters that were refused together stay in order", () => {
  const places = new PositionAllocator();
  const turns = [someTurn(), someTurn(), someTurn()];
  for (const turn of turns) places.of(turn);
  for (const turn of turns.slice(0, 2)) keepPosition(turn, limited);

  expect(turns.map((turn) => places.of(turn))).toEqual([0.5, 1.5, 2]);
});

test("a waiter that would let all others go first comes last, like a new one", () => {
  const places = new PositionAllocator();
  const [turn, other] = [someTurn(), someTurn()];
  places.of(turn);
  places.of(other);
  for (let i = 0; i < 5_000; i++) keepPosition(turn, limited);

  expect([places.of(turn), places.of(someTurn())]).toEqual([2, 3]);
  keepPosition(turn, limited);
  expect(places.of(turn)).toBe(2.5);
});

test.each([
  ["was answered", undefined],
  ["was refused with its key", new UnauthorizedError("401")],
  ["had no answer", new UnavailableError("503")],
])("a waiter that %s comes last when it comes again", (_name, thrown) => {
  const places = new PositionAllocator();
  const turn = someTurn();
  places.of(turn);
  keepPosition(turn, limited);
  places.of(someTurn());

  expect(keepPosition(turn, thrown)).toBe(false);
  expect(places.of(turn)).toBe(2);
});

test("a batch waiter has no position to keep", () => {
  expect(keepPosition({ waits: () => 1 }, limited)).toBe(false);
});
