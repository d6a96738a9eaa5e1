import { describe, expect, test } from "vitest";
import type { CanonicalAddress } from "../../../../../src/chains/address.ts";
import { BatchConflicts } from "../../../../../src/worker/batching/queue/batch-conflicts.ts";
import { addressOf, calibrated, evm, evmAlike } from "../../../../support/poisoning-parts.ts";

const who = (target: CanonicalAddress, users: readonly CanonicalAddress[] = [], token?: CanonicalAddress) => ({
  target,
  token,
  users,
});
type Who = ReturnType<typeof who>;

function apartWith(...all: readonly Who[]): BatchConflicts {
  const apart = new BatchConflicts("evm", calibrated);
  for (const each of all) apart.add("1", each);
  return apart;
}

function isForbidden(first: Who, second: Who): boolean {
  const verdicts = ["1", "56"].map((chainId) => apartWith(first).growthOf(chainId, second) === undefined);
  expect(verdicts[1]).toBe(verdicts[0]);
  return verdicts[0] === true;
}

const [target, other, token] = [evm(1), evm(2), evm(3)];
const [alice, bob, carol] = [evm(10), evm(11), evm(12)];

describe("entries that may share a request", () => {
  test.each<[string, Who, Who]>([
    ["strangers", who(target, [alice]), who(other, [bob])],
    ["questions of one user", who(target, [alice]), who(other, [alice])],
    ["questions about one target", who(target, [alice]), who(target, [bob])],
    ["questions without users", who(target), who(other)],
    ["a target that is the user of both", who(alice, [alice]), who(other, [alice])],
    ["a token that is the user of both", who(target, [alice], alice), who(other, [alice, bob])],
    ["a target that resembles a stranger's user", who(target, [alice]), who(evmAlike(10), [bob])],
    ["a target that resembles a stranger's target", who(target, [alice]), who(evmAlike(1), [bob])],
    ["a token that resembles a stranger's user", who(target, [alice]), who(other, [bob], evmAlike(10))],
  ])("%s", (_name, first, second) => {
    expect(isForbidden(first, second)).toBe(false);
    expect(isForbidden(second, first)).toBe(false);
  });
});

describe("entries that are kept apart", () => {
  test.each<[string, Who, Who]>([
    ["a target that is a stranger's user", who(target, [alice]), who(alice, [bob])],
    ["a target that is a stranger's user, without users", who(target, [alice]), who(alice)],
    ["a token that is a stranger's user", who(target, [alice]), who(other, [bob], alice)],
    ["one of several users", who(target, [alice, bob]), who(bob, [carol])],
    ["a user that resembles a stranger's", who(target, [alice]), who(other, [evmAlike(10)])],
    ["one of several users that resembles a stranger's", who(target, [alice, bob]), who(other, [carol, evmAlike(11)])],
  ])("%s", (_name, first, second) => {
    expect(isForbidden(first, second)).toBe(true);
    expect(isForbidden(second, first)).toBe(true);
  });

  test("a target that is a user of another entry, although its own entry also has that user", () => {
    const apart = apartWith(who(alice, [alice]), who(other, [alice]));
    expect(apart.growthOf("1", who(alice, [bob]))).toBeUndefined();
    expect(apart.growthOf("1", who(token, [alice]))).toBe(2);
  });

  test("a user that another entry asks about without having it as a user", () => {
    expect(apartWith(who(alice, [bob])).growthOf("1", who(alice, [alice]))).toBeUndefined();
    expect(apartWith(who(target, [bob], alice)).growthOf("56", who(alice, [alice]))).toBeUndefined();
  });

  test("an entry with two users that resemble each other, from every other entry", () => {
    for (const apart of [apartWith(), apartWith(who(other, [bob]))]) {
      expect(apart.growthOf("1", who(target, [alice, bob, evmAlike(10)]))).toBeUndefined();
      expect(apart.growthOf("1", who(target, [alice, evmAlike(12)]))).toBe(3);
    }
    expect(apartWith(who(other, [alice])).growthOf("1", who(target, [alice, bob, evmAlike(10)]))).toBeUndefined();
  });
});

test("an entry adds the items that the request lacks on its chain, in each of the three arrays", () => {
  const apart = apartWith();
  const chains = { here: who(target, [alice, bob], token), there: who(other, [alice]) };
  for (const [chainId, { users, ...each }] of [
    ["1", chains.here],
    ["56", chains.there],
    ["137", chains.there],
  ] as const) {
    for (const user of users) apart.user(chainId, user).isSentAsUser = true;
    apart.asked(chainId, each.target, users).targetAt = 0;
    if (each.token !== undefined) apart.asked(chainId, each.token, users).tokenAt = 0;
  }

  expect(apart.growthOf("1", chains.here)).toBe(0);
  expect(apart.growthOf("1", who(target, [alice, carol], token))).toBe(1);
  expect(apart.growthOf("1", who(token, [alice], target))).toBe(2);
  expect(["56", "137"].map((chainId) => apart.growthOf(chainId, chains.there))).toEqual([0, 0]);
  expect(apart.growthOf("56", chains.here)).toBe(3);
  expect(apart.growthOf("10", chains.here)).toBe(4);
});

test("users are alike only by the shapes that the service flags", () => {
  const shapes = (prefix: number, suffix: number) => () => ({
    canaries: undefined,
    flaggedShapes: [{ prefix, suffix }],
  });
  const resembling = who(other, [addressOf(`0x00a${"e".repeat(34)}00a`)]);
  for (const [calibrations, expected] of [
    [() => undefined, false],
    [shapes(3, 4), false],
    [shapes(3, 3), true],
    [shapes(4, 0), false],
    [shapes(3, 0), true],
  ] as const) {
    const apart = new BatchConflicts("evm", calibrations);
    apart.add("1", who(target, [alice]));
    expect(apart.growthOf("1", resembling) === undefined).toBe(expected);
  }
});
