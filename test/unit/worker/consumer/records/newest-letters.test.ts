import { expect, test } from "vitest";
import { sha256 } from "../../../../../src/kernel/hash.ts";
import { NewestLetters } from "../../../../../src/worker/consumer/records/newest-letters.ts";

const letter = (name: string, revision = 0) => ({ verdictId: sha256(name), revision });

test("of several dead letters of one verdict the newest is taken, and only the first of its copies", () => {
  const newest = new NewestLetters();
  const letters = [letter("a"), letter("a", 2), letter("b"), letter("a", 1), letter("a", 2)];
  for (const each of letters) newest.see(each, true);

  expect(letters.map((each) => newest.take(each))).toEqual([false, true, true, false, false]);
});

test("an unwanted dead letter is not remembered, but supersedes an older wanted one", () => {
  const newest = new NewestLetters(1);
  newest.see(letter("a"), true);
  newest.see(letter("b"), false);
  newest.see(letter("a", 1), false);

  expect([letter("a"), letter("b")].map((each) => newest.take(each))).toEqual([false, false]);
});

test("the number of verdicts is limited", () => {
  const newest = new NewestLetters(2);
  for (const name of ["a", "b", "a"]) newest.see(letter(name), true);

  expect(() => newest.see(letter("c"), true)).toThrow("more than 2 verdicts at once: take a part of them by --reason");
});
