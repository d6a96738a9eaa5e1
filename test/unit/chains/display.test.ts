import { expect, test } from "vitest";
import { shortForm } from "../../../src/chains/display.ts";

test.each([
  ["0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91", "0xd9a1b0…853a91"],
  ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "TR7NHqje…gjLj6t"],
  ["bc1sw50qgdz25jxx", "bc1sw50q…z25jxx"],
])("%s is shown as %s", (address, shown) => {
  expect(shortForm(address)).toBe(shown);
});

test.each(["", "bc1sw50qgdz25j", "bc1sw50qgdz25jx"])("%j is short enough as it is", (address) => {
  expect(shortForm(address)).toBe(address);
});
