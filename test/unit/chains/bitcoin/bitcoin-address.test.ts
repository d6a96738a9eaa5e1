import { bech32, bech32m } from "@scure/base";
import { expect, test } from "vitest";
import { base58check } from "../../../../src/chains/base58.ts";
import { parseBitcoinAddress } from "../../../../src/chains/bitcoin/bitcoin-address.ts";

test.each(["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "1111111111111111111114oLvT2", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"])(
  "%s is canonical as it is written",
  (text) => {
    expect(parseBitcoinAddress(text)).toEqual({ ok: true, value: text });
  },
);

/** The valid addresses of BIP-173 (version 0) and BIP-350 on the main network. */
test.each([
  "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
  "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3",
  "BC1SW50QGDZ25J",
  "bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs",
  "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
])("%s is accepted in lower and upper case and written in lower case", (text) => {
  const value = text.toLowerCase();

  expect(parseBitcoinAddress(value)).toEqual({ ok: true, value });
  expect(parseBitcoinAddress(text.toUpperCase())).toEqual({ ok: true, value });
});

const checksumDetail = "bech32 checksum does not match: a character is wrong or missing";
const needsBech32m = "witness versions from 1 on must have the bech32m checksum, has the bech32 one";
const testNetwork = "is of a test network (m, n, 2, tb1 or bcrt1), not of the main one";

/** The invalid addresses of BIP-350 on the main network, and the address of version 1 without a meaning in BIP-341. */
test.each([
  ["bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd", needsBech32m],
  ["BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL", needsBech32m],
  [
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh",
    "witness version 0 must have the bech32 checksum, has the bech32m one",
  ],
  [
    "bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4",
    "character 60 is not bech32 (which has no 1, b, i or o)",
  ],
  ["BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R", "witness version must be 0 to 16, is 17"],
  ["bc1pw5dgrnzv", "version 1 program must have 32 bytes, has 1"],
  [
    "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav",
    "version 1 program must have 32 bytes, has 41",
  ],
  ["BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P", "version 0 program must have 20 or 32 bytes, has 16"],
  [
    "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf",
    "witness program does not end on a whole byte with zero padding",
  ],
  ["bc1gmk9yu", "too short: has no witness program"],
  [
    "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y",
    "version 1 program must have 32 bytes, has 40",
  ],
])("%s is refused: %s", (text, detail) => {
  expect(parseBitcoinAddress(text)).toEqual({ ok: false, detail });
});

test.each([
  ["", "must start with 1, 3 or bc1"],
  ["LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1", "must start with 1, 3 or bc1"],
  ["minimum", "must start with 1, 3 or bc1"],
  ["tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut", "must start with 1, 3 or bc1"],
  ["mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn", testNetwork],
  ["2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc", testNetwork],
  ["tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", testNetwork],
  ["BCRT1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KYGT080", testNetwork],
  ["1A1zP1eP5QGefi2DMPTfTL5SL", "must have 26 to 34 characters, has 25"],
  ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNaa", "must have 26 to 34 characters, has 35"],
  ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNO", "character 34 is not base58 (which has no 0, O, I or l)"],
  ["1A1zP1eP5QGefi2DMPTfTL5SLmv7Divfna", "base58 checksum does not match: a character is wrong or missing"],
  ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", checksumDetail],
  ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3T4", "mixes upper and lower case"],
  [`bc1q${"q".repeat(87)}`, "must have at most 90 characters"],
])("%j is refused: %s", (text, detail) => {
  expect(parseBitcoinAddress(text)).toEqual({ ok: false, detail });
});

test("a version byte other than 0x00 and 0x05 is refused although its text starts with 3", () => {
  const text = base58check.encode(Uint8Array.of(0x06, ...new Uint8Array(20)));

  expect(text).toMatch(/^3.{33}$/);
  expect(parseBitcoinAddress(text)).toEqual({ ok: false, detail: "version byte is not 0x00 or 0x05" });
});

test("a payload of another length is refused", () => {
  const text = base58check.encode(new Uint8Array(22));

  expect(parseBitcoinAddress(text)).toEqual({ ok: false, detail: "must decode to 21 bytes, has 22" });
});

test("the shortest base58 address has 26 characters", () => {
  const text = base58check.encode(Uint8Array.of(...new Uint8Array(20), 1));

  expect(text).toHaveLength(26);
  expect(parseBitcoinAddress(text)).toEqual({ ok: true, value: text });
});

test("padding bits that are not zero are refused", () => {
  const words = bech32.toWords(new Uint8Array(32));
  const text = bech32.encode("bc", [0, ...words.slice(0, -1), 1]);

  const detail = "witness program does not end on a whole byte with zero padding";
  expect(parseBitcoinAddress(text)).toEqual({ ok: false, detail });
});

test.each([
  [1, false],
  [2, true],
  [40, true],
  [41, false],
])("a program of %i bytes under version 16 is accepted: %s", (bytes, accepted) => {
  const text = bech32m.encode("bc", [16, ...bech32m.toWords(new Uint8Array(bytes))]);

  const detail = `witness program must have 2 to 40 bytes, has ${bytes}`;
  expect(parseBitcoinAddress(text)).toEqual(accepted ? { ok: true, value: text } : { ok: false, detail });
});
