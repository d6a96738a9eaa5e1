import { describe, expect, test } from "vitest";
import { type AppError, ConfigInvalidError } from "../../../../../src/kernel/errors.ts";
import {
  AnswerInvalidError,
  ChainUnsupportedError,
  ItemFailedError,
  NotReadyError,
  RejectedError,
  UnavailableError,
} from "../../../../../src/worker/answers/service-errors.ts";
import type { Repeated } from "../../../../../src/worker/rate-limit/breaker/retry-queue.ts";
import { failureForAll, failureOf } from "../../../../../src/worker/rate-limit/gate/after-failure.ts";
import { someTurn } from "../../../../fakes/turns.ts";

/** A gate for which failures are free or not. */
function gateOf(isFree = false) {
  const asked: { readonly error: AppError; readonly of: Repeated }[] = [];
  const afforded = async (error: AppError, of: Repeated) => {
    asked.push({ error, of });
  };
  return { gate: { isFree: () => isFree, afforded }, asked };
}

const attempts = [1, 2, 3, 4, 5, 6];
const judged = (error: AppError, { gate }: ReturnType<typeof gateOf>) => attempts.map(failureOf(error, gate).judge);

test.each<[AppError, number]>([
  [new UnavailableError("503"), 5],
  [new NotReadyError("still running"), 5],
  [new AnswerInvalidError("another item"), 3],
  [new RejectedError("422"), 1],
  [new ChainUnsupportedError("unsupported chainId: 1"), 1],
  [new ItemFailedError("invalid_address: x"), 1],
  [new ConfigInvalidError("x"), 1],
])("%s: the question is worth %i attempts", (error, worth) => {
  expect(judged(error, gateOf())).toEqual(attempts.map((attempt) => (attempt < worth ? "charged" : "final")));
});

test("what was the service's fault is free, however often", () => {
  expect(judged(new UnavailableError("503"), gateOf(true))).toEqual(attempts.map(() => "free"));
});

test("what was its fault at the time stays so, whatever it is later", () => {
  let isFree = true;
  const { judge } = failureOf(new UnavailableError("503"), { ...gateOf().gate, isFree: () => isFree });
  isFree = false;

  expect(judge(1)).toBe("free");
});

describe("the repetition of one request", () => {
  test("is paid for once, for all that the request held, and not before one of them is to be asked again", async () => {
    const error = new UnavailableError("503");
    const { gate, asked } = gateOf();
    const [one, another] = [someTurn("backfill"), someTurn()];

    const { judge, afforded } = failureOf(error, gate);
    expect([judge(1), judge(2), asked]).toEqual(["charged", "charged", []]);
    await afforded(one);
    await afforded(another);

    expect(asked).toEqual([{ error, of: [one, another] }]);
  });
});

describe("single items of one answer that failed", () => {
  test("of one kind are one failure, and each kind is one of its own", async () => {
    const { gate, asked } = gateOf();
    const together = failureForAll(gate);
    const [one, another] = [new NotReadyError("still running"), new NotReadyError("still running, too")];
    const other = new AnswerInvalidError("another item");
    const turn = someTurn();

    for (const error of [one, another, other]) await together(error).afforded(turn);

    expect([together(other).judge(3), together(another).judge(4)]).toEqual(["final", "charged"]);
    expect(asked).toEqual([
      { error: one, of: [turn, turn] },
      { error: other, of: [turn] },
    ]);
  });
});
