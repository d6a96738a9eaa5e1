import { expect, test } from "vitest";
import type { BreakerCause } from "../../../../../src/worker/rate-limit/breaker/circuit-breaker.ts";
import { DownTime } from "../../../../../src/worker/rate-limit/breaker/down-time.ts";
import { outageFailure } from "../../../../../src/worker/rate-limit/gate/outage-failure.ts";

const TEN_MINUTES = { patienceMs: 600_000, keyIsFixed: false };

/** The error at `now` for a service that has been down since 1,000. */
function said(
  cause: BreakerCause,
  now: number,
  { answers = 0, ...own }: { answers?: number; keyIsFixed?: boolean } = {},
) {
  const heard = { breaker: { open: { cause, since: 1_000 } }, answers, lastFailure: "the service answered 503" };
  return outageFailure(heard, new DownTime(), now, { ...TEN_MINUTES, ...own })?.message;
}

test("there is no error while the service is up or the patience lasts", () => {
  expect(
    outageFailure(
      { breaker: { open: undefined }, answers: 0, lastFailure: undefined },
      new DownTime(),
      1e9,
      TEN_MINUTES,
    ),
  ).toBeUndefined();
  expect([said("failing", 600_999), said("unauthorized", 600_999)]).toEqual([undefined, undefined]);
});

test("after the patience the error says what the service did, and for how long", () => {
  expect(said("failing", 601_000)).toBe(
    "no request to the service succeeded for 600 s; last: the service answered 503",
  );
  expect(said("unauthorized", 601_000)).toBe("the API key was refused for 600 s");
});

test("a fixed key that never had an answer is an error at once", () => {
  expect(said("unauthorized", 1_000, { keyIsFixed: true })).toBe("the API key is refused");
  expect(said("unauthorized", 1_000, { keyIsFixed: true, answers: 1 })).toBeUndefined();
  expect(said("failing", 1_000, { keyIsFixed: true })).toBeUndefined();
});
