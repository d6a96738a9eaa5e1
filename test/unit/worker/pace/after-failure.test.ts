import { describe, expect, test } from "vitest";
import { type AppError, ConfigInvalidError } from "../../../../src/kernel/errors.ts";
import { judgeFailure, judgeTogether } from "../../../../src/worker/pace/after-failure.ts";
import {
  AnswerInvalidError,
  ChainUnsupportedError,
  ItemFailedError,
  NotReadyError,
  RejectedError,
  UnavailableError,
} from "../../../../src/worker/service-errors.ts";

/** A gate for which failures are free or not, and that pays for `retries` more of them. */
function gateOf(isFree: boolean, retries = Number.POSITIVE_INFINITY) {
  const asked: AppError[] = [];
  const mayRetry = (error: AppError) => {
    asked.push(error);
    return asked.length <= retries;
  };
  return { gate: { isFree: () => isFree, mayRetry }, asked };
}

const attempts = [1, 2, 3, 4, 5, 6];
const judged = (error: AppError, { gate }: ReturnType<typeof gateOf>) => attempts.map(judgeFailure(error, gate));

test.each<[AppError, number]>([
  [new UnavailableError("503"), 5],
  [new NotReadyError("still running"), 5],
  [new AnswerInvalidError("another item"), 3],
  [new RejectedError("422"), 1],
  [new ChainUnsupportedError("unsupported chainId: 1"), 1],
  [new ItemFailedError("invalid_address: x"), 1],
  [new ConfigInvalidError("x"), 1],
])("%s: the question is worth %i attempts", (error, worth) => {
  expect(judged(error, gateOf(false))).toEqual(attempts.map((attempt) => (attempt < worth ? "charged" : "final")));
});

test("what was the service's fault is free, however often", () => {
  const free = gateOf(true, 0);

  expect(judged(new UnavailableError("503"), free)).toEqual(attempts.map(() => "free"));
  expect(free.asked).toEqual([]);
});

test("a process that cannot afford a retry ends the attempts", () => {
  expect(judged(new UnavailableError("503"), gateOf(false, 0))).toEqual(attempts.map(() => "final"));
});

describe("the retry of one request", () => {
  test("is paid for once, whatever the request held", () => {
    const error = new UnavailableError("503");
    const { gate, asked } = gateOf(false, 1);

    const judge = judgeFailure(error, gate);

    expect([judge(1), judge(2), judge(1), judge(5)]).toEqual(["charged", "charged", "charged", "final"]);
    expect(asked).toEqual([error]);
  });

  test.each<[string, AppError, number]>([
    ["the last attempt", new UnavailableError("503"), 5],
    ["a refusal", new RejectedError("422"), 1],
  ])("is not paid for after %s, which nothing follows", (_name, error, attempt) => {
    const { gate, asked } = gateOf(false);

    expect(judgeFailure(error, gate)(attempt)).toBe("final");
    expect(asked).toEqual([]);
  });
});

describe("single items of one answer that failed", () => {
  test("of one kind are one failure, and each kind is one of its own", () => {
    const { gate, asked } = gateOf(false, 2);
    const judge = judgeTogether(gate);
    const [one, another] = [new NotReadyError("still running"), new NotReadyError("still running, too")];
    const other = new AnswerInvalidError("another item");

    expect([judge(one)(1), judge(another)(2), judge(other)(1), judge(one)(4)]).toEqual(Array(4).fill("charged"));
    expect([judge(other)(3), judge(another)(5)]).toEqual(["final", "final"]);
    expect(asked).toEqual([one, other]);
  });
});
