import { describe, expect, test } from "vitest";
import {
  LoadRefusedError,
  RateLimitedError,
  RefusedAgainError,
  UnavailableError,
} from "../../../../../../src/worker/answers/service-errors.ts";
import { LoadRefusals } from "../../../../../../src/worker/rate-limit/gate/refusals/load-refusals.ts";

const refused = new LoadRefusedError("the service answered 503", 1_000);
const announced = new UnavailableError("the service answered 503", { status: 503, retryAfterMs: 1_000 });
const own = { code: "UNAVAILABLE", message: "the service answered 503", context: { status: 503 } };
const forbidden = new RateLimitedError("the service answered 403", 1_000, 403);
const enveloped = new RateLimitedError("the service answered 200", 1_000, 200);
const ownEnveloped = { code: "UNAVAILABLE", message: "the service answered 200", context: { status: 200 } };
const ownForbidden = { code: "UNAVAILABLE", message: "the service answered 403", context: { status: 403 } };

describe.each([
  [refused, own],
  [announced, own],
  [forbidden, ownForbidden],
  [enveloped, ownEnveloped],
])("%s", (error, own) => {
  test("is the event's own fault from the fourth time on, with ten answers to others before each", () => {
    const loads = new LoadRefusals(() => 0.5);
    const judged = [0, 10, 20, 30, 40].map((answers) => loads.judge(error, ["e"], answers));

    expect(judged[0]).toBe(error);
    for (const each of judged.slice(1, 3)) expect(each).toMatchObject({ message: error.message, retryAfterMs: 1_000 });
    expect(judged.slice(3)).toMatchObject([own, own]);
  });

  test("is the event's own fault from the seventh time on, with one answer to others before each", () => {
    const loads = new LoadRefusals(() => 0.5);
    const judged = [0, 1, 2, 3, 4, 5, 6].map((answers) => loads.judge(error, ["e"], answers));

    expect(judged[5]).toMatchObject({ message: error.message, retryAfterMs: 1_000 });
    expect(judged[6]).toMatchObject(own);
  });

  test("is not the event's own fault where others are refused as often before they are answered", () => {
    const loads = new LoadRefusals(() => 0.5);
    const judged = Array.from({ length: 20 }, (_, answers) => {
      for (let asked = 0; asked < 3; asked++) loads.judge(error, [`other ${answers}`], answers);
      loads.answered([`other ${answers}`]);
      return loads.judge(error, ["e"], answers + 1);
    });

    for (const each of judged) expect(each).toMatchObject({ message: error.message, retryAfterMs: 1_000 });
  });

  test("is not the event's own fault while no request is answered", () => {
    const loads = new LoadRefusals(() => 0.5);
    const judged = Array.from({ length: 9 }, () => loads.judge(error, ["e"], 7));

    expect(judged.every((each) => each === error)).toBe(true);
  });

  test("is not the event's own fault if the event was answered since", () => {
    const loads = new LoadRefusals(() => 0.5);
    for (let answers = 0; answers < 30; answers += 10) loads.judge(error, ["e", "f"], answers);
    loads.answered(["e"]);

    expect(loads.judge(error, ["e"], 30)).toBe(error);
    loads.judge(error, ["f"], 40);
    expect(loads.judge(error, ["e", "f"], 50)).toMatchObject(own);
  });
});

test.each([
  [refused, [1_000, 1_000]],
  [new LoadRefusedError("the service answered 503"), [500, 1_000]],
  [new LoadRefusedError("the service answered 503", 9_000_000), [60_000, 60_000]],
])("%s of an event that was refused before makes only that event wait", (error, waits) => {
  const loads = new LoadRefusals(() => 0.5);
  const [, ...again] = [0, 1, 2].map((answers) => loads.judge(error, ["e"], answers));

  expect(again.every((each) => each instanceof RefusedAgainError)).toBe(true);
  expect(again).toMatchObject(waits.map((waitMs) => ({ code: "RATE_LIMITED", waitMs, status: 503 })));
  expect(loads.judge(error, ["f"], 3)).toBe(error);
});

test("a wait that is announced while no request is answered is for all, however often the event was refused", () => {
  const loads = new LoadRefusals(() => 0.5);

  for (let answers = 0; answers < 3; answers++) expect(loads.judge(announced, ["e"], answers)).toBe(announced);
});

test("other failures are passed on unchanged", () => {
  const loads = new LoadRefusals(() => 0.5);
  const others = [new RateLimitedError("429", 1_000), new UnavailableError("500"), new Error("a bug")];

  for (const error of others) for (let i = 0; i < 9; i++) expect(loads.judge(error, ["e"], i)).toBe(error);
});

test.each([
  [9_999, "is remembered", own],
  [10_000, "is forgotten", refused],
])("after %i others an event %s", (count, _name, expected) => {
  const loads = new LoadRefusals(() => 0.5);
  for (let answers = 0; answers < 30; answers += 10) loads.judge(refused, ["e"], answers);
  const others = Array.from({ length: count }, (_, i) => `other ${i}`);
  loads.judge(refused, others, 30);

  expect(loads.judge(refused, ["e"], 40)).toMatchObject(expected);
});
