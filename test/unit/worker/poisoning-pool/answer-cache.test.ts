import { describe, expect, test } from "vitest";
import type { PoisoningEvidence } from "../../../../src/events/evidence.ts";
import type { Lane } from "../../../../src/events/lane.ts";
import { AnswerCache } from "../../../../src/worker/poisoning-pool/answer-cache.ts";
import { clean } from "../../../fakes/evidence.ts";
import { chainOf, evm, partAbout } from "../../../support/poisoning-parts.ts";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const ANSWERED = 1_000_000;
const trace = { requests: 2, askedAt: ANSWERED - 10, answeredAt: ANSWERED, cached: false };
const part = partAbout({ target: evm(1), users: [evm(2)] });
const harmless: PoisoningEvidence = { target: clean.target };
const flagged: PoisoningEvidence = { target: { ...clean.target, mimics_exchange: "1" } };

describe("an answer is good for", () => {
  test.each<[string, PoisoningEvidence, Lane, number]>([
    ["a minute, when nothing was flagged", harmless, "realtime", MINUTE],
    ["an hour, when something was", flagged, "realtime", HOUR],
    [
      "an hour, when only the token was",
      { ...harmless, token: { ...clean.token, is_poisoning: "1" } },
      "realtime",
      HOUR,
    ],
    ["a day, for the backfill", harmless, "backfill", DAY],
    ["a day, for the backfill, too, when something was flagged", flagged, "backfill", DAY],
  ])("%s", (_name, evidence, lane, ms) => {
    const cache = new AnswerCache(1e6);
    cache.keep(part, evidence, trace);

    const found = { evidence, trace: { requests: 0, askedAt: ANSWERED - 10, answeredAt: ANSWERED, cached: true } };
    expect(cache.find(part, lane, ANSWERED)).toEqual(found);
    expect(cache.find(part, lane, ANSWERED + ms - 1)).toEqual(found);
    expect(cache.find(part, lane, ANSWERED + ms)).toBeUndefined();
  });
});

test("a clock that was set back makes no answer good for longer", () => {
  const cache = new AnswerCache(1e6);
  cache.keep(part, harmless, trace);

  expect(cache.find(part, "realtime", ANSWERED - 1)).toBeUndefined();
});

test("an answer is found by chain, target, token and users together", () => {
  const cache = new AnswerCache(1e6);
  cache.keep(partAbout({ target: evm(1), token: evm(3), users: [evm(2), evm(4)] }), harmless, trace);
  const isKnown = (fields: Parameters<typeof partAbout>[0]) =>
    cache.find(
      partAbout({ target: evm(1), token: evm(3), users: [evm(4), evm(2)], ...fields }),
      "realtime",
      ANSWERED,
    ) !== undefined;

  expect(isKnown({})).toBe(true);
  expect(isKnown({ chain: chainOf("56") })).toBe(false);
  expect(isKnown({ target: evm(9) })).toBe(false);
  expect(isKnown({ token: evm(9) })).toBe(false);
  expect(isKnown({ users: [evm(2)] })).toBe(false);
});

test("what is over the bound goes, the oldest first; an answer that was renewed is not old", () => {
  const parts = [1, 2, 3].map((i) => partAbout({ target: evm(i), users: [evm(50)] }));
  const bytes = 400 + 2 * (part.key.length + JSON.stringify(harmless).length);
  const cache = new AnswerCache(2 * bytes);
  const known = () => parts.map((each) => cache.find(each, "realtime", ANSWERED) !== undefined);
  const keep = (i: number) => cache.keep(parts[i] ?? part, harmless, trace);

  keep(0);
  keep(1);
  expect(known()).toEqual([true, true, false]);
  keep(0);
  expect(known()).toEqual([true, true, false]);
  keep(2);
  expect(known()).toEqual([true, false, true]);
});

test("what a service adds to its answers counts by its length", () => {
  const cache = new AnswerCache(5_000);
  const long = { target: { ...clean.target, note: "x".repeat(3_000) } };
  cache.keep(part, long, trace);

  expect(cache.find(part, "backfill", ANSWERED)).toBeUndefined();
});

test("nothing is kept without room, or without a time", () => {
  const none = new AnswerCache(0);
  none.keep(part, harmless, trace);
  expect(none.find(part, "backfill", ANSWERED)).toBeUndefined();

  const cache = new AnswerCache(1e6);
  cache.keep(part, harmless, { requests: 0, cached: false });
  expect(cache.find(part, "backfill", ANSWERED)).toBeUndefined();
});
