import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../src/kernel/retry.ts";
import { BatchCutter } from "../../../../src/worker/batching/batch-cutter.ts";
import { textOf } from "../../../../src/worker/batching/batch-entry.ts";
import type { OutgoingBatch } from "../../../../src/worker/batching/outgoing-batch.ts";
import { CONFIRM_SHARE, ConfirmShare } from "../../../../src/worker/batching/replies/confirm-share.ts";
import { evenly } from "../../../fakes/turns.ts";
import { calibrated, evm, type PartFields } from "../../../support/poisoning-parts.ts";
import { waitingFor } from "../../../support/waiting-parts.ts";

/** The items of a request as one text, whatever their order. */
function itemsOf(cut: OutgoingBatch): string {
  if (cut.kind === "alone") return cut.waiting.map(({ part }) => textOf(part)).join();
  return JSON.stringify(Object.values(cut.batch.request).map((items) => items.map((item) => item.address).toSorted()));
}

/** Sends all entries to a service that refuses every request with a bad entry. */
function ask(fields: readonly PartFields[], isBad: (i: number) => boolean) {
  const all = new BatchCutter(calibrated, evenly, seededRandom(1), new ConfirmShare(CONFIRM_SHARE));
  const waiting = fields.map((each) => waitingFor(each));
  for (const each of waiting) all.pooled.push(each);
  const [answered, failed, sent]: [number[], number[], string[]] = [[], [], []];
  for (;;) {
    const cut = all.cut("backfill");
    if (cut === undefined) return { answered: inOrder(answered), failed: inOrder(failed), sent };
    sent.push(itemsOf(cut));
    const members = cut.waiting.map((each) => waiting.indexOf(each));
    if (!members.some((i) => isBad(i))) {
      answered.push(...members);
      all.answered(cut);
    } else if (members.length > 1 || cut.kind === "pooled") all.split(cut, "400");
    else {
      failed.push(...members);
      all.release(cut);
    }
  }
}

/** Entries without a common address. */
function strangers(count: number): readonly PartFields[] {
  return Array.from({ length: count }, (_, i) => ({ target: evm(i + 1), users: [evm(1_000 + i)] }));
}

function inOrder(numbers: readonly number[]): readonly number[] {
  return numbers.toSorted((a, b) => a - b);
}

/**
 * No bad entry takes one request, and one bad entry takes its search. More bad entries take the halvings, up to the
 * budget.
 */
function most(count: number, bad: number): number {
  if (bad === 0) return 1;
  const search = Math.ceil(Math.log2(Math.max(count, 3) / 3)) + 4;
  const halving = bad === 1 ? 0 : 1 + 2 * bad * (Math.ceil(Math.log2(count / bad)) + 1);
  return Math.min(search + halving, 2 * count, count + 16 + Math.floor(count / 4));
}

const cases = fc
  .integer({ min: 1, max: 400 })
  .chain((count) => fc.tuple(fc.constant(count), fc.uniqueArray(fc.nat(count - 1), { maxLength: count, size: "max" })));

describe("a refused request", () => {
  test("every good entry is answered, every bad entry fails alone, and no request is repeated, with few requests", () => {
    fc.assert(
      fc.property(cases, ([count, bad]) => {
        const isBad = new Set(bad);
        const { answered, failed, sent } = ask(strangers(count), (i) => isBad.has(i));

        const everybody = Array.from({ length: count }, (_, i) => i);
        expect(answered).toEqual(everybody.filter((i) => !isBad.has(i)));
        expect(failed).toEqual(inOrder(bad));
        expect(new Set(sent).size).toBe(sent.length);
        expect(sent.length).toBeLessThanOrEqual(most(count, bad.length));
      }),
      { numRuns: 60 },
    );
  });

  test("no request is repeated when entries share targets, users and tokens", () => {
    const few = fc.nat(4);
    const kin = fc.uniqueArray(fc.tuple(few, few, few), { minLength: 2, maxLength: 30, selector: String });
    fc.assert(
      fc.property(kin, fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), (numbers, bad) => {
        const isBad = (i: number) => bad[i] === true;
        const fields = numbers.map(([target, user, token]) => ({
          target: evm(1 + target),
          users: [evm(1_000 + user)],
          token: evm(2_000 + token),
        }));
        const { answered, failed, sent } = ask(fields, isBad);

        expect(inOrder([...answered, ...failed])).toEqual(fields.map((_, i) => i));
        expect(failed.every((i) => isBad(i))).toBe(true);
        expect(new Set(sent).size).toBe(sent.length);
        expect(sent.length).toBeLessThanOrEqual(2 * fields.length);
      }),
    );
  });

  test.each([
    [400, 0, 1],
    [400, 1, 11],
    [400, 4, 55],
    [400, 40, 288],
    [400, 400, 516],
  ])("%i entries with %i evenly spread bad entries take %i requests", (count, bad, requests) => {
    const isBad = new Set(Array.from({ length: bad }, (_, i) => Math.floor((i * count) / bad)));
    const { answered, failed, sent } = ask(strangers(count), (i) => isBad.has(i));

    expect([answered.length, failed.length, sent.length]).toEqual([count - bad, bad, requests]);
  });
});
