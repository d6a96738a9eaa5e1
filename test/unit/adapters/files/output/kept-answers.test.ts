import { expect, test } from "vitest";
import { KeptAnswers } from "../../../../../src/adapters/files/output/kept-answers.ts";
import { answered, clean } from "../../../../fakes/evidence.ts";

test("an answer is kept, but not the entry of one that was too large for its verdict", () => {
  const kept = new KeptAnswers();
  const whole = answered("poisoning", { target: clean.target });
  const { data: _data, ...entry } = answered("classification", undefined);

  kept.keep(1, { decision: "UNKNOWN", checks: [whole, { ...entry, reduced: { bytes: 9, sha256: "00" } }] }, 100);

  expect(kept.of(1)).toEqual([whole]);
});
