import { expect, test } from "vitest";
import { SuspiciousStatements } from "../../../../../src/worker/rate-limit/sharing/suspicious-statements.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";

const MANY =
  "many more processes share this key than before: if you did not start them, check which clients may write to TOPIC_CONTROL";

function setup() {
  const log = new FakeLog();
  const odd = new SuspiciousStatements({ requests: 10, windowMs: 1_000 }, log);
  /** Counts each number of members four times a second for ten seconds. */
  const count = (...members: readonly number[]) => {
    for (const [i, each] of members.entries())
      for (let now = 10_000 * i; now < 10_000 * (i + 1); now += 250) odd.counted(each, now);
    return log.messages("warn");
  };
  return { log, odd, count };
}

test("a crowd is suspicious if it comes within ten seconds: more than twice as many, and 32 more", () => {
  expect(setup().count(1, 34)).toEqual([]);
  expect(setup().count(1, 35, 200)).toEqual([MANY]);
  expect(setup().count(40, 112)).toEqual([]);
  expect(setup().count(1, 20, 60, 140)).toEqual([]);
});

test("processes that are present at the start are not suspicious", () => expect(setup().count(900, 900)).toEqual([]));

test("the numbers before and now are logged", () => {
  const { log, count } = setup();
  count(3, 3, 999);

  expect(log.lines.map(({ fields }) => fields)).toEqual([{ before: 3, now: 999 }]);
});
