import { expect, test } from "vitest";
import { seededRandom } from "../../../../../src/kernel/retry.ts";
import { Agreements } from "../../../../../src/worker/batching/replies/agreements.ts";
import { numbers } from "../../../../support/numbers.ts";

const trust = { needed: 3, oneIn: 4, slowness: 2, oneInAtMost: 10 };

function agreed(count: number, random = () => 0.5): Agreements {
  const agreements = new Agreements(trust, random);
  for (let i = 0; i < count; i++) agreements.agreed();
  return agreements;
}

test("a flag is believed once enough confirmations agreed, and not before", () => {
  expect([agreed(2).believe(), agreed(3).believe()]).toEqual([false, true]);
  expect(new Agreements({ ...trust, needed: 0 }, () => 0.5).believe()).toBe(true);
});

test("a share of the believed flags is confirmed, and the share falls down to a limit", () => {
  const agreements = (random: number) => {
    let next = 0.99;
    const all = agreed(3, () => next);
    return (before: number) => {
      next = 0.99;
      for (let i = 0; i < before; i++) all.believe();
      next = random;
      return all.believe();
    };
  };

  expect([agreements(0.249)(0), agreements(0.251)(0)]).toEqual([false, true]);
  expect([agreements(0.199)(2), agreements(0.201)(2)]).toEqual([false, true]);
  expect([agreements(0.099)(1_000), agreements(0.101)(1_000)]).toEqual([false, true]);
});

test("after one disagreement every flag is confirmed again, until four times as many agree", () => {
  const agreements = agreed(3);
  agreements.believe();

  expect([agreements.disagreed(), agreements.believe()]).toEqual([1, false]);
  // No flag was believed since.
  expect(agreements.disagreed()).toBe(0);
  for (const _ of numbers(47)) agreements.agreed();
  expect(agreements.believe()).toBe(false);
  agreements.agreed();
  expect(agreements.believe()).toBe(true);
});

test("a service that disagrees from some flag on is detected after about as many believed flags as the limit", () => {
  const bounded = { needed: 16, oneIn: 16, slowness: 1, oneInAtMost: 100 };
  const wrong = numbers(300).map((seed) => {
    const agreements = new Agreements(bounded, seededRandom(seed));
    for (let i = 0; i < 2_000; i++) if (!agreements.believe()) agreements.agreed();
    let believed = 0;
    while (agreements.believe()) believed++;
    return believed;
  });

  const mean = wrong.reduce((sum, count) => sum + count, 0) / wrong.length;
  expect(mean).toBeGreaterThan(50);
  expect(mean).toBeLessThan(115);
});
