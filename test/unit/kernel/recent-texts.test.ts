import { expect, test } from "vitest";
import { RecentTexts } from "../../../src/kernel/recent-texts.ts";

test("keeps the last that were added, and forgets the oldest first", () => {
  const texts = new RecentTexts(2);
  const known = () => ["a", "b", "c"].filter((text) => texts.has(text));
  texts.add("a");
  texts.add("b");
  expect(known()).toEqual(["a", "b"]);
  texts.add("a");
  texts.add("c");
  expect(known()).toEqual(["a", "c"]);
  texts.delete("a");
  expect(known()).toEqual(["c"]);
  texts.add("b");
  expect(known()).toEqual(["b", "c"]);
});
