import { describe, expect, test } from "vitest";
import type { AccountLocks } from "../../../../src/worker/simulation/decoder.ts";
import { locksForSharing, mayShare } from "../../../../src/worker/simulation/locks.ts";

function locks(feePayer: string, own: Partial<AccountLocks> = {}): AccountLocks {
  const writable = own.writable ?? [feePayer];
  return { feePayer, named: writable, usesLookupTables: false, callsUpgradeableLoader: false, ...own, writable };
}

const shared = (a: AccountLocks, b: AccountLocks) => {
  const [one, other] = [locksForSharing([a]), locksForSharing([b])];
  expect(mayShare(one, other)).toBe(mayShare(other, one));
  return mayShare(one, other);
};

describe("transactions that may share a request", () => {
  test("transactions without a common account may share", () => {
    expect(shared(locks("a"), locks("b"))).toBe(true);
  });

  test("transactions that read the same account may share", () => {
    expect(shared(locks("a", { named: ["a", "program"] }), locks("b", { named: ["b", "program"] }))).toBe(true);
  });

  test("a transaction may not share if it may write an account that the other reads", () => {
    expect(shared(locks("a", { writable: ["a", "pool"] }), locks("b", { named: ["b", "pool"] }))).toBe(false);
  });

  test("transactions that may write the same account may not share", () => {
    expect(shared(locks("a", { writable: ["a", "pool"] }), locks("b", { writable: ["b", "pool"] }))).toBe(false);
  });

  test("transactions of one fee payer may not share, even if the lists omit the fee payer", () => {
    expect(shared(locks("a", { writable: [] }), locks("a", { writable: [] }))).toBe(false);
  });
});

describe("an event that goes alone", () => {
  test.each<[string, readonly (AccountLocks | undefined)[]]>([
    ["a transaction whose locks are unknown", [undefined]],
    ["one with lookup tables", [locks("a", { usesLookupTables: true })]],
    ["one that calls the upgradeable loader", [locks("a", { callsUpgradeableLoader: true })]],
    ["a sequence", [locks("a"), locks("a")]],
    ["a sequence with an unknown part", [locks("a"), undefined]],
    ["no transaction at all", []],
  ])("%s", (_who, of) => {
    const alone = locksForSharing(of);

    expect(alone).toBeUndefined();
    expect(mayShare(alone, locksForSharing([locks("b")]))).toBe(false);
    expect(mayShare(alone, alone)).toBe(false);
  });
});
