import { TronWeb } from "tronweb";
import { describe, expect, test } from "vitest";
import { type ClaimedBytes, integrityOf } from "../../../../../src/chains/tron/message/integrity.ts";
import { tronHexOf } from "../../../../../src/chains/tron/tron-address.ts";
import { friend, USUAL, user } from "../../../../fixtures/tron/parts.ts";

const tronWeb = new TronWeb({ fullHost: "http://127.0.0.1:1" });
const builder = tronWeb.transactionBuilder;
const header = {
  ref_block_bytes: "1a2b",
  ref_block_hash: "0123456789abcdef",
  expiration: 1_893_456_060_000,
  timestamp: 1_893_456_000_000,
};
const options = { blockHeader: header };
const upper = tronHexOf(friend).toUpperCase();

type Transaction = Awaited<ReturnType<typeof builder.sendTrx>>;
type Make = () => Promise<unknown>;

const pay = (blockHeader = header) => builder.sendTrx(friend, 2, user, { blockHeader });
const memo = (text: string, format: "utf8" | "hex") => async () =>
  builder.addUpdateData(await pay(), text, format, { txLocal: true });
/** A transaction that is rebuilt with a member that the library's user wrote by hand. */
const anew = async (made: Promise<Transaction>, more: object, top: object = {}) => {
  const transaction = structuredClone(await made);
  Object.assign(transaction, top);
  Object.assign(transaction.raw_data, more);
  return builder.newTxID(transaction, { txLocal: true });
};
const called = async (signature: string, more: object) => {
  const built = await builder.triggerSmartContract(
    friend,
    signature,
    { txLocal: true, feeLimit: 100_000_000, ...options, ...more },
    [],
    user,
  );
  return built.transaction;
};
const deployed = (bytecode: string, more: object = {}) =>
  builder.createSmartContract({ abi: [], bytecode, feeLimit: 1_000_000_000, name: "x", ...options, ...more }, user);

/** Inputs that people give to the library in other spellings than its own. */
const odd: readonly (readonly [string, Make])[] = [
  ["a recipient in upper case", () => builder.sendTrx(upper, 1, user, options)],
  ["votes in upper case", () => builder.vote({ [upper]: 5 }, user, options)],
  ["a memo in upper case", memo("ABCDEF", "hex")],
  ["a memo of half a byte more", memo("ABC", "hex")],
  ["a memo of 0x and half a byte more", memo("0xABC", "hex")],
  ["a memo of digits", memo("123", "utf8")],
  ["a memo that was written by hand, of half a byte more", () => anew(pay(), { data: "abc" })],
  ["a memo that was written by hand, with 0x and in upper case", () => anew(pay(), { data: "0x00AB" })],
  ["a memo that was written by hand, as text", () => anew(pay(), { data: "hello" })],
  ["a memo of half a byte more, visible", () => anew(pay(), { data: "0xABC" }, { visible: true })],
  ["a block of half a byte less", () => pay({ ...header, ref_block_bytes: "1a2" })],
  ["a block with 0x and in upper case", () => pay({ ...header, ref_block_bytes: "0x1A2B" })],
  ["arguments of half a byte more", () => called("foo(uint256)", { rawParameter: "0xABC" })],
  ["a call of half a byte more", () => called("", { input: "abcdef012" })],
  ["a call with 0x and in upper case", () => called("", { input: "0xABCDEF01" })],
  ["a call without data", () => called("", {})],
  ["code of half a byte more", () => deployed("60806")],
  ["code with 0x and in upper case", () => deployed("0x6080AB")],
  ["code with arguments of half a byte more", () => deployed("6080", { rawParameter: "0xabc" })],
  ["an id that looks like hex", () => builder.setAccountId("ABCDEF0123456789", user, options)],
  ["a name that looks like hex", () => builder.updateAccount("cafe", user, options)],
  [
    "permissions in upper case",
    () =>
      builder.updateAccountPermissions(
        user,
        { type: 0, permission_name: "owner", threshold: 1, keys: [{ address: upper, weight: 1 }] },
        undefined,
        [
          {
            type: 2,
            permission_name: "active",
            threshold: 1,
            operations: USUAL.toUpperCase(),
            keys: [{ address: upper, weight: 1 }],
          },
        ],
        options,
      ),
  ],
];

const asClaimed = (made: unknown) => JSON.parse(JSON.stringify(made)) as ClaimedBytes;

describe("tronweb's output for odd inputs is reported as equal", () => {
  test.each(odd)("%s", async (_what, make) => {
    const transaction = asClaimed(await make());
    const { raw_data_hex: _bytes, ...byId } = transaction;

    expect(integrityOf(transaction)).toEqual({ integrity: "equal", txId: transaction.txID });
    expect(integrityOf(byId)).toEqual({ integrity: "equal", txId: transaction.txID });
  });
});

describe("a changed byte is reported as a forgery", () => {
  test.each(odd)("%s", async (_what, make) => {
    const transaction = asClaimed(await make());
    const bytes = transaction.raw_data_hex ?? "";
    const { txID: _id, ...body } = transaction;

    for (const at of [2, Math.floor(bytes.length / 4) * 2, bytes.length - 2]) {
      const other = bytes.slice(at, at + 2) === "07" ? "08" : "07";
      const raw_data_hex = `${bytes.slice(0, at)}${other}${bytes.slice(at + 2)}`;
      expect(integrityOf({ ...body, raw_data_hex }).integrity).toBe("body_differs");
    }
  });

  test("half a byte at another position", async () => {
    const transaction = asClaimed(await anew(pay(), { data: "abc" }));
    const raw_data_hex = transaction.raw_data_hex?.replace("5202ab0c", "52020abc");

    expect(raw_data_hex).not.toBe(transaction.raw_data_hex);
    expect(integrityOf({ ...transaction, raw_data_hex, txID: undefined }).integrity).toBe("body_differs");
  });
});

test.each(["1.5", " 12", "0X00ab", "-5", "1e+3"])(
  "%j, which only this library accepts, is neither equal nor forged",
  async (data) => {
    const transaction = asClaimed(await anew(pay(), { data }));

    expect(integrityOf(transaction).integrity).toBe("not_compared");
  },
);
