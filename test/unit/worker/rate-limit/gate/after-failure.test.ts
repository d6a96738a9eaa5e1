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
import type { RepeatedRequest } from "../../../../../src/worker/rate-limit/breaker/retry-queue.ts";
import { failureForAll, failureOf } from "../../../../../src/worker/rate-limit/gate/after-failure.ts";
import { someTurn } from "../../../../fakes/turns.ts";

/** A gate that considers failures free or not. */
function gateOf(isFree = false) {
  const asked: { readonly error: AppError; readonly of: RepeatedRequest }[] = [];
  const afforded = async (error: AppError, of: RepeatedRequest) => {
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
])("%s: the question gets %i attempts", (error, worth) => {
  expect(judged(error, gateOf())).toEqual(attempts.map((attempt) => (attempt < worth ? "charged" : "final")));
});

test("a failure that is the service's fault is free, however often it comes", () => {
  expect(judged(new UnavailableError("503"), gateOf(true))).toEqual(attempts.map(() => "free"));
});

test("a failure that was free at its time stays free, even if the service is blamed no longer", () => {
  let isFree = true;
  const { judge } = failureOf(new UnavailableError("503"), { ...gateOf().gate, isFree: () => isFree });
  isFree = false;

  expect(judge(1)).toBe("free");
});

describe("the retry of one request", () => {
  test("a retry is charged once for all questions of the request, and only when one is asked again", async () => {
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

describe("failed single items of one answer", () => {
  test("items with the same error code count as one failure, and each code counts by itself", async () => {
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
