import { expect, test } from "vitest";
import { PartialResult, TOO_LATE } from "../../../../src/worker/answers/partial-result.ts";

/** Sub-questions that the test answers one by one, joined into one text. */
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

test("a question without sub-questions has no known part", () => {
  expect(new PartialResult<string>().known).toBeUndefined();
});

test("each sub-question is known once it is answered, and the others count as late", async () => {
  const { soFar, answer } = inParts();

  expect(soFar.known).toBe("late0 late1 late2");
  await answer(1, "b");
  expect(soFar.known).toBe("late0 b late2");
  await answer(0, "a");
  expect(soFar.known).toBe("a b late2");
});

test("the complete answer merges all sub-questions in any order, and stays known", async () => {
  const { soFar, all, answer } = inParts();

  await answer(2, "c");
  await answer(1, "b");
  await answer(0, "a");

  expect(await all).toBe("a b c");
  expect(soFar.known).toBe("a b c");
});

test("the error of a sub-question is thrown, and the other answers stay known", async () => {
  const { soFar, parts, all, answer } = inParts();
  const bug = new TypeError("a bug");

  parts[1]?.reject(bug);
  await expect(all).rejects.toBe(bug);
  await answer(2, "c");

  expect(soFar.known).toBe("late0 late1 c");
});

test("a sub-question without an answer may be answered later", () => {
  expect(TOO_LATE).toMatchObject({ ok: false, error: { code: "NOT_READY", message: "no answer in time" } });
});
