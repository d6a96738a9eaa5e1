import { expect, test } from "vitest";
import { answered, NOT_SENT, ofEach, sent } from "../../../../src/worker/answers/outcome.ts";

test("a question that was not sent has no times", () => {
  expect(NOT_SENT).toEqual({ requests: 0, cached: false });
});

test("every request counts, and the first request sets the time of the question", () => {
  const first = sent(NOT_SENT, 100);
  const second = sent(first, 250);

  expect(first).toEqual({ requests: 1, cached: false, askedAt: 100 });
  expect(second).toEqual({ requests: 2, cached: false, askedAt: 100 });
});

test("a request at time 0 counts like any other", () => {
  expect(sent(sent(NOT_SENT, 0), 5).askedAt).toBe(0);
});

test("an answer sets its time, and the last answer counts", () => {
  expect(answered(answered(sent(NOT_SENT, 100), 200), 300)).toEqual({
    requests: 1,
    cached: false,
    askedAt: 100,
    answeredAt: 300,
  });
});

test("questions of one request share a trace if they were sent equally often before", () => {
  const again = sent(NOT_SENT, 50);
  const traceOf = ofEach(sent, 100);

  const traces = [NOT_SENT, NOT_SENT, again, NOT_SENT].map(traceOf);

  expect(traces).toEqual(
    [1, 1, 2, 1].map((requests) => ({ requests, cached: false, askedAt: requests === 1 ? 100 : 50 })),
  );
  expect(traces[1]).toBe(traces[0]);
});
