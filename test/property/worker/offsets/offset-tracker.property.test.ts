import fc from "fast-check";
import { expect, test } from "vitest";
import { ConsumerGroup } from "./consumer-group.ts";

const RUNS = Number(process.env["FC_RUNS"] ?? 500);

const fates = fc.constantFrom("confirmed" as const, "unconfirmed" as const, "lost" as const);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant("fetch" as const) }) },
  { weight: 8, arbitrary: fc.record({ does: fc.constant("settle" as const), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("commit" as const), fate: fates }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant("join" as const), mine: fc.array(fc.boolean(), { minLength: 5 }) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("crash" as const) }) },
);

test("through any group history, only completed records are committed, limits hold, and all are completed in the end", () => {
  fc.assert(
    fc.property(fc.integer(), fc.array(step, { maxLength: 60, size: "max" }), (seed, steps) => {
      const group = new ConsumerGroup(seed);
      group.join(() => true);
      for (const now of steps) {
        if (now.does === "fetch") group.fetch();
        else if (now.does === "settle") group.settle(now.pick);
        else if (now.does === "commit") group.commit(now.fate);
        else if (now.does === "crash") group.crash();
        else group.join(answers(now.mine));
        if (now.does === "crash") group.join(() => true);
        group.check();
      }

      group.drain();
      group.check();
      for (const { records, published, committed } of group.logs) {
        expect(published.size).toBe(records.length);
        expect(committed).toBe((records.at(-1)?.offset ?? -1) + 1);
      }
    }),
    { numRuns: RUNS },
  );
});

/** The fates alternate. */
function answers(values: readonly boolean[]): () => boolean {
  let next = 0;
  return () => values[next++ % values.length] ?? false;
}
