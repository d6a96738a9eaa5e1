import { describe, expect, test } from "vitest";
import { readAccount } from "../../../../src/adapters/tron/read-account.ts";
import { tronHexOf } from "../../../../src/chains/tron/tron-address.ts";
import { parseExact } from "../../../../src/kernel/json.ts";
import { fail, ok } from "../../../../src/kernel/result.ts";
import { initialPermissions } from "../../../../src/service/tron-transactions/permissions/permission-analysis.ts";
import { bits, friend, thief, user } from "../../../fixtures/tron/parts.ts";

const hex = tronHexOf(user);
const key = (address: string, weight: number) => ({ address: tronHexOf(address), weight });

const IMPOSSIBLE = "a permission that no account can have";

test("an empty answer is an account that was never activated", () => {
  expect(readAccount({}, user)).toEqual(ok(undefined));
});

test("an account has its exact balance in sun, and its permissions", () => {
  const json = parseExact(
    JSON.stringify({
      address: hex,
      type: "AssetIssue",
      is_witness: true,
      balance: "BALANCE",
      account_name: "6e616d65",
      asset_issued_ID: "1002000",
      assetV2: [{ key: "1002000", value: 5 }],
      owner_permission: { permission_name: "owner", threshold: 2, keys: [key(user, 1), key(thief, 2)] },
      witness_permission: { type: "Witness", id: 1, permission_name: "witness", threshold: 1, keys: [key(friend, 1)] },
      active_permission: [
        { type: "Active", id: 2, permission_name: "a", threshold: 1, operations: bits(1, 46), keys: [key(user, 1)] },
      ],
    }).replace('"BALANCE"', "9007199254740993"),
  );

  expect(readAccount(json, user)).toEqual(
    ok({
      balanceSun: 9_007_199_254_740_993n,
      isContract: false,
      isWitness: true,
      permissions: {
        owner: {
          name: "owner",
          threshold: 2n,
          keys: [
            { address: user, weight: 1n },
            { address: thief, weight: 2n },
          ],
        },
        witness: { name: "witness", threshold: 1n, keys: [{ address: friend, weight: 1n }] },
        actives: [
          {
            name: "a",
            threshold: 1n,
            keys: [{ address: user, weight: 1n }],
            granted: { types: ["TransferContract", "AccountPermissionUpdateContract"], unknownIds: [] },
          },
        ],
      },
    }),
  );
});

test("an account without permissions has the default ones", () => {
  expect(readAccount({ address: hex, type: "Contract" }, user)).toEqual(
    ok({ balanceSun: 0n, isContract: true, isWitness: false, permissions: initialPermissions(user) }),
  );
});

describe("is refused", () => {
  test.each([
    ["another's account", { address: tronHexOf(thief) }, "the account of another address than was asked for"],
    ["nobody's account", { balance: 5 }, "the account of another address than was asked for"],
    ["a type that may be a contract", { address: hex, type: "Robot" }, "an account of an unknown type"],
    ["a balance in words", { address: hex, balance: "much" }, "no account: balance: must be an integer of 64 bits"],
    ["a list", [], "no account: must be an object"],
    ["null", null, "no account: must be an object"],
    ["a threshold of nothing", { address: hex, owner_permission: { keys: [key(user, 1)] } }, IMPOSSIBLE],
    ["one below nothing", { address: hex, owner_permission: { threshold: -1, keys: [key(user, 1)] } }, IMPOSSIBLE],
    ["one out of reach", { address: hex, owner_permission: { threshold: 2, keys: [key(user, 1)] } }, IMPOSSIBLE],
    [
      "a key without weight",
      { address: hex, owner_permission: { threshold: 1, keys: [key(user, 1), key(thief, 0)] } },
      IMPOSSIBLE,
    ],
    [
      "an active permission of nobody",
      { address: hex, owner_permission: { threshold: 1, keys: [key(user, 1)] }, active_permission: [{ threshold: 1 }] },
      IMPOSSIBLE,
    ],
    [
      "a key without an address",
      { address: hex, owner_permission: { keys: [{ address: "41", weight: 1 }] } },
      "no account: owner_permission.keys[0].address: hex form must have 42 digits, has 2",
    ],
  ])("%s", (_what, json, detail) => {
    expect(readAccount(json, user)).toEqual(fail(detail));
  });
});
