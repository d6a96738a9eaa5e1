import { beforeAll, expect, test } from "vitest";
import { LabelFiles } from "../../../src/adapters/files/label-files.ts";
import type { CanonicalAddress } from "../../../src/chains/address.ts";
import type { Family } from "../../../src/chains/chain.ts";
import { findChain } from "../../../src/chains/registry.ts";
import { bundled } from "../../../src/cli/package-root.ts";
import { seededRandom } from "../../../src/kernel/random.ts";
import { gatherTarget, gatherToken } from "../../../src/service/address-poisoning/gather.ts";
import { judgeTarget, judgeToken } from "../../../src/service/address-poisoning/judge.ts";
import { UserAddresses } from "../../../src/service/address-poisoning/user-addresses.ts";
import type { AddressLabel } from "../../../src/service/labels/label.ts";
import { LabelBook } from "../../../src/service/labels/label-book.ts";
import { imitation, randomAddress } from "../../support/random-addresses.ts";

/** Everything that ships, as the service loads it. */
let book: LabelBook;
/** The labels of each file, by its name. */
let labelsByList: ReadonlyMap<string, readonly AddressLabel[]>;

beforeAll(async () => {
  const lists = await new LabelFiles(bundled.labels).load();
  book = LabelBook.of(lists);
  labelsByList = new Map(
    lists.map(({ name, labels }) => [name.replace(/^.*\//, ""), [...labels].filter((label) => label.kind !== "site")]),
  );
});

const nobody = new UserAddresses([]);
const isPoisonedTarget = (label: Pick<AddressLabel, "chain" | "address">, users = nobody) =>
  judgeTarget(gatherTarget(label, users, book)).isPoisoning;
const isPoisonedToken = (label: Pick<AddressLabel, "chain" | "address">) =>
  judgeToken(gatherToken(label, book)).isPoisoning;

function chainOf(id: string) {
  const chain = findChain(id);
  if (chain === undefined) throw new Error(`no chain ${id}`);
  return chain;
}

test("no listed token is called an imitation, and no listed address a poisoned target", () => {
  const labels = [...labelsByList.values()].flat();
  expect(labels.length).toBeGreaterThan(18_000);
  expect(labels.filter((label) => label.kind === "token" && isPoisonedToken(label))).toEqual([]);
  expect(labels.filter((label) => isPoisonedTarget(label))).toEqual([]);
});

test.each([
  ["labels.csv", 3, 4],
  ["exchanges.csv", 3, 4],
  ["known-well.csv", 4, 4],
  ["known-others.csv", 4, 5],
])("every EVM address of %s is recognized behind an imitation of %i + %i digits", (list, prefix, suffix) => {
  const random = seededRandom(8);
  const evm = (labelsByList.get(list) ?? []).filter(({ chain }) => chain.family === "evm");
  const missed = evm.filter(({ chain, address, kind }) => {
    const fake = { chain, address: imitation("evm", address, { prefix, suffix }, random) };
    return !(kind === "token" ? isPoisonedToken(fake) : isPoisonedTarget(fake));
  });

  expect(evm.length).toBeGreaterThan(70);
  // What begins and ends with one digit repeated can only be told by more than that.
  expect(missed.map(({ name }) => name).sort()).toEqual(ornate[list] ?? []);
});

/** Names of those: Elk Finance's and Cap's tokens, and others as pretty, on chains of which the list has many tokens. */
const ornate: Readonly<Record<string, readonly string[]>> = {
  "known-well.csv": "CAP ELK ELK ELK ELK GFX ORA WABBIT ZKC cUSD stcUSD".split(" "),
};

/**
 * Checks of random text spelled like addresses against 999 random users and everything that ships. bench/false-alarms.ts
 * measures the chance on real addresses; this holds that it does not grow unseen.
 */
test.each([
  ["evm", "1", 1],
  ["tron", "tron", 0],
  ["solana", "solana", 2],
] as const)("of 200,000 random addresses of %s as targets and tokens few are alarms", (family, id, alarms) => {
  const random = seededRandom(999);
  const chain = chainOf(id);
  const subjectOf = (address: CanonicalAddress) => ({ chain, address });
  const users = new UserAddresses(
    Array.from({ length: 999 }, () => subjectOf(randomAddress(family as Family, random))),
  );
  let count = 0;
  for (let i = 0; i < 200_000; i++) {
    const subject = subjectOf(randomAddress(family as Family, random));
    if (isPoisonedTarget(subject, users) || isPoisonedToken(subject)) count++;
  }
  expect(count).toBe(alarms);
});
