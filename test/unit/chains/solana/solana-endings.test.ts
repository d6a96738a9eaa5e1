import { describe, expect, test } from "vitest";
import { type CanonicalAddress, parseAddress } from "../../../../src/chains/address.ts";
import { lookalike, overlap } from "../../../../src/chains/lookalike.ts";
import { solanaEnding } from "../../../../src/chains/solana/solana-endings.ts";

/** The programs, sysvars and well-known accounts of the system, and the three programs that every transfer calls. */
const native = [
  "11111111111111111111111111111111",
  "Vote111111111111111111111111111111111111111",
  "Stake11111111111111111111111111111111111111",
  "StakeConfig11111111111111111111111111111111",
  "ComputeBudget111111111111111111111111111111",
  "Config1111111111111111111111111111111111111",
  "BPFLoader1111111111111111111111111111111111",
  "BPFLoader2111111111111111111111111111111111",
  "BPFLoaderUpgradeab1e11111111111111111111111",
  "LoaderV411111111111111111111111111111111111",
  "NativeLoader1111111111111111111111111111111",
  "Feature111111111111111111111111111111111111",
  "AddressLookupTab1e1111111111111111111111111",
  "Ed25519SigVerify111111111111111111111111111",
  "KeccakSecp256k11111111111111111111111111111",
  "Secp256r1SigVerify1111111111111111111111111",
  "Sysvar1111111111111111111111111111111111111",
  "SysvarC1ock11111111111111111111111111111111",
  "SysvarRent111111111111111111111111111111111",
  "SysvarFees111111111111111111111111111111111",
  "SysvarEpochSchedu1e111111111111111111111111",
  "SysvarEpochRewards1111111111111111111111111",
  "SysvarRecentB1ockHashes11111111111111111111",
  "SysvarRewards111111111111111111111111111111",
  "SysvarS1otHashes111111111111111111111111111",
  "SysvarS1otHistory11111111111111111111111111",
  "SysvarStakeHistory1111111111111111111111111",
  "SysvarLastRestartS1ot1111111111111111111111",
  "Sysvar1nstructions1111111111111111111111111",
  "1nc1nerator11111111111111111111111111111111",
  "TokenkegQfeZyiNwAJbNbGKPFXCWuBVf9Ss623VQ5DA",
  "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
  "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
].map((text) => {
  const parsed = parseAddress("solana", text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.detail}`);
  return parsed.value;
});

/** A text with the given ends of an address of 44 characters. */
function shaped(start: string, filler: string, end: string): CanonicalAddress {
  return (start + filler.repeat(44 - start.length - end.length) + end) as CanonicalAddress;
}

test.each([
  ["Vote111111111111111111111111111111111111111", "Vote111111111111111111111111111111111111111"],
  ["11111111111111111111111111111111", "11111111111111111111111111111111"],
  [shaped("4", "2", "a1111111111111111"), shaped("4", "2", "a1111111111111111")],
  [shaped("4", "2", "a111111111111111"), ""],
  [shaped("4", "2", "xpump"), "pump"],
  [shaped("4", "2", "xbonk"), "bonk"],
  [shaped("4", "2", "xmoon"), "moon"],
  [shaped("4", "2", "xjups"), "jups"],
  [shaped("4", "2", "xBAGS"), "BAGS"],
  [shaped("4", "2", "xxBLV"), "BLV"],
  [shaped("4", "2", "xPump"), ""],
  [shaped("4", "2", "xump"), ""],
  [shaped("pump", "2", "x"), ""],
  ["", ""],
])("%s ends with %j, a common ending", (address, ending) => {
  expect(solanaEnding(address)).toBe(ending);
});

test("no native address is a lookalike of another, though most end in the same ones", () => {
  const alike = native.flatMap((a) => native.filter((b) => lookalike("solana", a, b) !== undefined).map((b) => [a, b]));

  expect(alike).toEqual([]);
});

describe("two mints of one launchpad", () => {
  test.each([
    ["", "xpump", false],
    ["4444", "pump", false],
    ["4444", "4pump", true],
    ["444", "4pump", false],
    ["444", "444pump", true],
    ["444", "44pump", false],
    ["44", "4444pump", true],
    ["44444", "pump", true],
    ["44444", "BLV", true],
    ["4444", "BLV", false],
    ["4".repeat(8), "pump", true],
    ["4".repeat(39), "pump", true],
    ["", "44444pump", true],
    ["", "4444pump", false],
    ["", "44444BLV", true],
    ["", "4444BLV", false],
  ])("that share %j and %j: lookalike %s", (start, end, expected) => {
    const a = shaped(start, "2", end);
    const b = shaped(start, "3", end);

    expect(lookalike("solana", a, b) !== undefined).toBe(expected);
    expect(lookalike("solana", b, a)).toEqual(lookalike("solana", a, b));
  });

  test("that share 39 leading characters and the ending differ in the character before the ending", () => {
    const real = "9BB6NFEcjBCtnNLFko2FqVQBq8HHM13kCyYcdQbgpump" as CanonicalAddress;
    const fake = "9BB6NFEcjBCtnNLFko2FqVQBq8HHM13kCyYcdQbopump" as CanonicalAddress;

    expect(lookalike("solana", real, fake)).toEqual({ prefix: 39, suffix: 4, bits: expect.closeTo(226.76, 2) });
    expect(lookalike("solana", fake, real)).toEqual(lookalike("solana", real, fake));
  });

  test("show their ending as equal, and it carries no information", () => {
    const [a, b] = [shaped("4444", "2", "4pump"), shaped("4444", "3", "4pump")];
    const withoutEnding = overlap("solana", shaped("4444", "2", "4"), shaped("4444", "3", "4"));

    expect(withoutEnding).toMatchObject({ prefix: 4, suffix: 1 });
    expect(lookalike("solana", a, b)).toEqual({ prefix: 4, suffix: 5, bits: withoutEnding.bits });
  });
});

test("an address without a common ending is compared by its plain ends with an address that has one", () => {
  const mint = shaped("4444", "2", "pump");
  const stranger = shaped("4444", "3", "xxxp");

  expect(lookalike("solana", mint, stranger)).toMatchObject({ prefix: 4, suffix: 1 });
  expect(lookalike("solana", stranger, mint)).toEqual(lookalike("solana", mint, stranger));
});

test("leading characters alone are not enough where only one or neither address has an ending", () => {
  expect(lookalike("solana", shaped("44444444", "2", "pump"), shaped("44444444", "3", "xxxx"))).toBeUndefined();
  expect(lookalike("solana", shaped("44444444", "2", "xxxa"), shaped("44444444", "3", "xxxb"))).toBeUndefined();
});

test("different launchpad endings do not count", () => {
  expect(lookalike("solana", shaped("4444", "2", "aBLV"), shaped("4444", "3", "moon"))).toBeUndefined();
  expect(lookalike("solana", shaped("44444444", "2", "aBLV"), shaped("44444444", "3", "moon"))).toBeUndefined();
});

test("a ground imitation of a native address is found, because grinding cannot reach as many ones", () => {
  const stake = "Stake11111111111111111111111111111111111111" as CanonicalAddress;

  expect(lookalike("solana", stake, shaped("9", "2", "11111"))).toMatchObject({ prefix: 0, suffix: 5 });
  expect(lookalike("solana", stake, shaped("Stak", "2", "1"))).toMatchObject({ prefix: 4, suffix: 1 });
  expect(lookalike("solana", stake, shaped("9", "2", "1111"))).toBeUndefined();
});

test("a ground imitation of a token's mint is found", () => {
  const dollar = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" as CanonicalAddress;

  expect(lookalike("solana", dollar, shaped("EPjF", "2", "v"))).toMatchObject({ prefix: 4, suffix: 1 });
  expect(lookalike("solana", dollar, shaped("9", "2", "TDt1v"))).toMatchObject({ prefix: 0, suffix: 5 });
});
