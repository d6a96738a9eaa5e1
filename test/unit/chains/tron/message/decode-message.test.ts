import { describe, expect, test } from "vitest";
import { contractMessages } from "../../../../../src/chains/tron/message/contract-messages.ts";
import { isContractType, isUnsupportedType } from "../../../../../src/chains/tron/message/contract-types.ts";
import { decodeMessage } from "../../../../../src/chains/tron/message/decode-message.ts";
import { encodeMessage } from "../../../../../src/chains/tron/message/encode-message.ts";
import { readMessage } from "../../../../../src/chains/tron/message/read-message.ts";
import { namesBy } from "../../../../../src/chains/tron/operation.ts";
import { fail } from "../../../../../src/kernel/result.ts";
import { tronVectors } from "../../../../support/tron-vectors.ts";

const bytes = (digits: string) => Uint8Array.from(Buffer.from(digits, "hex"));
const payment = contractMessages.TransferContract;
const address = `15${"41"}${"07".repeat(20)}`;

test.each(tronVectors)("$name, written and read again, is unchanged", ({ transaction }) => {
  const [contract] = transaction.raw_data.contract;
  const type = contract?.type ?? "";
  if (!isContractType(type) || isUnsupportedType(type)) throw new Error(type);
  const read = readMessage(contractMessages[type], contract?.parameter.value, namesBy(transaction.visible));
  if (!read.ok) throw new Error(read.detail);
  const written = encodeMessage(contractMessages[type], read.value.value);

  const again = decodeMessage(contractMessages[type], written);

  expect(again.ok && encodeMessage(contractMessages[type], again.value)).toEqual(written);
});

test("numbers are read to the last unit, and with their sign", () => {
  const amountIn = (digits: string) => {
    const read = decodeMessage(payment, bytes(digits));
    return read.ok ? read.value.fields.get("amount") : read.detail;
  };

  expect(amountIn("188180808080808010")).toBe(9_007_199_254_740_993n);
  expect(amountIn("18ffffffffffffffff7f")).toBe(9_223_372_036_854_775_807n);
  expect(amountIn("18ffffffffffffffffff01")).toBe(-1n);
  expect(amountIn("")).toBeUndefined();
});

test("unknown fields of any wire type are skipped", () => {
  const known = `0a${address}1805`;

  expect(decodeMessage(payment, bytes(`${known}f00601f9060102030405060708f20602abcdf50601020304`))).toEqual(
    decodeMessage(payment, bytes(known)),
  );
});

describe("is refused:", () => {
  test.each([
    ["a field that stands there twice", "18051806", "amount: stands there twice"],
    ["a number where bytes belong", "0805", "owner_address: must be bytes"],
    ["bytes where a number belongs", "1a0105", "amount: must be a number"],
    ["an address of 20 bytes", `0a14${"07".repeat(20)}`, "owner_address: hex form must start with 41"],
    ["bytes that end too early", "0a05ff", "field 1 does not end"],
    ["a number that does not end", "1880", "field 3 does not end"],
    ["a number of eleven bytes", `18${"80".repeat(10)}01`, "field 3 does not end"],
    ["a group", "0b", "field 1 does not end"],
    ["a tag that does not end", "ff", "a tag that does not end"],
  ])("%s", (_what, digits, detail) => {
    expect(decodeMessage(payment, bytes(digits))).toEqual(fail(detail));
  });

  test("text that is not UTF-8", () => {
    expect(decodeMessage(contractMessages.AssetIssueContract, bytes("ca0201ff"))).toEqual(fail("id: must be UTF-8"));
  });
});
