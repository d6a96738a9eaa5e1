import { expect, test } from "vitest";
import { answersBytes, eventBytes, ticketBytes } from "../../../src/worker/held-bytes.ts";
import { answered, clean } from "../../fakes/evidence.ts";

test("what is held is more than what came, and something where nothing did", () => {
  expect([0, 1_000].map(eventBytes)).toEqual([1_024, 4_024]);
  expect([0, 1_000].map(ticketBytes)).toEqual([2_048, 7_048]);
});

test("lanes and tiers full of ordinary records are full by their number, and not by their bytes", () => {
  expect(20_000 * eventBytes(170)).toBe(30_680_000);
  expect(5_000 * ticketBytes(613)).toBe(25_565_000);
});

test("answers hold twice what they are as JSON", () => {
  const checks = [answered("poisoning", { target: clean.target })];

  expect(answersBytes([])).toBe(4);
  expect(answersBytes(checks)).toBe(2 * JSON.stringify(checks).length);
});
