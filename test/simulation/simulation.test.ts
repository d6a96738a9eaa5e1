import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Outcome, simulate } from "./run.ts";
import seeds from "./seeds.json" with { type: "json" };
import { type Sight, sights } from "./watch.ts";

const COUNT = Number(process.env["SEEDS"] ?? 2_000);
const FROM = Number(process.env["FROM"] ?? 1);
/** Stack traces cost more than the steps themselves and are not read: a failing seed is run again. */
const { stackTraceLimit } = Error;

beforeAll(() => {
  Error.stackTraceLimit = 0;
});
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

/** Seeds of the second pass, in which the service answers the interface and nothing else. */
const EXACT = Number(process.env["EXACT_SEEDS"] ?? Math.ceil(COUNT / 4));

function report({ seed, faults }: Outcome): string {
  const again = `FROM=${seed} SEEDS=1 EXACT_SEEDS=1 npx vitest run --project unit test/simulation`;
  return [`seed ${seed} (again: ${again}; then add it to test/simulation/seeds.json)`, ...faults.slice(0, 10)].join(
    "\n  ",
  );
}

describe("a whole worker, on a simulated clock, disk and service", () => {
  test.each(seeds)("seed $seed, which once failed: $why", async ({ seed }) => {
    const outcome = await simulate(seed);
    expect(outcome.faults, report(outcome)).toEqual([]);
  });

  test(`${COUNT} seeds from ${FROM}: each event ends with one chain of verdicts, and each verdict is backed`, async () => {
    const seen = new Map<Sight, number>();
    for (let seed = FROM; seed < FROM + COUNT; seed++) {
      const outcome = await simulate(seed);
      expect(outcome.faults, report(outcome)).toEqual([]);
      for (const [sight, times] of outcome.seen) seen.set(sight, (seen.get(sight) ?? 0) + times);
      // The test runner expects a sign of life from its worker from time to time.
      if (seed % 50 === 0) await new Promise(setImmediate);
    }
    // A situation that never occurred was not tested.
    if (COUNT >= 2_000) for (const sight of sights) expect(seen.get(sight) ?? 0, sight).toBeGreaterThan(20);
  }, 600_000);

  test(`${EXACT} seeds from ${FROM} behind a service that answers the interface and nothing else`, async () => {
    for (let seed = FROM; seed < FROM + EXACT; seed++) {
      const outcome = await simulate(seed, true);
      expect(outcome.faults, report(outcome)).toEqual([]);
      if (seed % 50 === 0) await new Promise(setImmediate);
    }
  }, 600_000);

  test("a seed gives the same run each time", async () => {
    expect(await simulate(4)).toEqual(await simulate(4));
  });
});
