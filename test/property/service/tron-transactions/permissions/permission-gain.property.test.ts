import fc from "fast-check";
import { expect, test } from "vitest";
import type { CanonicalAddress } from "../../../../../src/chains/address.ts";
import type { ContractType } from "../../../../../src/chains/tron/message/contract-types.ts";
import type { Active, Permission } from "../../../../../src/service/tron-transactions/permissions/permission.ts";
import {
  gainedTypes,
  keptTypes,
  lostTypes,
  strangersGain,
  userLoses,
} from "../../../../../src/service/tron-transactions/permissions/permission-gain.ts";
import { addressOf, user } from "../../../../fixtures/tron/parts.ts";

const numRuns = Number(process.env["FC_RUNS"] ?? 500);
const people = [user, ...Array.from({ length: 5 }, (_, i) => addressOf(`person ${i}`))];
const weight = fc.oneof({ weight: 8, arbitrary: fc.bigInt(0n, 4n) }, fc.bigInt(2n ** 53n, 2n ** 53n + 2n));
const permission: fc.Arbitrary<Permission> = fc.record({
  name: fc.constant(""),
  threshold: fc.oneof({ weight: 8, arbitrary: fc.bigInt(0n, 6n) }, fc.constant(2n ** 53n + 1n)),
  keys: fc
    .uniqueArray(fc.constantFrom(...people), { maxLength: 5 })
    .chain((addresses) =>
      fc.tuple(...addresses.map((address) => fc.record({ address: fc.constant(address), weight }))),
    ),
});
const types = ["TransferContract", "TriggerSmartContract"] as const satisfies readonly ContractType[];
const active: fc.Arbitrary<Active> = fc
  .tuple(permission, fc.subarray([...types]))
  .map(([each, granted]) => ({ ...each, granted: { types: granted, unknownIds: [] } }));

/** Every set of the six keys that may sign together, as numbers. The sets do not depend on the permissions. */
const meetings: readonly (readonly CanonicalAddress[])[] = Array.from({ length: 2 ** people.length }, (_, set) =>
  people.filter((_person, i) => Math.floor(set / 2 ** i) % 2 === 1),
);
const can = ({ keys, threshold }: Permission, present: readonly CanonicalAddress[]) =>
  keys.filter(({ address }) => present.includes(address)).reduce((sum, key) => sum + key.weight, 0n) >= threshold;
const without = meetings.filter((present) => !present.includes(user));

test("strangers gain exactly when some set of them without the user can act now and could not before", () => {
  fc.assert(
    fc.property(permission, fc.array(permission, { maxLength: 3 }), (after, before) => {
      const gains = without.some((present) => can(after, present) && !before.some((each) => can(each, present)));

      expect(strangersGain(after, before, user)).toBe(gains);
    }),
    { numRuns },
  );
});

test("the user loses exactly when a set needed the user's key to act before, and cannot act with that key now", () => {
  fc.assert(
    fc.property(permission, permission, (after, before) => {
      const loses = without.some(
        (others) => !can(before, others) && can(before, [...others, user]) && !can(after, [...others, user]),
      );

      expect(userLoses(after, before, user)).toBe(loses);
    }),
    { numRuns },
  );
});

test("a type is gained exactly when some strangers may do it now, and might not before by any permission", () => {
  fc.assert(
    fc.property(active, permission, fc.array(active, { maxLength: 3 }), (after, owner, actives) => {
      const gained = after.granted.types.filter((type) => {
        const could = (present: readonly CanonicalAddress[]) =>
          can(owner, present) || actives.some((each) => each.granted.types.includes(type) && can(each, present));
        return without.some((present) => can(after, present) && !could(present));
      });

      expect(gainedTypes(after, { owner, witness: undefined, actives }, user)).toEqual(gained);
    }),
    { numRuns },
  );
});

test("a type is kept exactly when some strangers may do it now, but not as owners, and it is not gained", () => {
  fc.assert(
    fc.property(active, permission, fc.array(active, { maxLength: 3 }), permission, (after, owner, actives, owned) => {
      const beside = without.some((present) => can(after, present) && !can(owned, present));
      const kept = after.granted.types.filter((type) => {
        const could = (present: readonly CanonicalAddress[]) =>
          can(owner, present) || actives.some((each) => each.granted.types.includes(type) && can(each, present));
        return beside && !without.some((present) => can(after, present) && !could(present));
      });

      expect(keptTypes(after, { owner, witness: undefined, actives }, owned, user)).toEqual(kept);
    }),
    { numRuns },
  );
});

test("a type is lost exactly when the user alone could do it by an active permission before, and can by none now", () => {
  fc.assert(
    fc.property(fc.array(active, { maxLength: 3 }), fc.array(active, { maxLength: 3 }), (after, before) => {
      const alone = (actives: readonly Active[], type: ContractType) =>
        actives.some((each) => each.granted.types.includes(type) && can(each, [user]));
      const lost = types.filter((type) => alone(before, type) && !alone(after, type));

      expect(new Set(lostTypes(after, before, user))).toEqual(new Set(lost));
    }),
    { numRuns },
  );
});

test("an update that changes nothing gives no gain and no loss", () => {
  fc.assert(
    fc.property(permission, active, (owner, each) => {
      expect(strangersGain(owner, [owner], user)).toBe(false);
      expect(userLoses(owner, owner, user)).toBe(false);
      expect(gainedTypes(each, { owner, witness: undefined, actives: [each] }, user)).toEqual([]);
    }),
    { numRuns },
  );
});

test("with more keys than a node allows, the worst case is assumed without a long computation", () => {
  const keys = Array.from({ length: 500 }, (_, i) => ({ address: addressOf(`of many ${i}`), weight: 1n }));
  const many = { name: "", threshold: 400n, keys };

  expect(strangersGain(many, [many], user)).toBe(true);
  expect(strangersGain({ ...many, threshold: 501n }, [], user)).toBe(false);
  expect(userLoses(many, many, user)).toBe(true);
});
