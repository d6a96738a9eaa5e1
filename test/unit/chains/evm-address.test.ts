import { expect, test } from "vitest";
import { parseEvmAddress, toChecksumAddress } from "../../../src/chains/evm-address.ts";

/** The test cases of EIP-55. */
const checksummed = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x27b1fdb04752bbc536007a920d24acb045561c26",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

test.each(checksummed)("%s is accepted and lowered", (text) => {
  expect(parseEvmAddress(text)).toEqual({ ok: true, value: text.toLowerCase() });
});

test.each(checksummed)("%s is accepted without a checksum, in either case", (text) => {
  const value = text.toLowerCase();

  expect(parseEvmAddress(value)).toEqual({ ok: true, value });
  expect(parseEvmAddress(`0x${text.slice(2).toUpperCase()}`)).toEqual({ ok: true, value });
});

test.each(checksummed)("%s is what its canonical form is written as", (text) => {
  expect(toChecksumAddress(text.toLowerCase())).toBe(text);
});

test("an address of digits alone has no letters to check", () => {
  const text = "0x0000000000000000000000000000000000000001";

  expect(parseEvmAddress(text)).toEqual({ ok: true, value: text });
});

test.each([
  ["", "must start with 0x"],
  ["vitalik.eth", "must start with 0x"],
  ["5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "must start with 0x"],
  ["0X5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "must start with 0x"],
  [" 0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "must start with 0x"],
  ["0x", "must have 40 hex digits after 0x, has 0"],
  ["0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae", "must have 40 hex digits after 0x, has 39"],
  ["0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed0", "must have 40 hex digits after 0x, has 41"],
  ["0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaeg", "character 42 is not a hex digit"],
  ["0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed\n", "character 43 is not a hex digit"],
  ["0xo", "character 3 is not a hex digit"],
  ["0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "EIP-55 checksum does not match: check each letter and its case"],
  ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee", "EIP-55 checksum does not match: check each letter and its case"],
])("%j is refused: %s", (text, detail) => {
  expect(parseEvmAddress(text)).toEqual({ ok: false, detail });
});
