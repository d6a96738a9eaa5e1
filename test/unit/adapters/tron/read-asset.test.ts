import { expect, test } from "vitest";
import { readAsset } from "../../../../src/adapters/tron/read-asset.ts";
import { fail, ok } from "../../../../src/kernel/result.ts";
import { thief } from "../../../fixtures/tron/parts.ts";

/** A TRC-10 as a node returns it: names in hex, the id as text. */
const asset = { owner_address: thief, name: "55534454", abbr: "e282ae", total_supply: 9, id: "1002001" };

test("a TRC-10 has the names of its issuer", () => {
  expect(readAsset(asset, 1002001n)).toEqual(ok({ id: 1002001n, name: "USDT", abbr: "\u20AE" }));
});

test("a TRC-10 without an abbreviation has none", () => {
  expect(readAsset({ name: "55534454", id: "1002001" }, 1002001n)).toEqual(
    ok({ id: 1002001n, name: "USDT", abbr: "" }),
  );
});

test("the answer {} means that the TRC-10 does not exist", () => {
  expect(readAsset({}, 1002001n)).toEqual(ok(undefined));
});

test.each([
  ["of another id", asset, 1002002n, "the TRC-10 of another id than was asked for"],
  ["without an id", { name: "55534454" }, 1002001n, "the TRC-10 of another id than was asked for"],
  ["without a name", { id: "1002001", abbr: "55" }, 1002001n, "a TRC-10 without a name"],
  ["that is a list", [asset], 1002001n, "no TRC-10: must be an object"],
  ["that is nothing", null, 1002001n, "no TRC-10: must be an object"],
  ["whose name is a number", { id: "1002001", name: 5 }, 1002001n, "no TRC-10: name: must be a string"],
])("an answer %s is the node's failure", (_what, json, id, detail) => {
  expect(readAsset(json, id)).toEqual(fail(detail));
});
