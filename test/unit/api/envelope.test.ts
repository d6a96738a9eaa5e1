import { expect, test } from "vitest";
import { z } from "zod";
import { envelope, InProgress, success } from "../../../src/api/envelope.ts";

const Answer = envelope(z.object({ a: z.string() }));

test("data is wrapped as a finished answer that its own schema reads", () => {
  expect(success({ a: "1" })).toEqual({ code: "0", status: "ok", data: { a: "1" } });
  expect(Answer.parse(success({ a: "1" }))).toEqual(success({ a: "1" }));
});

test.each([
  ["code as a number", { code: 0, status: "ok", data: { a: "1" } }],
  ["another code", { code: "-1", status: "ok", data: { a: "1" } }],
  ["another status", { code: "0", status: "OK", data: { a: "1" } }],
  ["an analysis in progress", { code: "0", status: "in progress", data: { a: "1" } }],
  ["no data", { code: "0", status: "ok" }],
  ["other data", { code: "0", status: "ok", data: {} }],
])("%s is no finished answer", (_what, answer) => {
  expect(Answer.safeParse(answer).success).toBe(false);
});

test("members of a later version are kept", () => {
  const answer = { ...success({ a: "1" }), trace: "x" };

  expect(Answer.parse(answer)).toEqual(answer);
});

test.each([0, 1, 3600])("pollAfter %i is accepted", (pollAfter) => {
  expect(InProgress.safeParse({ code: "0", status: "in progress", pollAfter }).success).toBe(true);
});

test.each([-1, 0.5, "1", null, undefined])("pollAfter %j is refused", (pollAfter) => {
  expect(InProgress.safeParse({ code: "0", status: "in progress", pollAfter }).success).toBe(false);
});
