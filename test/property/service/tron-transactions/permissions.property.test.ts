import fc from "fast-check";
import { expect, test } from "vitest";
import { requestParser } from "../../../../src/api/requests/request.ts";
import { TransactionSecurityRequest } from "../../../../src/api/schemas/transaction-security.ts";
import type { CanonicalAddress } from "../../../../src/chains/address.ts";
import { parseExact } from "../../../../src/kernel/json.ts";
import { analyseTransaction } from "../../../../src/service/tron-transactions/analyse-transaction.ts";
import { addressOf, labels, ownActive, update, user } from "../../../fixtures/tron/parts.ts";

const numRuns = Number(process.env["FC_RUNS"] ?? 300);
const strangers = Array.from({ length: 5 }, (_, i) => addressOf(`stranger ${i}`));
const parse = requestParser(TransactionSecurityRequest);

/** Small weights meet thresholds exactly. Other weights are near 2^53 and near the largest weight. */
const weight = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt(0n, 6n) },
  fc.bigInt(2n ** 53n - 2n, 2n ** 53n + 2n),
  fc.constant(2n ** 63n - 1n),
);
const keys = fc
  .uniqueArray(fc.constantFrom(user, ...strangers), { maxLength: 6, minLength: 1 })
  .chain((addresses) => fc.tuple(...addresses.map((address) => fc.tuple(fc.constant(address), weight))));

type Keys = readonly (readonly [CanonicalAddress, bigint])[];

/** The possible outcomes, by every set of keys that may sign together. The weights of the set alone are added up. */
function bySubsets(all: Keys, threshold: bigint) {
  let alone = false;
  let withoutUser = false;
  let atAll = false;
  for (let set = 0; set < 2 ** all.length; set++) {
    const signers = all.filter((_, i) => (set >> i) % 2 === 1);
    if (signers.reduce((sum, [, each]) => sum + each, 0n) < threshold) continue;
    atAll = true;
    if (signers.every(([address]) => address === user)) alone = true;
    if (signers.every(([address]) => address !== user)) withoutUser = true;
  }
  return { alone, withoutUser, atAll };
}

/** The finding for each outcome. */
function expected({ alone, withoutUser, atAll }: ReturnType<typeof bySubsets>): readonly string[] {
  if (!atAll) return ["owner_locked_out"];
  if (withoutUser) return [alone ? "owner_shared" : "owner_takeover"];
  return alone ? [] : ["owner_needs_cosigner"];
}

const ofOwner = /^owner_/;

async function findingsOn(transaction: unknown) {
  const request = parse(parseExact(JSON.stringify({ tron_transactions: [transaction] })));
  if (!request.ok) throw new Error(request.detail);
  const answered = await analyseTransaction(request.value, labels);
  if (!answered.ok || !("security" in answered.body.data)) throw new Error("no answer");
  return answered.body.data.security;
}

test("the finding on an owner permission follows from every subset of its keys, and every danger is blocked", async () => {
  await fc.assert(
    fc.asyncProperty(keys, fc.oneof(fc.bigInt(0n, 12n), weight), fc.boolean(), async (all, threshold, asText) => {
      const spelled = (value: bigint) => (asText ? String(value) : parseExact(String(value)));
      const owner = {
        permission_name: "owner",
        threshold: spelled(threshold),
        keys: all.map(([address, each]) => ({ address, weight: spelled(each) })),
      };

      const security = await findingsOn(update({ owner, actives: [ownActive] }));

      const names = security.risk_details.map(({ name }) => name);
      const should = expected(bySubsets(all, threshold));
      expect(names.filter((name) => ofOwner.test(name))).toEqual(should);
      if (should.length > 0) expect(security.recommended_action).toBe("BLOCK");
      else expect(security.recommended_action).not.toBe("BLOCK");
    }),
    { numRuns },
  );
});

test("an active permission is a danger exactly when some of its keys reach the threshold without the user's", async () => {
  await fc.assert(
    fc.asyncProperty(
      keys,
      fc.bigInt(1n, 12n),
      fc.uniqueArray(fc.integer({ min: 0, max: 59 })),
      async (all, threshold, ids) => {
        const bytes = new Uint8Array(32);
        for (const id of ids) bytes[Math.floor(id / 8)] = (bytes[Math.floor(id / 8)] ?? 0) + 2 ** (id % 8);
        const active = {
          type: "Active",
          threshold: String(threshold),
          operations: Buffer.from(bytes).toString("hex"),
          keys: all.map(([address, each]) => ({ address, weight: String(each) })),
        };

        const owner = { threshold: 1, keys: [{ address: user, weight: 1 }] };
        const names = (await findingsOn(update({ owner, actives: [ownActive, active] }))).risk_details.map(
          ({ name }) => name,
        );

        const { withoutUser } = bySubsets(all, threshold);
        const known = ids.filter((id) => ![7, 47, 50].includes(id) && (id < 21 || id > 29) && (id < 34 || id > 40));
        expect(names.some((name) => /^active_/.test(name))).toBe(withoutUser && known.length > 0);
        expect(names.includes("active_changes_permissions")).toBe(withoutUser && ids.includes(46));
        expect(names.includes("unknown_operation_bits")).toBe(known.length < ids.length);
      },
    ),
    { numRuns },
  );
});
