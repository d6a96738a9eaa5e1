import { expect, test } from "vitest";
import { editDistance } from "../../../../src/api/requests/edit-distance.ts";

test.each([
  ["address", "address", 0],
  ["address", "adress", 1],
  ["address", "addresss", 1],
  ["address", "addrass", 1],
  ["address", "adrdess", 1],
  ["address", "dadress", 1],
  ["address", "adres", 2],
  ["address", "ddaress", 2],
  ["address", "sserdda", 3],
  ["address", "", 3],
  ["", "", 0],
  ["ab", "ba", 1],
  ["abc", "cab", 2],
])("from %s to %s there are %i typing errors in both directions, and 3 stands for any more", (a, b, slips) => {
  expect(editDistance(a, b, 2)).toBe(slips);
  expect(editDistance(b, a, 2)).toBe(slips);
});

test("the caller sets the limit", () => {
  expect(editDistance("address", "adres", 1)).toBe(2);
  expect(editDistance("address", "adresx", 0)).toBe(1);
  expect(editDistance("kitten", "sitting", 9)).toBe(3);
});
