import { expect, test } from "vitest";
import { LatestRevisions } from "../../../../src/cli/report/latest-revisions.ts";
import type { Verdict } from "../../../../src/messages/verdict.ts";
import { unanswered, verdictAt } from "../../../fakes/verdicts.ts";

function replacedOf(verdicts: readonly Verdict[]): readonly boolean[] {
  const revisions = new LatestRevisions();
  for (const verdict of verdicts) revisions.add(verdict);
  return verdicts.map((verdict) => revisions.isReplaced(verdict));
}

test("a verdict is replaced by each later revision, in any order", () => {
  const final = { ...verdictAt(1), revision: 2 };

  expect(replacedOf([unanswered(1), unanswered(1, 1), final, verdictAt(2)])).toEqual([true, true, false, false]);
  expect(replacedOf([final, unanswered(1, 1), unanswered(1)])).toEqual([false, true, true]);
});

test("of two verdicts with one revision, the answered one counts", () => {
  const missing = { ...unanswered(1, 1), unanswered: true } as const;

  expect(replacedOf([{ ...verdictAt(1), revision: 1 }, missing])).toEqual([false, true]);
});
