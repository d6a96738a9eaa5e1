import { expect, test } from "vitest";
import { LATE, PartialResult } from "../../../../src/worker/answers/partial-result.ts";

/** Parts whose answers come when the test says so, joined into one text. */
function inParts() {
  const soFar = new PartialResult<string>();
  const parts = [0, 1, 2].map(() => Promise.withResolvers<string>());
  const all = soFar.gather(
    parts.map(({ promise }) => promise),
    (answers) => answers.join(" "),
    (at) => `late${at}`,
  );
  const answer = async (at: number, text: string) => {
    parts[at]?.resolve(text);
    await parts[at]?.promise;
  };
  return { soFar, parts, all, answer };
}

test("nothing is known of a question that nobody asks in parts", () => {
  expect(new PartialResult<string>().known).toBeUndefined();
});

test("each part is known as soon as it is answered, and the others are late", async () => {
  const { soFar, answer } = inParts();

  expect(soFar.known).toBe("late0 late1 late2");
  await answer(1, "b");
  expect(soFar.known).toBe("late0 b late2");
  await answer(0, "a");
  expect(soFar.known).toBe("a b late2");
});

test("what all parts say is the answer, whatever their order, and known after it", async () => {
  const { soFar, all, answer } = inParts();

  await answer(2, "c");
  await answer(1, "b");
  await answer(0, "a");

  expect(await all).toBe("a b c");
  expect(soFar.known).toBe("a b c");
});

test("what a part throws is thrown, and the others are known all the same", async () => {
  const { soFar, parts, all, answer } = inParts();
  const bug = new TypeError("a bug");

  parts[1]?.reject(bug);
  await expect(all).rejects.toBe(bug);
  await answer(2, "c");

  expect(soFar.known).toBe("late0 late1 c");
});

test("a part without an answer may have one later", () => {
  expect(LATE).toMatchObject({ ok: false, error: { code: "NOT_READY", message: "no answer in time" } });
});
