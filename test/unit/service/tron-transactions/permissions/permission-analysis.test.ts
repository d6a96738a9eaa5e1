import { describe, expect, test } from "vitest";
import type { CanonicalAddress } from "../../../../../src/chains/address.ts";
import { decodeOperation } from "../../../../../src/chains/tron/operation.ts";
import { parseExact } from "../../../../../src/kernel/json.ts";
import {
  analyseUpdate,
  reachOf,
} from "../../../../../src/service/tron-transactions/permissions/permission-analysis.ts";
import { accomplice, active, bits, own, permission, thief, user } from "../../../../fixtures/tron/parts.ts";

type Keys = readonly (readonly [CanonicalAddress, bigint])[];
const reach = (threshold: bigint, keys: Keys) =>
  reachOf({ name: "", threshold, keys: keys.map(([address, weight]) => ({ address, weight })) }, user);

describe("the keys that reach a threshold", () => {
  test.each<[string, bigint, Keys, boolean, boolean, boolean, readonly CanonicalAddress[]]>([
    ["the user alone", 1n, [[user, 1n]], true, false, true, []],
    ["the user with more than enough", 5n, [[user, 9n]], true, false, true, []],
    ["a stranger alone", 1n, [[thief, 1n]], false, true, true, [thief]],
    [
      "either",
      1n,
      [
        [user, 1n],
        [thief, 1n],
      ],
      true,
      true,
      true,
      [thief],
    ],
    [
      "only both",
      2n,
      [
        [user, 1n],
        [thief, 1n],
      ],
      false,
      false,
      true,
      [],
    ],
    [
      "the user, and strangers together",
      2n,
      [
        [user, 2n],
        [thief, 1n],
        [accomplice, 1n],
      ],
      true,
      true,
      true,
      [],
    ],
    [
      "strangers together only",
      2n,
      [
        [user, 1n],
        [thief, 1n],
        [accomplice, 1n],
      ],
      false,
      true,
      true,
      [],
    ],
    [
      "nobody",
      3n,
      [
        [user, 1n],
        [thief, 1n],
      ],
      false,
      false,
      false,
      [],
    ],
    ["nobody, as there are no keys", 1n, [], false, false, false, []],
    ["everybody, as nothing is asked for", 0n, [[user, 1n]], true, true, true, []],
    [
      "a key that stands there twice, with both weights",
      2n,
      [
        [thief, 1n],
        [thief, 1n],
      ],
      false,
      true,
      true,
      [thief],
    ],
    ["nobody, by 1 beyond 2^53", 2n ** 53n + 1n, [[user, 2n ** 53n]], false, false, false, []],
    ["the user, beyond 2^53", 2n ** 53n + 1n, [[user, 2n ** 53n + 1n]], true, false, true, []],
    [
      "strangers, beyond 2^63 together",
      2n ** 63n,
      [
        [thief, 2n ** 63n - 1n],
        [accomplice, 1n],
      ],
      false,
      true,
      true,
      [],
    ],
  ])("the threshold is reached or not: %s", (_who, threshold, keys, byUser, byOthers, byAnybody, loneOthers) => {
    expect(reach(threshold, keys)).toMatchObject({ user: byUser, others: byOthers, anybody: byAnybody, loneOthers });
  });
});

function analysed(update: object) {
  const payload = parseExact(JSON.stringify({ owner_address: user, ...update }));
  const decoded = decodeOperation("AccountPermissionUpdateContract", payload, "hex");
  if (!decoded.ok) throw new Error(decoded.type);
  return analyseUpdate(decoded.operation.value, user);
}

test("an update is split into its permissions", () => {
  const { owner, witness, actives, refusals } = analysed({
    owner: permission(2, [
      [user, 1],
      [thief, 1],
    ]),
    witness: own,
    actives: [active(1, [[thief, 1]], bits(1, 7, 46))],
  });

  expect(owner).toEqual({
    name: "p",
    threshold: 2n,
    keys: [
      { address: user, weight: 1n },
      { address: thief, weight: 1n },
    ],
    reach: { user: false, others: false, anybody: true, loneOthers: [], strangers: [thief] },
    strangersGain: false,
    userLoses: true,
  });
  expect(witness?.reach.user).toBe(true);
  expect(actives).toMatchObject([
    {
      reach: { user: false, others: true },
      granted: { types: ["TransferContract", "AccountPermissionUpdateContract"], unknownIds: [7] },
    },
  ]);
  expect(refusals).toEqual([]);
});

describe("updates that a node would refuse", () => {
  const usual = active(1, [[user, 1]]);
  const six = Array.from({ length: 6 }, (_, i) => [`41${String(i).repeat(40)}`, 1] as const);

  test.each([
    ["no owner", { actives: [usual] }, ["the owner permission is missing"]],
    ["no active permission", { owner: own }, ["no active permission is left"]],
    ["an empty list of them", { owner: own, actives: [] }, ["no active permission is left"]],
    ["nine of them", { owner: own, actives: Array(9).fill(usual) }, ["more than 8 active permissions"]],
    ["six keys", { owner: permission(1, six), actives: [usual] }, ["owner: more than 5 keys"]],
    [
      "a key twice",
      {
        owner: permission(1, [
          [user, 1],
          [user, 1],
        ]),
        actives: [usual],
      },
      ["owner: a key stands there twice"],
    ],
    [
      "no weight",
      {
        owner: own,
        actives: [
          active(1, [
            [user, 1],
            [thief, 0],
          ]),
        ],
      },
      ["active 0: a weight is not positive"],
    ],
    ["no threshold", { owner: own, actives: [active(0, [[user, 1]])] }, ["active 0: the threshold is not positive"]],
    [
      "a threshold out of reach",
      { owner: own, witness: permission(2, [[user, 1]]), actives: [usual] },
      ["witness: all weights together do not reach the threshold"],
    ],
  ])("the reasons for a refusal: %s", (_what, update, refusals) => {
    expect(analysed(update).refusals).toEqual(refusals);
  });

  test("eight permissions of five keys each are not refused", () => {
    const five = permission(1, [[user, 1], ...six.slice(0, 4)]);
    const actives = Array.from({ length: 8 }, () => ({ ...active(1, [[user, 1]]), keys: five["keys"] }));

    expect(analysed({ owner: five, actives }).refusals).toEqual([]);
  });
});
