import fc from "fast-check";
import { expect, test } from "vitest";
import { type BatchEntry, textOf } from "../../../../../src/worker/batching/batch-entry.ts";
import { ByPart } from "../../../../../src/worker/batching/replies/by-part.ts";
import { chainOf, evm, partAbout } from "../../../../support/poisoning-parts.ts";

/** Few values of each kind, so that many entries differ in only one. */
const parts = fc
  .record({
    target: fc.integer({ min: 1, max: 3 }),
    token: fc.constantFrom(undefined, 4, 5),
    users: fc.uniqueArray(fc.integer({ min: 3, max: 6 }), { maxLength: 3 }),
    chain: fc.constantFrom("1", "56"),
  })
  .map(({ target, token, users, chain }) =>
    partAbout({
      target: evm(target),
      ...(token === undefined ? {} : { token: evm(token) }),
      users: users.map(evm),
      chain: chainOf(chain),
    }),
  );

test("each entry has its own value, whatever it shares with other entries", () => {
  const steps = fc.array(fc.tuple(fc.constantFrom("set", "delete", "get"), parts), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (all) => {
      const byPart = new ByPart<{ readonly question: BatchEntry; readonly number: number }>();
      const model = new Map<string, number>();
      for (const [number, [step, part]] of all.entries()) {
        const text = textOf(part);
        if (step === "set") {
          byPart.set(part, { question: part, number });
          model.set(text, number);
        } else if (step === "delete") {
          byPart.delete(part);
          model.delete(text);
        }
        expect(byPart.get(part)?.number).toBe(model.get(text));
      }
      for (const [, part] of all) expect(byPart.get(part)?.number).toBe(model.get(textOf(part)));
    }),
  );
});

test("the length of an entry is the length of its addresses", () => {
  const long = partAbout({ target: evm(1), token: evm(2), users: [evm(3), evm(4)] });

  expect(new ByPart().lengthOf(long)).toBe(4 * 42);
  expect(new ByPart().lengthOf(partAbout({ target: evm(1), users: [] }))).toBe(42);
});
