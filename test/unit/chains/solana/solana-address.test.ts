import { expect, test } from "vitest";
import { parseSolanaAddress } from "../../../../src/chains/solana/solana-address.ts";

test.each([
  "11111111111111111111111111111111",
  "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  "4yfu48qwim7hGzD3Nphzd2A6ThydzysfKi4wBPFSgnhY",
])("%s is canonical", (text) => {
  expect(parseSolanaAddress(text)).toEqual({ ok: true, value: text });
});

test.each([
  ["", "must have 32 to 44 characters, has 0"],
  ["1111111111111111111111111111111", "must have 32 to 44 characters, has 31"],
  ["4yfu48qwim7hGzD3Nphzd2A6ThydzysfKi4wBPFSgnhYY", "must have 32 to 44 characters, has 45"],
  ["4yfu48qwim7hGzD3Nphzd2A6ThydzysfKi4wBPFSgnh0", "character 44 is not base58 (which has no 0, O, I or l)"],
  ["0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "character 1 is not base58 (which has no 0, O, I or l)"],
  ["111111111111111111111111111111111", "must decode to 32 bytes, has 33"],
  ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "must decode to 32 bytes, has 25"],
  ["zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", "must decode to 32 bytes, has 33"],
])("%j is refused: %s", (text, detail) => {
  expect(parseSolanaAddress(text)).toEqual({ ok: false, detail });
});
