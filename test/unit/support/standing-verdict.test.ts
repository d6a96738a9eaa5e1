import { expect, test } from "vitest";
import { type Ranked, standing } from "../../support/standing-verdict.ts";

const [allow, warn, block] = (["ALLOW", "WARN", "BLOCK"] as const).map((decision) => ({ revision: 0, decision }));
const unknown: Ranked = { revision: 0, decision: "UNKNOWN" };
const unanswered: Ranked = { ...unknown, unanswered: true };

test.each<[string, (Ranked | undefined)[], Ranked | undefined]>([
  ["a decision stands before an UNKNOWN without an answer", [allow, unanswered], allow],
  ["a warning does, too", [warn, unanswered], warn],
  ["an UNKNOWN that has its answers stands before a milder decision", [allow, unknown, warn], unknown],
  ["the most severe stands among decisions", [allow, block, unknown, unanswered], block],
  [
    "a higher revision stands before all of a lower one",
    [block, { ...unanswered, revision: 1 }],
    { ...unanswered, revision: 1 },
  ],
])("%s, in any order of arrival", (_what, said, expected) => {
  const ranked = said.filter((each) => each !== undefined);
  expect(standing(ranked)).toEqual(expected);
  expect(standing(ranked.toReversed())).toEqual(expected);
});
