import { describe, expect, test } from "vitest";
import { readSnapshot } from "../../../../../src/adapters/solana/simulator/snapshot.ts";
import { ConfigInvalidError } from "../../../../../src/kernel/errors.ts";
import { friend, user } from "../../../../fixtures/solana/world.ts";

/** The output of `solana account --output json`. */
const written = `{"pubkey":"${user}","account":{"lamports":18446744073709551615,"data":["AQI=","base64"],
  "owner":"11111111111111111111111111111111","executable":false,"rentEpoch":18446744073709551615,"space":2}}`;
const state = {
  lamports: 18_446_744_073_709_551_615n,
  owner: "11111111111111111111111111111111",
  executable: false,
  data: Uint8Array.from([1, 2]),
};

test("a list of accounts has exact numbers of 64 bits", () => {
  expect(readSnapshot(`[${written}]`)).toEqual({
    slot: undefined,
    unixTimestamp: 0,
    accounts: new Map([[user, state]]),
  });
});

test("a list may have its slot and time", () => {
  expect(readSnapshot(`{"slot":300000123,"unix_timestamp":1750000000,"accounts":[${written}]}`)).toEqual({
    slot: 300_000_123,
    unixTimestamp: 1_750_000_000,
    accounts: new Map([[user, state]]),
  });
});

describe("an unreadable snapshot is refused with the account", () => {
  const second = (from: string | RegExp, to: string) =>
    `[${written},${written.replace(user, friend).replace(from, to)}]`;
  test.each([
    ["{", "the Solana snapshot is not JSON"],
    ["{}", "the Solana snapshot holds no array of accounts"],
    [second(friend, "nobody"), "the Solana snapshot, account 1: pubkey is no address"],
    [second(/"owner":"1+"/, '"owner":1'), "the Solana snapshot, account 1: owner is no address"],
    [
      second("18446744073709551615", "18446744073709551616"),
      "the Solana snapshot, account 1: lamports is no whole number of 64 bits",
    ],
    [second("18446744073709551615", "-1"), "the Solana snapshot, account 1: lamports is no whole number of 64 bits"],
    [second("base64", "base58"), "the Solana snapshot, account 1: data is not base64"],
    [second("AQI=", "AQI"), "the Solana snapshot, account 1: data is not base64"],
    [second("false", "null"), "the Solana snapshot, account 1: executable is neither true nor false"],
    [`{"slot":-1,"accounts":[]}`, "the Solana snapshot: slot must be a whole number"],
  ])("%s", (text, detail) => {
    expect(() => readSnapshot(text)).toThrow(new ConfigInvalidError(detail));
  });
});
