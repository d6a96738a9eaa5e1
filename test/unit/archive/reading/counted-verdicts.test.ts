import fc from "fast-check";
import { expect, test } from "vitest";
import { CountedVerdicts } from "../../../../src/archive/reading/counted-verdicts.ts";
import { noteLine } from "../../../../src/archive/reading/note-line.ts";
import { VerdictIds } from "../../../../src/archive/reading/verdict-ids.ts";
import { sha256 } from "../../../../src/kernel/hash.ts";
import { type Decision, decisions } from "../../../../src/messages/decision.ts";
import type { Verdict } from "../../../../src/messages/verdict.ts";
import { verdictOn } from "../../../support/archived-verdicts.ts";
import { propertyRuns } from "../../../support/property-runs.ts";
import { standing } from "../../../support/standing-verdict.ts";

/** Any verdicts in any order: copies with other decisions, revisions out of order, unanswered ones beside answers. */
const written: fc.Arbitrary<readonly Verdict[]> = fc.array(
  fc
    .record({
      id: fc.nat(4),
      revision: fc.nat(2),
      decision: fc.constantFrom(...decisions),
      unanswered: fc.boolean(),
      event_id: fc.constantFrom("event", 'x,"revision":9,"', "ü"),
    })
    .map(({ id, revision, decision, unanswered, event_id }) =>
      verdictOn([], {
        verdict_id: sha256(`${id}`),
        event_id,
        revision,
        ...(unanswered ? { decision: "UNKNOWN" as Decision, unanswered: true as const } : { decision }),
      }),
    ),
  { maxLength: 30 },
);

function countedOf(all: readonly Verdict[]): readonly Verdict[] {
  const counted = new CountedVerdicts(3);
  for (const each of all) noteLine(Buffer.from(JSON.stringify(each)), counted);
  return all.filter((each) => counted.counts(each));
}

const shown = ({ verdict_id, revision, decision, unanswered }: Verdict) =>
  [verdict_id.slice(0, 8), revision, decision, unanswered].join(" ");

test("of each id exactly the verdict counts that a consumer acts on, in whatever order the verdicts lie", () => {
  fc.assert(
    fc.property(written, (all) => {
      const expected = [...Map.groupBy(all, ({ verdict_id }) => verdict_id).values()].map((same) =>
        shown(standing(same) ?? verdictOn([])),
      );
      expect(countedOf(all).map(shown).toSorted()).toEqual(expected.toSorted());
    }),
    propertyRuns(2_000),
  );
});

test("a line in another form is noted as well", () => {
  const [early, late] = [verdictOn([], { decision: "UNKNOWN" }), verdictOn([], { revision: 1 })];
  const counted = new CountedVerdicts(3);
  noteLine(Buffer.from(JSON.stringify(early)), counted);
  const { schema, ...rest } = late;
  noteLine(Buffer.from(JSON.stringify({ ...rest, schema })), counted);
  noteLine(Buffer.from("no verdict"), counted);
  expect([early, late].map((each) => counted.counts(each))).toEqual([false, true]);
});

test("the set of ids answers as a map of texts does", () => {
  const ids = new VerdictIds(12_345);
  const twin = new Map<string, number>();
  for (let n = 0; n < 200_000; n++) {
    const id = sha256(`${n % 150_000}`);
    expect(ids.rankOf(id)).toBe(twin.get(id));
    expect(ids.add(id, n % 8)).toBe(twin.get(id));
    if (!twin.has(id)) twin.set(id, n % 8);
  }
});

test("ids with nearly equal bits stay different, and do not slow the set down", () => {
  const ids = new VerdictIds(99);
  const zero = "0".repeat(64);
  expect([ids.add(zero, 5), ids.add(zero, 1), ids.add(`00000001${"0".repeat(56)}`, 0)]).toEqual([
    undefined,
    5,
    undefined,
  ]);
  let steps = 0;
  // Equal low bits and one top byte: without the seed, each of these ids would walk past all others.
  for (let n = 1; n <= 40_000; n++)
    if (ids.add(`00${n.toString(16).padStart(6, "0")}12345678${"0".repeat(48)}`, 0) === undefined) steps++;
  expect(steps).toBe(40_000);
});
