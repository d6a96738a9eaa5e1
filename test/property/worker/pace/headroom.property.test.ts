import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../src/kernel/random.ts";
import { kinds } from "../../../quota/kinds.ts";
import { type Arrived, sharedRun } from "../../../quota/shared-run.ts";

/** More of them: `SEEDS=50 vitest run --project unit test/property/worker/pace`. */
const SEEDS = Number(process.env["SEEDS"] ?? 1);
const seeds = Array.from({ length: SEEDS }, (_, i) => i + 1);

/** Where the safe pace leaves much unused. */
const small = kinds.filter(({ requests }) => requests === 10);
const sum = (run: readonly (readonly Arrived[])[], what: keyof Arrived, from: number, until: number) =>
  run.flatMap((own) => own.slice(from, until)).reduce((all, second) => all + second[what], 0);

describe.each(small)("a given quota: $name", ({ name, requests, windowMs, counter }) => {
  const isBucket = name.includes("bucket");

  test.each([
    [1, 300, 0.001],
    [4, 1_800, 0.005],
  ])("of %i processes is used up as far as it goes, and with few 429s", (processes, openedBy, most) => {
    for (const seed of seeds) {
      const until = openedBy + 300;
      const run = sharedRun(
        counter(() => requests, seededRandom(seed)()),
        {
          quota: { requests, windowMs },
          processes: Array.from({ length: processes }, () => ({ demand: () => Number.POSITIVE_INFINITY })),
          seconds: until,
          seed,
        },
      );
      const used = sum(run, "taken", openedBy, until) / (requests * (until - openedBy));
      const share = sum(run, "refused", 0, until) / sum(run, "taken", 0, until);
      expect(share).toBeLessThanOrEqual(isBucket ? 0 : most);
      expect(used).toBeGreaterThanOrEqual(isBucket ? 0.98 : (0.98 * (requests - processes)) / requests);
    }
  });
});
