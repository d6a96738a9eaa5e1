import fc from "fast-check";
import { expect, test } from "vitest";
import { LatestVerdicts } from "../../../../src/archive/reading/latest-verdicts.ts";
import { VerdictIds } from "../../../../src/archive/reading/verdict-ids.ts";
import { sha256 } from "../../../../src/kernel/hash.ts";
import { propertyRuns } from "../../../support/property-runs.ts";

interface Written {
  readonly verdict_id: string;
  readonly revision: number;
  readonly unanswered?: true;
}

/** Histories in the order of writing: revisions ascend, and copies of one revision lie side by side. */
const history: fc.Arbitrary<readonly Written[]> = fc
  .array(
    fc.record({
      verdict_id: fc.nat(5).map((n) => sha256(`${n}`)),
      isNewRevision: fc.boolean(),
      unanswered: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((steps) => {
    const revisions = new Map<string, number>();
    return steps.map(({ verdict_id, isNewRevision, unanswered }) => {
      const last = revisions.get(verdict_id);
      const revision = last === undefined ? 0 : last + (isNewRevision ? 1 : 0);
      revisions.set(verdict_id, revision);
      return { verdict_id, revision, ...(unanswered ? { unanswered } : {}) };
    });
  });

/** The slow twin: of all verdicts on an id, the highest revision, and an answered one before an unanswered one. */
function latestOf(all: readonly Written[]): ReadonlyMap<string, string> {
  const best = new Map<string, Written>();
  for (const each of all) {
    const known = best.get(each.verdict_id);
    const rank = (one: Written) => 2 * one.revision + (one.unanswered === true ? 0 : 1);
    if (known === undefined || rank(each) > rank(known)) best.set(each.verdict_id, each);
  }
  return new Map([...best].map(([id, { revision, unanswered }]) => [id, `${revision} ${unanswered}`]));
}

test("exactly the latest verdict of each id comes out", () => {
  fc.assert(
    fc.property(history, (written) => {
      const latest = new LatestVerdicts<Written>();
      const out = [...written.toReversed().flatMap((each) => latest.add(each)), ...latest.finish()];
      expect(out.length).toBe(new Set(out.map(({ verdict_id }) => verdict_id)).size);
      expect(
        new Map(out.map(({ verdict_id, revision, unanswered }) => [verdict_id, `${revision} ${unanswered}`])),
      ).toEqual(latestOf(written));
      expect(latest.leftOut).toBe(written.length - out.length);
    }),
    propertyRuns(2_000),
  );
});

test("a flood of unanswered verdicts is handed on before its end", () => {
  const latest = new LatestVerdicts<Written>();
  const ids = Array.from({ length: 10_050 }, (_, n) => sha256(`flood ${n}`));
  const ready = ids.flatMap((verdict_id) => latest.add({ verdict_id, revision: 0, unanswered: true }));
  expect(ready.map(({ verdict_id }) => verdict_id)).toEqual(ids.slice(0, 50));
  expect(latest.finish()).toHaveLength(10_000);
});

test("the set of ids answers as a set of texts does", () => {
  const ids = new VerdictIds();
  const twin = new Set<string>();
  for (let n = 0; n < 200_000; n++) {
    const id = sha256(`${n % 150_000}`);
    expect(ids.add(id)).toBe(!twin.has(id));
    twin.add(id);
  }
});

test("ids whose kept bits are nearly all zero stay different", () => {
  const ids = new VerdictIds();
  const zero = "0".repeat(64);
  expect(ids.add(zero)).toBe(true);
  expect(ids.add(zero)).toBe(false);
  expect(ids.add(`000000010000000${"0".repeat(49)}`)).toBe(true);
});
