import { expect, test } from "vitest";
import { MAX_ADDRESS_LENGTH, parseAddress } from "../../../src/chains/address.ts";
import { families } from "../../../src/chains/chain.ts";

test.each([
  ["evm", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"],
  ["tron", "41a614f803b6fd780986a42c78ec9c7f77e6ded13c", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"],
  ["solana", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"],
  ["bitcoin", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
] as const)("an address of the %s family is read by its own rules", (family, text, value) => {
  expect(parseAddress(family, text)).toEqual({ ok: true, value });
});

test.each(families)("an empty or very long address of the %s family is refused", (family) => {
  expect(parseAddress(family, "")).toEqual({ ok: false, detail: "empty address" });
  const detail = `longer than ${MAX_ADDRESS_LENGTH} characters`;
  expect(parseAddress(family, "1".repeat(MAX_ADDRESS_LENGTH + 1))).toEqual({ ok: false, detail });
});
