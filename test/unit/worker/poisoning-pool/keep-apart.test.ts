import { describe, expect, test } from "vitest";
import type { CanonicalAddress } from "../../../../src/chains/address.ts";
import { KeepApart } from "../../../../src/worker/poisoning-pool/keep-apart.ts";
import { lookalikeGroups } from "../../../fixtures/lookalikes.generated.ts";
import { addressOf, calibrated, evm, evmAlike } from "../../../support/poisoning-parts.ts";

const who = (target: CanonicalAddress, users: readonly CanonicalAddress[] = [], token?: CanonicalAddress) =>
  ({ family: "evm", target, token, users }) as const;
type Who = ReturnType<typeof who>;

function isForbidden(first: Who, second: Who): boolean {
  const apart = new KeepApart(calibrated);
  apart.add(first);
  return apart.forbids(second);
}

const [target, other, token] = [evm(1), evm(2), evm(3)];
const [alice, bob, carol] = [evm(10), evm(11), evm(12)];

describe("may share a request", () => {
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

describe("is kept apart", () => {
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

  test("a target that is a stranger's user, though its own, too, when a third asks about it", () => {
    const apart = new KeepApart(calibrated);
    apart.add(who(alice, [alice]));
    apart.add(who(other, [alice]));
    expect(apart.forbids(who(alice, [bob]))).toBe(true);
    expect(apart.forbids(who(token, [alice]))).toBe(false);
  });

  test("a user whom one of those who ask about it does not have", () => {
    const apart = new KeepApart(calibrated);
    apart.add(who(alice, [bob]));
    expect(apart.forbids(who(alice, [alice]))).toBe(true);
  });

  test("whose own users resemble each other, from everybody", () => {
    const apart = new KeepApart(calibrated);
    expect(apart.forbids(who(target, [alice, bob, evmAlike(10)]))).toBe(true);
    expect(apart.forbids(who(target, [alice, evmAlike(11)]))).toBe(false);
  });
});

test("addresses of different families have nothing to do with each other, those of different chains have", () => {
  const [[first, second] = []] = lookalikeGroups.tron;
  const apart = new KeepApart(calibrated);
  const tron = (text: string | undefined) => addressOf(text ?? "", "tron");
  apart.add({ family: "tron", target: tron(first), token: undefined, users: [] });

  expect(apart.forbids({ family: "tron", target: tron(second), token: undefined, users: [tron(first)] })).toBe(true);
  expect(apart.forbids({ family: "solana", target: tron(second), token: undefined, users: [tron(first)] })).toBe(false);
});

test("users are alike by the shapes that the service flags, no others", () => {
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
    const apart = new KeepApart(calibrations);
    apart.add(who(target, [alice]));
    expect(apart.forbids(resembling)).toBe(expected);
  }
});
