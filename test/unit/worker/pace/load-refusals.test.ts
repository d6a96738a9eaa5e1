import { describe, expect, test } from "vitest";
import { LoadRefusals } from "../../../../src/worker/pace/load-refusals.ts";
import { LoadRefusedError, RateLimitedError, UnavailableError } from "../../../../src/worker/service-errors.ts";

const refused = new LoadRefusedError("the service answered 503", 1_000);
const announced = new UnavailableError("the service answered 503", { status: 503, retryAfterMs: 1_000 });
const own = { code: "UNAVAILABLE", message: "the service answered 503", context: { status: 503 } };
const forbidden = new RateLimitedError("the service answered 403", 1_000, 403);
const ownForbidden = { code: "UNAVAILABLE", message: "the service answered 403", context: { status: 403 } };

describe.each([
  [refused, own],
  [announced, own],
  [forbidden, ownForbidden],
])("%s", (error, own) => {
  test("is the event's own from the fourth time on, with answers to others in between", () => {
    const loads = new LoadRefusals();
    const judged = [0, 1, 2, 3, 4].map((answers) => loads.judge(error, ["e"], answers));

    expect(judged.slice(0, 3)).toEqual([error, error, error]);
    expect(judged.slice(3)).toMatchObject([own, own]);
  });

  test("is not while nothing is answered", () => {
    const loads = new LoadRefusals();
    const judged = Array.from({ length: 9 }, () => loads.judge(error, ["e"], 7));

    expect(judged.every((each) => each === error)).toBe(true);
  });

  test("is not of an event that was answered since", () => {
    const loads = new LoadRefusals();
    for (let answers = 0; answers < 3; answers++) loads.judge(error, ["e", "f"], answers);
    loads.answered(["e"]);

    expect(loads.judge(error, ["e"], 3)).toBe(error);
    expect(loads.judge(error, ["e", "f"], 4)).toMatchObject(own);
  });
});

test("other failures are what they are", () => {
  const loads = new LoadRefusals();
  const others = [new RateLimitedError("429", 1_000), new UnavailableError("500"), new Error("a bug")];

  for (const error of others) for (let i = 0; i < 9; i++) expect(loads.judge(error, ["e"], i)).toBe(error);
});

test.each([
  [9_999, "is remembered", own],
  [10_000, "is forgotten", refused],
])("after %i others an event %s", (count, _name, expected) => {
  const loads = new LoadRefusals();
  for (let answers = 0; answers < 3; answers++) loads.judge(refused, ["e"], answers);
  const others = Array.from({ length: count }, (_, i) => `other ${i}`);
  loads.judge(refused, others, 3);

  expect(loads.judge(refused, ["e"], 4)).toMatchObject(expected);
});
