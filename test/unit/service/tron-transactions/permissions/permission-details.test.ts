import { describe, expect, test } from "vitest";
import { requestParser } from "../../../../../src/api/requests/request.ts";
import { TransactionSecurityRequest } from "../../../../../src/api/schemas/transaction-security.ts";
import type { CanonicalAddress } from "../../../../../src/chains/address.ts";
import type { ContractType } from "../../../../../src/chains/tron/message/contract-types.ts";
import { ok } from "../../../../../src/kernel/result.ts";
import { analyseTransaction } from "../../../../../src/service/tron-transactions/analyse-transaction.ts";
import type { Permission } from "../../../../../src/service/tron-transactions/permissions/permission.ts";
import type { PermissionSet } from "../../../../../src/service/tron-transactions/tron-node.ts";
import { fakeNode, stateOf } from "../../../../fakes/tron/fake-node.ts";
import {
  accomplice,
  active,
  bits,
  friend,
  labels,
  own,
  permission,
  thief,
  tx,
  update,
  user,
} from "../../../../fixtures/tron/parts.ts";

const parse = requestParser(TransactionSecurityRequest);

/** The findings on an update, by their names. The present account is given where it is known. */
async function said(transaction: unknown, present?: PermissionSet) {
  const node = fakeNode({
    account: async (address) =>
      ok(address === user && present !== undefined ? stateOf(address, { permissions: present }) : stateOf(address)),
  });
  const request = parse({ tron_transactions: [transaction] });
  if (!request.ok) throw new Error(request.detail);
  const answered = await analyseTransaction(request.value, labels, present === undefined ? undefined : node);
  if (!answered.ok) throw new Error(answered.detail);
  return new Map(answered.body.data.security.risk_details.map(({ name, description }) => [name, description]));
}

type Keys = readonly (readonly [CanonicalAddress, bigint])[];
const stands = (threshold: bigint, keys: Keys): Permission => ({
  name: "",
  threshold,
  keys: keys.map(([address, weight]) => ({ address, weight })),
});
const standsFor = (types: readonly ContractType[], threshold: bigint, keys: Keys) => ({
  ...stands(threshold, keys),
  granted: { types, unknownIds: [] },
});
const userAlone = stands(1n, [[user, 1n]]);
const ownFor = (...ids: readonly number[]) => active(1, [[user, 1]], bits(...ids));

describe("strangers are named with their weights and the threshold", () => {
  test("a key that takes the account is named", async () => {
    const details = await said(
      update({
        owner: permission(5, [
          [user, 2],
          [thief, 7],
        ]),
        actives: [ownFor(1)],
      }),
    );

    expect(details.get("owner_takeover")).toBe(
      `takes the account away: ${thief} (weight 7), by a threshold of 5, could do everything with it, your own key ${user} (weight 2) alone nothing`,
    );
  });

  test("several keys that share the account only together are named", async () => {
    const owner = permission(4, [
      [user, 4],
      [thief, 3],
      [accomplice, 1],
    ]);

    expect((await said(update({ owner, actives: [ownFor(1)] }))).get("owner_shared")).toBe(
      `lets ${thief} (weight 3), ${accomplice} (weight 1) together, by a threshold of 4, do everything with the account without you`,
    );
  });

  test("a co-signer is named", async () => {
    const owner = permission("9007199254740993", [
      [user, "9007199254740992"],
      [thief, 1],
    ]);

    expect((await said(update({ owner, actives: [ownFor(1)] }))).get("owner_needs_cosigner")).toBe(
      `you, ${user} (weight 9007199254740992), could do nothing with the account any more unless others sign too, by a threshold of 9007199254740993: ${thief} (weight 1)`,
    );
  });

  test("the keys of an account that is locked for ever are named", async () => {
    expect((await said(update({ owner: permission(3, [[thief, 2]]), actives: [] }))).get("owner_locked_out")).toBe(
      `locks the account for ever: its keys together do not reach the threshold 3: ${thief} (weight 2)`,
    );
  });

  test("the keys of active permissions are named with their operations", async () => {
    const given = active(2, [[thief, 2]], bits(1, 4, 31, 46));
    const details = await said(update({ owner: own, actives: [ownFor(1), given] }));

    expect(details.get("active_changes_permissions")).toBe(
      `lets ${thief} (weight 2), by a threshold of 2, change the account's permissions, and so take the account`,
    );
    expect(details.get("active_moves_assets")).toBe(
      `lets ${thief} (weight 2), by a threshold of 2, move the account's assets without you: Transfer, TriggerSmart`,
    );
    expect(details.get("active_for_strangers")).toBe(
      `lets ${thief} (weight 2), by a threshold of 2, act for the account without you: VoteWitness`,
    );
  });

  test("a key that produces blocks is named", async () => {
    const witness = permission(1, [[thief, 4]]);

    expect((await said(update({ owner: own, witness, actives: [ownFor(1)] }))).get("witness_key_of_stranger")).toBe(
      `lets ${thief} (weight 4) produce blocks for you, by a threshold of 1`,
    );
  });

  test("five of thousands of keys are named", async () => {
    const keys = Array.from({ length: 3_000 }, (_, i) => [`41${String(i).padStart(40, "0")}`, 1] as const);
    const details = await said(update({ owner: permission(1, keys), actives: [ownFor(1)] }));

    expect(details.get("owner_takeover")).toContain(" (weight 1) and 2995 more, by a threshold of 1,");
  });
});

describe("an update that leaves strangers their earlier rights", () => {
  const present: PermissionSet = {
    owner: userAlone,
    witness: undefined,
    actives: [
      standsFor(["TransferContract"], 1n, [[user, 1n]]),
      standsFor(["TransferContract", "AccountPermissionUpdateContract"], 2n, [
        [thief, 1n],
        [accomplice, 1n],
      ]),
    ],
  };
  const strangers = (...ids: readonly number[]) =>
    active(
      2,
      [
        [thief, 1],
        [accomplice, 1],
      ],
      bits(...ids),
    );

  test("the keys that may still change the permissions are named", async () => {
    const details = await said(update({ owner: own, actives: [ownFor(1), strangers(1, 46)] }), present);

    expect([...details.keys()]).toEqual(["active_keeps_permissions", "permission_update", "account_shared"]);
    expect(details.get("active_keeps_permissions")).toBe(
      `leaves ${thief} (weight 1), ${accomplice} (weight 1) together, by a threshold of 2, able to change the account's permissions, as before, and so to take the account`,
    );
  });

  test("no key is named once the bit or the strangers are gone", async () => {
    for (const actives of [[ownFor(1), strangers(1)], [ownFor(1)]]) {
      expect((await said(update({ owner: own, actives }), present)).has("active_keeps_permissions")).toBe(false);
    }
  });

  test("no key is named that needs the user's key, or that has full control anyway", async () => {
    const withUser = active(
      2,
      [
        [user, 1],
        [thief, 1],
      ],
      bits(46),
    );
    const before = {
      ...present,
      actives: [
        standsFor(["AccountPermissionUpdateContract"], 2n, [
          [user, 1n],
          [thief, 1n],
        ]),
      ],
    };
    expect(
      (await said(update({ owner: own, actives: [ownFor(1), withUser] }), before)).has("active_keeps_permissions"),
    ).toBe(false);

    const partners = stands(2n, [
      [user, 1n],
      [thief, 1n],
      [accomplice, 1n],
    ]);
    const shared = update({
      owner: permission(2, [
        [user, 1],
        [thief, 1],
        [accomplice, 1],
      ]),
      actives: [strangers(1, 46)],
    });
    expect((await said(shared, { ...present, owner: partners })).has("active_keeps_permissions")).toBe(false);
  });

  test("a right is reported as new when the strangers had less before", async () => {
    const less = {
      ...present,
      actives: [
        standsFor(["TransferContract"], 2n, [
          [thief, 1n],
          [accomplice, 1n],
        ]),
      ],
    };
    const details = await said(update({ owner: own, actives: [ownFor(1), strangers(1, 46)] }), less);

    expect(details.has("active_changes_permissions")).toBe(true);
    expect(details.has("active_keeps_permissions")).toBe(false);
  });
});

describe("lost rights are named", () => {
  const present: PermissionSet = {
    owner: userAlone,
    witness: stands(1n, [[friend, 1n]]),
    actives: [
      standsFor(["TransferContract", "VoteWitnessContract"], 1n, [[user, 1n]]),
      standsFor(["TriggerSmartContract"], 3n, [[friend, 3n]]),
    ],
  };

  test("the operations that the user's own key had by an active permission are named", async () => {
    const details = await said(update({ owner: own, actives: [ownFor(4)] }), present);

    expect(details.get("permission_update")).toBe(
      `sets all permissions of the account anew: owner with a threshold of 1: your key (weight 1); active 0 with a threshold of 1: your key (weight 1); by none of the active ones could your own key alone Transfer`,
    );
  });

  test("all lost operations are named when no active permission of the user is left", async () => {
    expect((await said(update({ owner: own, actives: [] }), present)).get("permissions_dropped")).toBe(
      "leaves out every active permission, and what an update leaves out is dropped: your own key alone could not Transfer, VoteWitness but as the owner",
    );
  });

  test("no lost operation is named when all rights stay", async () => {
    const details = await said(update({ owner: own, actives: [ownFor(1, 4)] }), present);

    expect(details.get("permission_update")).toBe(
      "sets all permissions of the account anew: owner with a threshold of 1: your key (weight 1); active 0 with a threshold of 1: your key (weight 1)",
    );
  });

  test("the rights that other keys lose are named", async () => {
    expect((await said(update({ owner: own, actives: [ownFor(1, 4)] }), present)).get("keys_removed")).toBe(
      `takes every right from ${friend} (witness, with weight 1 of a threshold of 1, and active for TriggerSmart, with weight 3 of a threshold of 3)`,
    );
  });
});

test("the keys that share the account are named when the account pays", async () => {
  const present: PermissionSet = {
    owner: userAlone,
    witness: undefined,
    actives: [standsFor(["TransferContract", "VoteWitnessContract"], 2n, [[thief, 2n]])],
  };
  const details = await said(tx("TransferContract", { to_address: friend, amount: 1 }), present);

  expect(details.get("account_shared")).toBe(
    `${thief} (weight 2), by a threshold of 2, can use this account without its own key: Transfer`,
  );
});
