import { expect, test } from "vitest";
import { base58check } from "../../../../src/chains/base58.ts";
import { parseTronAddress, tronHexOf } from "../../../../src/chains/tron/tron-address.ts";

/** USDT's contract, wrapped TRX, and the burn address of twenty zero bytes. */
const samples = [
  ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "41a614f803b6fd780986a42c78ec9c7f77e6ded13c"],
  ["TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR", "41891cdb91d149f23b1a45d9c5ca78a88d0cb44c18"],
  ["T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb", "410000000000000000000000000000000000000000"],
] as const;

test.each(samples)("%s is canonical", (text) => {
  expect(parseTronAddress(text)).toEqual({ ok: true, value: text });
});

test.each(samples)("%s is the canonical form of its hex in any case", (value, hex) => {
  expect(parseTronAddress(hex)).toEqual({ ok: true, value });
  expect(parseTronAddress(hex.toUpperCase())).toEqual({ ok: true, value });
});

test.each(samples)("%s is written in hex as %s", (text, hex) => {
  expect(tronHexOf(text)).toBe(hex);
});

const checksumDetail = "base58 checksum does not match: a character is wrong or missing";

test.each([
  ["", "must start with T, or with 41 in hex"],
  ["tR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "must start with T, or with 41 in hex"],
  ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "must start with T, or with 41 in hex"],
  ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6", "must have 34 characters, has 33"],
  ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6tt", "must have 34 characters, has 35"],
  ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6l", "character 34 is not base58 (which has no 0, O, I or l)"],
  ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T", checksumDetail],
  ["41a614f803b6fd780986a42c78ec9c7f77e6ded13", "hex form must have 42 digits, has 41"],
  ["a0a614f803b6fd780986a42c78ec9c7f77e6ded13c", "hex form must start with 41"],
  ["0x41a614f803b6fd780986a42c78ec9c7f77e6ded13c", "must not start with 0x: the hex form is 42 digits from 41"],
  ["0xa614f803b6fd780986a42c78ec9c7f77e6ded13c", "must not start with 0x: the hex form is 42 digits from 41"],
])("%j is refused: %s", (text, detail) => {
  expect(parseTronAddress(text)).toEqual({ ok: false, detail });
});

test("another version byte is refused although its text starts with T", () => {
  const text = base58check.encode(Uint8Array.of(0x42, ...new Uint8Array(20)));

  expect(text).toMatch(/^T.{33}$/);
  expect(parseTronAddress(text)).toEqual({ ok: false, detail: "version byte is not 0x41" });
});
