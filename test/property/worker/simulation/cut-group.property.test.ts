import fc from "fast-check";
import { expect, test } from "vitest";
import { CUT_WINDOW, cutGroup } from "../../../../src/worker/simulation/cut-group.ts";
import type { AccountLocks } from "../../../../src/worker/simulation/decoder.ts";
import { locksForSharing } from "../../../../src/worker/simulation/locks.ts";

const names = fc.array(fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz"), { maxLength: 3 });
const seldom = fc.integer({ min: 0, max: 19 }).map((n) => n === 0);
const accountLocks: fc.Arbitrary<AccountLocks> = fc
  .record({
    writable: names.filter(({ length }) => length > 0),
    reads: names,
    usesLookupTables: seldom,
    callsUpgradeableLoader: seldom,
  })
  .map(({ reads, ...locks }) => ({
    ...locks,
    feePayer: locks.writable[0] ?? "",
    named: [...locks.writable, ...reads],
  }));
const event = fc.oneof(
  { weight: 20, arbitrary: accountLocks.map((locks) => [locks]) },
  { weight: 1, arbitrary: fc.constant([undefined]) },
  { weight: 1, arbitrary: fc.tuple(accountLocks, accountLocks) },
);
type Event = readonly (AccountLocks | undefined)[];

/** The rule for each pair, one account after the other. */
function naivelyMayShare(a: Event, b: Event): boolean {
  const [one, other] = [a[0], b[0]];
  if (one === undefined || other === undefined || a.length > 1 || b.length > 1) return false;
  if ([one, other].some((locks) => locks.usesLookupTables || locks.callsUpgradeableLoader)) return false;
  for (const written of one.writable) for (const named of other.named) if (written === named) return false;
  for (const written of other.writable) for (const named of one.named) if (written === named) return false;
  return true;
}

const line = fc.array(event, { minLength: 1, maxLength: 40 });
const waitingOf = (events: readonly Event[]) => events.map((each) => ({ event: each, locks: locksForSharing(each) }));

test("a group contains the events that the rule admits for each pair, in order", () => {
  fc.assert(
    fc.property(line, fc.integer({ min: 1, max: 8 }), (events, groupMax) => {
      const expected: Event[] = [];
      for (const each of events) {
        if (expected.length < groupMax && expected.every((member) => naivelyMayShare(member, each)))
          expected.push(each);
      }

      const group = cutGroup(waitingOf(events), groupMax);

      expect(group.map((each) => each.event)).toEqual(expected);
      expect(group[0]?.event).toBe(events[0]);
    }),
  );
});

test("repeated groups take every event exactly once, and never look beyond the window", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 600 }), fc.integer({ min: 1, max: 8 }), (events, groupMax) => {
      let waiting = waitingOf(events);
      const gone = new Set<(typeof waiting)[number]>();
      while (waiting.length > 0) {
        const group = cutGroup(waiting, groupMax);
        expect(group[0]).toBe(waiting[0]);
        for (const each of group) {
          expect(gone.has(each)).toBe(false);
          expect(waiting.indexOf(each)).toBeLessThan(CUT_WINDOW);
          gone.add(each);
        }
        waiting = waiting.filter((each) => !gone.has(each));
      }
      expect(gone.size).toBe(events.length);
    }),
    { numRuns: 30 },
  );
});
