import { expect, test } from "vitest";
import { AnswerTime } from "../../../../../src/worker/rate-limit/gate/answer-time.ts";

test("a longer answer time counts at once, and a shorter one gradually", () => {
  const time = new AnswerTime();

  expect(time.ms).toBe(0);
  time.took(200);
  expect(time.ms).toBe(200);
  time.took(100);
  expect(time.ms).toBe(195);
  for (let i = 0; i < 200; i++) time.took(100);
  expect(time.ms).toBeCloseTo(100, 0);
});
