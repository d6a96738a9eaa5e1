import { expect, test } from "vitest";
import { Secret } from "../../../../src/kernel/secret.ts";
import { isValidKey, refusalOf } from "../../../../src/service/http/api-keys.ts";

const keys = [new Secret("old"), new Secret("new")];

test.each(["old", "new"])("the key %s is valid, whatever its position in the list", (key) => {
  expect(isValidKey(keys, key)).toBe(true);
});

test.each(["", "ol", "oldd", "OLD", " old", "old,new", undefined, null, ["old"], 0])("%j is not valid", (key) => {
  expect(isValidKey(keys, key)).toBe(false);
});

test("without configured keys no key is valid", () => {
  expect(isValidKey([], "old")).toBe(false);
  expect(isValidKey([], "")).toBe(false);
});

test("an empty key is never valid, even if one is configured", () => {
  expect(isValidKey([new Secret("")], "")).toBe(false);
});

test("every key is compared, whichever one matches", () => {
  const compared: string[] = [];
  class Watched extends Secret {
    override equals(candidate: string): boolean {
      compared.push(this.reveal());
      return super.equals(candidate);
    }
  }

  isValidKey([new Watched("first"), new Watched("second"), new Watched("third")], "first");

  expect(compared).toEqual(["first", "second", "third"]);
});

test.each<[unknown, string]>([
  [undefined, "missingApiKey"],
  ["", "missingApiKey"],
  ["  ", "missingApiKey"],
  ["old, old", "malformedApiKey"],
  ["ol\u00e9", "malformedApiKey"],
  ["ol\td", "malformedApiKey"],
  ["olde", "unknownApiKey"],
  ["Bearer old", "unknownApiKey"],
])("the key %j is refused as %s", (key, failure) => {
  expect(refusalOf(key)[0]).toBe(failure);
});
